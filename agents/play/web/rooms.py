"""The tables that a server has open: who may act, whose turn it is, and who waits for news."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.errors import ActionError, GonzagaError

from ...agent import AgentError
from ..hints import Hint, as_hint
from ..table import SavedTableError, Seat, Table, WrongSeatError
from .roster import Roster
from .store import Store

MAX_WAITING = 32  # requests that wait for news of one table
PROBLEM_SECONDS = 1.0  # that a request waits where an agent has failed
MEMORY_SECONDS = 3600.0  # tables unused for so long are read from the file again when needed
DAY = 86400.0


class UnknownTableError(GonzagaError, LookupError):
    """There is no such table."""


class ForbiddenError(GonzagaError, PermissionError):
    """The token is missing, wrong or another seat's."""


class TooManyError(GonzagaError, RuntimeError):
    """A bound of the server is reached."""


class Room:
    """A table with its tokens and with those who wait for its next move.

    Attributes:
        id: names the table in addresses.
        table: the game.
        problem: why the agent to act cannot move; None if it can.
        used: when somebody last asked, in seconds.
    """

    def __init__(self, id: str, table: Table, hashes: Mapping[int, str], used: float) -> None:  # noqa: A002
        """Takes a table and the hash of each human seat's token."""
        self.id, self.table, self.used = id, table, used
        self.problem: str | None = None
        self.agents: asyncio.Task[None] | None = None
        self._hashes = dict(hashes)
        self._news = asyncio.Event()
        self._num_waiting = 0

    def seat_of(self, token: str) -> int:
        """Returns the seat of a token.

        Raises:
            ForbiddenError: the token is of no seat of this table.
        """
        given, found = hash_token(token), None
        for seat, kept in self._hashes.items():
            if hmac.compare_digest(given, kept):
                found = seat
        if found is None:
            raise ForbiddenError("the token is of no seat of this table")
        return found

    def notify(self) -> None:
        """Wakes all who wait."""
        self._news.set()
        self._news = asyncio.Event()

    async def wait(self, since: int, seconds: float) -> None:
        """Waits until there is a frame `since`, or news of a problem, or the time is up."""
        if self.table.num_moves >= since or seconds <= 0:
            return
        if self._num_waiting >= MAX_WAITING:
            raise TooManyError(f"{MAX_WAITING} requests wait at this table already")
        if self.problem is not None:  # there will be no news, but not everybody knows of it yet
            seconds = min(seconds, PROBLEM_SECONDS)
        self._num_waiting += 1
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), seconds)
        finally:
            self._num_waiting -= 1


def hash_token(token: str) -> str:
    """Returns what is kept of a token. Tokens are long and random, so no salt is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


class Rooms:
    """All tables of a server; used from one event loop only.

    Attributes:
        editions: the editions on offer, by id.
        roster: the agents on offer.
    """

    def __init__(
        self,
        store: Store,
        roster: Roster,
        editions: Mapping[str, Edition],
        max_tables: int,
        keep_days: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Takes what a server is made of.

        Args:
            store: where tables are kept.
            roster: the agents on offer.
            editions: the editions on offer, by id.
            max_tables: tables at once, finished ones included.
            keep_days: unused tables are dropped after so many days.
            clock: tells the time in seconds.
        """
        self.editions, self.roster = dict(editions), roster
        self._store, self._clock = store, clock
        self._max_tables, self._keep_days = max_tables, keep_days
        self._rooms: dict[str, Room] = {}

    async def create(
        self, config: GameConfig, seats: Sequence[Seat]
    ) -> tuple[Room, dict[int, str]]:
        """Opens a table, and returns it with the token of every human seat.

        Raises:
            AgentError: an agent is not on offer, or does not play this game.
            TooManyError: there are too many tables.
        """
        agents = sorted({seat.agent for seat in seats if seat.agent is not None})
        for future in [self.roster.prepare(name, config) for name in agents]:
            await asyncio.wrap_future(future)
        self.sweep()
        if self._store.count() >= self._max_tables:
            raise TooManyError(f"this server holds {self._max_tables} tables, its limit")
        table, now = Table(config, seats), self._clock()
        humans = [i for i, seat in enumerate(seats) if seat.kind == "human"]
        tokens = {i: secrets.token_urlsafe(24) for i in humans}
        hashes = {i: hash_token(token) for i, token in tokens.items()}
        room = Room(secrets.token_urlsafe(9), table, hashes, now)
        saved = {"table": table.as_dict(), "tokens": {str(i): h for i, h in hashes.items()}}
        self._store.add(room.id, saved, now)
        self._rooms[room.id] = room
        self._start_agents(room)
        return room, tokens

    def get(self, id: str) -> Room:  # noqa: A002
        """Returns a table, read from the file where it is not in memory.

        Raises:
            UnknownTableError: there is none, or its edition is not on offer any more.
            SavedTableError: what was saved is damaged.
        """
        if id not in self._rooms:
            saved = self._store.load(id)
            if saved is None:
                raise UnknownTableError("there is no such table; unused tables are dropped in time")
            self._rooms[id] = self._restore(id, saved)
        room = self._rooms[id]
        room.used = self._clock()
        self._start_agents(room)
        return room

    def _restore(self, id: str, saved: dict[str, Any]) -> Room:  # noqa: A002
        try:
            content, hashes = saved["table"] | {"moves": saved["moves"]}, saved["tokens"]
            digest = content["digest"]
            by_seat = {int(seat): str(kept) for seat, kept in hashes.items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise SavedTableError(f"the saved table is damaged: {error!r}") from error
        for edition in self.editions.values():
            if edition.digest == digest:
                table = Table.from_dict(content, edition)
                return Room(id, table, by_seat, self._clock())
        raise UnknownTableError(
            f"the table's edition {content.get('edition')!r} is not on offer; start the server "
            "with --edition"
        )

    def id_of(self, edition: Edition) -> str:
        """Returns what the server calls an edition."""
        return next(name for name, known in self.editions.items() if known == edition)

    def play(self, room: Room, seat: int, move: int, action: int) -> None:
        """Plays an action, stores it, and tells all who wait (errors as `Table.play`)."""
        before = room.table.num_moves
        room.table.play(seat, move, action)
        try:
            self._store.add_move(room.id, before, seat, action, self._clock())
        except GonzagaError:
            self._rooms.pop(room.id, None)  # what is in the file counts
            raise
        room.problem = None
        room.notify()
        self._start_agents(room)

    async def hint(self, room: Room, seat: int, name: str) -> Hint:
        """Returns what an agent considers for the seat to act, from what that seat knows.

        Raises:
            WrongSeatError: the seat is not to act.
            AgentError: the agent is not on offer, or cannot tell.
        """
        table = room.table
        turn = table.turn(seat)
        if turn is None:
            raise WrongSeatError("hints are for the seat to act")
        found = self.roster.consider(name, table.config, *table.question())
        return as_hint(name, await asyncio.wrap_future(found), turn)

    def _start_agents(self, room: Room) -> None:
        """Lets the agents move until a person is to act."""
        if room.table.waiting_for is not None and room.agents is None and room.problem is None:
            room.agents = asyncio.get_running_loop().create_task(self._play_agents(room))

    async def _play_agents(self, room: Room) -> None:
        table = room.table
        try:
            while (name := table.waiting_for) is not None and (seat := table.to_act) is not None:
                move = table.num_moves
                asked = self.roster.act(name, table.config, *table.question())
                action = await asyncio.wrap_future(asked)
                try:
                    self.play(room, seat, move, action)
                except ActionError as error:
                    raise AgentError(f"agent {name}: {error}") from error
        except GonzagaError as error:
            room.problem = str(error)
            room.notify()
        finally:
            room.agents = None

    def count(self) -> int:
        """Returns the number of tables, finished ones included."""
        return self._store.count()

    def sweep(self) -> None:
        """Drops tables unused for long: from memory, and after days from the file."""
        now = self._clock()
        for id, room in list(self._rooms.items()):  # noqa: A001
            if room.used < now - MEMORY_SECONDS and room.agents is None:
                del self._rooms[id]
        self._store.drop_unused(now - self._keep_days * DAY)

    def close_waiting(self) -> None:
        """Answers all requests that wait, before the server ends."""
        for room in self._rooms.values():
            room.notify()

    def close(self) -> None:
        """Ends the agents and closes the file."""
        for room in self._rooms.values():
            if room.agents is not None:
                room.agents.cancel()
        self.roster.close()
        self._store.close()
