"""The tables that a server has open: who may act, whose turn it is, and who waits for news."""

from __future__ import annotations

import asyncio
import concurrent.futures
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, islice
from math import inf
from typing import Any

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.errors import ActionError, GonzagaError
from gonzaga_env.core.view.game_view import Viewer

from ....agent import AgentError, Considered
from ...hints import Hint, as_hint
from ...table import SavedTableError, Seat, StaleMoveError, Table, WrongSeatError
from ..clients.limits import Share
from .clock import DoubtfulClock
from .roster import Roster
from .store import Store, StoreError
from .turns import Turns

SEAT_WAITS = 4  # requests that wait for news of a table, for each seat
SPECTATOR_WAITS = 32  # and for all who watch together
CLIENT_WAITS = 128  # of a client at all tables, and as many where it watches
CLIENT_HINTS = 16  # of a client at all tables
MAX_ROOMS = 128  # tables in memory; more only while somebody waits or agents move there
CLIENT_SHARE = 5  # a client may open one of so many tables,
MIN_SHARE = 10  # or these few
WATCHED_SECONDS = 60.0  # after somebody last looked, agents pause
PROBLEM_SECONDS = 1.0  # that a request waits where an agent has failed
RETRY_SECONDS = 60.0  # until an agent that has failed is asked again
MEMORY_SECONDS = 3600.0  # tables unused for so long are read from the file again when needed
MAX_DROPPED = 100  # tables at once: each takes a tenth of a millisecond
NOTE_SECONDS = 3600.0  # looking at a table is noted in the file so often at most
UNPLAYED_SECONDS = 2 * NOTE_SECONDS  # so nobody has looked for an hour at least
DAY = 86400.0

_serials = count(1)


class UnknownTableError(GonzagaError, LookupError):
    """There is no such table."""


class ForbiddenError(GonzagaError, PermissionError):
    """The token is missing, wrong or another seat's."""


class TooManyError(GonzagaError, RuntimeError):
    """There is no room for another table."""


class Room:
    """A table with its tokens and with those who wait for its next move.

    Attributes:
        id: names the table in addresses.
        serial: another number for each room, even of one table that is read again.
        table: the game.
        problem: why the agent to act cannot move; None if it can.
        used: when it was last used, in seconds, as the file has it.
        asked: when somebody last asked, on the steady clock.
        retry: when an agent that has failed is asked again, on the steady clock.
        client: who moved last, whose turns the agents' moves take (`turns.Turns`).
        agents: the task in which agents move.
        hints: the hint that each seat waits for.
    """

    def __init__(self, id: str, table: Table, hashes: Mapping[int, str], used: float) -> None:  # noqa: A002
        """Takes a table and the hash of each human seat's token."""
        self.id, self.table, self.used = id, table, used
        self.serial, self.asked, self.retry = next(_serials), 0.0, 0.0
        self.problem: str | None = None
        self.client: str | None = None
        self.agents: asyncio.Task[None] | None = None
        self.hints: dict[int, asyncio.Future[Considered]] = {}
        self._hashes = dict(hashes)
        self._news = asyncio.Event()
        self._seated = Share(inf, SEAT_WAITS, "requests that wait for this seat")
        self._watching = Share(inf, SPECTATOR_WAITS, "requests that watch this table")
        self._num_waiting = 0

    @property
    def busy(self) -> bool:
        """Whether somebody waits for something here, or agents move."""
        return self.agents is not None or bool(self.hints) or self._num_waiting > 0

    @property
    def has_people(self) -> bool:
        """Whether a person plays here."""
        return bool(self._hashes)

    def is_watched(self, now: float) -> bool:
        """Returns whether somebody waits or has just looked, by the steady clock."""
        return self._num_waiting > 0 or now - self.asked < WATCHED_SECONDS

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

    async def wait(self, viewer: Viewer, seconds: float) -> None:
        """Waits until there is news, or the time is up; spectators take no room of seats.

        Raises:
            LimitError: too many requests of the seat, or of spectators, wait here.
        """
        if self.problem is not None:  # there will be no news, but not everybody knows of it yet
            seconds = min(seconds, PROBLEM_SECONDS)
        share = self._watching if viewer == "public" else self._seated
        with share.held(str(viewer)), suppress(TimeoutError):
            self._num_waiting += 1
            try:
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
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        """Takes what a server is made of.

        Args:
            store: where tables are kept.
            roster: the agents on offer.
            editions: the editions on offer, by id.
            max_tables: tables at once, finished ones included.
            keep_days: unused tables are dropped after so many days.
            clock: tells the time in seconds.
            steady: tells how much time goes by, in seconds; nobody sets it.
        """
        self.editions, self.roster = dict(editions), roster
        self._store, self._clock, self._steady = store, clock, steady
        self._doubtful = DoubtfulClock(clock, steady)
        self._max_tables, self._keep_days = max_tables, keep_days
        self._share = max(MIN_SHARE, max_tables // CLIENT_SHARE)
        self._waits = {
            "public": Share(inf, CLIENT_WAITS, "requests that watch tables"),
            "seat": Share(inf, CLIENT_WAITS, "requests that wait for seats"),
        }
        self._hints = Share(inf, CLIENT_HINTS, "hints")
        self._turns = Turns()
        self._computing: set[asyncio.Task[None]] = set()  # the event loop does not keep tasks
        self._rooms: dict[str, Room] = {}  # that used last comes last

    async def create(
        self, config: GameConfig, seats: Sequence[Seat], client: str
    ) -> tuple[Room, dict[int, str]]:
        """Opens a table, and returns it with the token of every human seat.

        Raises:
            AgentError: an agent is not on offer, or does not play this game.
            TooManyError: there are too many tables, in all or of this client.
        """
        self.sweep()
        self._dispensable(client)
        agents = sorted({seat.agent for seat in seats if seat.agent is not None})
        for name in agents:
            async with self._turns.move(client, name):
                await asyncio.wrap_future(self.roster.prepare(name, config))
        self._drop(self._dispensable(client))
        table, now = Table(config, seats), self._clock()
        humans = [i for i, seat in enumerate(seats) if seat.kind == "human"]
        tokens = {i: secrets.token_urlsafe(24) for i in humans}
        hashes = {i: hash_token(token) for i, token in tokens.items()}
        room = Room(secrets.token_urlsafe(9), table, hashes, now)
        room.client = client
        saved = {"table": table.as_dict(), "tokens": {str(i): h for i, h in hashes.items()}}
        self._store.add(room.id, saved, client, now)
        self._keep(room)
        self._start_agents(room)
        return room, tokens

    def _dispensable(self, client: str) -> list[str]:
        """Returns the tables that have to make room for a new one, mostly none.

        Raises:
            TooManyError: too few are dispensable.
        """
        agreed = self._doubtful.agreed()
        now = -inf if agreed is None else agreed
        found: list[str] = []
        for limit, who, whose in (
            (self._share, client, "your address has opened {} tables here, its share"),
            (self._max_tables, None, "this server holds {} tables, its limit"),
        ):
            excess = self._store.count(who) - len(found) - limit + 1
            if excess > 0:
                more = self._store.dispensable(
                    excess, now - UNPLAYED_SECONDS, now - DAY, who, found
                )
                if len(more) < excess:
                    raise TooManyError(
                        f"{whose.format(limit)}; one where no person has moved makes room "
                        "2 hours after its last use, a finished one after a day"
                    )
                found += more
        return found

    def get(self, id: str, client: str) -> Room:  # noqa: A002
        """Returns a table for a client, read from the file where it is not in memory.

        Raises:
            UnknownTableError: there is none, or its edition is not on offer any more.
            SavedTableError: what was saved is damaged.
        """
        room = self._rooms.pop(id, None)
        if room is None:
            saved = self._store.load(id)
            if saved is None:
                raise UnknownTableError("there is no such table; unused tables are dropped in time")
            room = self._restore(id, saved)
        room.client = room.client or client
        self._keep(room)
        self._note(room)
        self._start_agents(room)
        return room

    def _keep(self, room: Room) -> None:
        """Keeps a room in memory, and drops those unused for longest where there are too many."""
        room.asked = self._steady()
        self._rooms[room.id] = room
        if len(self._rooms) > MAX_ROOMS:
            idle = (id for id, room in self._rooms.items() if not room.busy)  # noqa: A001
            self._forget(list(islice(idle, len(self._rooms) - MAX_ROOMS)))

    def _drop(self, ids: Sequence[str]) -> None:
        """Deletes tables."""
        if ids:
            self._store.drop(ids)
            self._forget(ids)

    def _forget(self, ids: Sequence[str]) -> None:
        for id in ids:  # noqa: A001
            self._rooms.pop(id, None)

    def _note(self, room: Room) -> None:
        """Notes in the file that a table is used, at most once an hour."""
        now = self._clock()
        if now - room.used >= NOTE_SECONDS:
            room.used = now
            with suppress(StoreError):  # a full disk keeps nobody from looking
                self._store.note(room.id, now, over=room.table.over)

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
                return Room(id, table, by_seat, saved["used"])
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
            over, now = room.table.over, self._clock()
            by_person = room.table.seats[seat].kind == "human"
            self._store.add_move(room.id, before, seat, action, now, over=over, by_person=by_person)
            room.used = max(room.used, now)
        except GonzagaError:
            self._rooms.pop(room.id, None)  # what is in the file counts
            raise
        room.problem = None
        room.notify()
        for hint in room.hints.values():  # of the position before
            hint.cancel()
        self._start_agents(room)

    async def wait(
        self, room: Room, viewer: Viewer, client: str, since: int, seconds: float
    ) -> None:
        """Waits until there is a frame `since`, or news of a problem, or the time is up.

        Raises:
            LimitError: too many requests wait at the table or of this client.
        """
        if room.table.num_moves < since and seconds > 0:
            share = self._waits["public" if viewer == "public" else "seat"]
            with share.held(client):
                await room.wait(viewer, seconds)

    async def hint(self, room: Room, seat: int, name: str, client: str) -> Hint:
        """Returns what an agent considers for the seat to act, from what that seat knows.

        Raises:
            WrongSeatError: the seat is not to act.
            AgentError: the agent is not on offer, or cannot tell.
            StaleMoveError: a newer hint for the seat, or a move, came first.
            LimitError: the client waits for too many hints, or has had too many.
        """
        turn = room.table.turn(seat)
        if turn is None:
            raise WrongSeatError("hints are for the seat to act")
        found: asyncio.Future[Considered] = asyncio.get_running_loop().create_future()
        if (older := room.hints.get(seat)) is not None:
            older.cancel()
        room.hints[seat] = found
        ask = partial(self.roster.consider, name, room.table.config, *room.table.question())
        task = asyncio.create_task(self._consider(found, client, ask))
        self._computing.add(task)
        task.add_done_callback(self._computing.discard)
        try:
            await asyncio.wait([found])
        finally:
            found.cancel()  # whoever asked may have left
            if room.hints.get(seat) is found:
                del room.hints[seat]
        if found.cancelled():
            raise StaleMoveError("another hint or a move came first; look again")
        return as_hint(name, found.result(), turn)

    async def _consider(
        self,
        found: asyncio.Future[Considered],
        client: str,
        ask: Callable[[], concurrent.futures.Future[Considered]],
    ) -> None:
        """Asks an agent what it considers, unless nobody waits for it when its turn comes.

        Once asked, the agent computes to the end, and only then the turn ends.
        """
        try:
            with self._hints.held(client):
                async with self._turns.hint(client):
                    if not found.done():
                        considered = await asyncio.wrap_future(ask())
                        if not found.done():
                            found.set_result(considered)
        except GonzagaError as error:
            if not found.done():
                found.set_exception(error)
        finally:
            found.cancel()

    def _start_agents(self, room: Room) -> None:
        """Lets the agents move until a person is to act, or nobody looks any more."""
        failed = room.problem is not None and self._steady() < room.retry
        if room.table.waiting_for is not None and room.agents is None and not failed:
            room.agents = asyncio.get_running_loop().create_task(self._play_agents(room))

    async def _play_agents(self, room: Room) -> None:
        client = room.client or ""
        try:
            while (name := room.table.waiting_for) and room.is_watched(self._steady()):
                turns = self._turns
                async with (
                    turns.move(client, name) if room.has_people else turns.watched_move(client)
                ):
                    await self._play_agent(room, name)
        except GonzagaError as error:
            room.problem, room.retry = str(error), self._steady() + RETRY_SECONDS
            room.notify()
        finally:
            room.agents = None

    async def _play_agent(self, room: Room, name: str) -> None:
        """Plays one move of the agent to act."""
        table = room.table
        seat, move = table.to_act, table.num_moves
        if seat is None:
            return
        asked = self.roster.act(name, table.config, *table.question())
        action = await asyncio.wrap_future(asked)
        try:
            self.play(room, seat, move, action)
        except ActionError as error:
            raise AgentError(f"agent {name}: {error}") from error

    def count(self) -> int:
        """Returns the number of tables, finished ones included."""
        return self._store.count()

    def sweep(self) -> None:
        """Drops tables unused for long: from memory, and after days from the file."""
        before = self._steady() - MEMORY_SECONDS
        rooms = list(self._rooms.values())
        self._forget([room.id for room in rooms if room.asked < before and not room.busy])
        self._doubtful.read()
        if (time := self._doubtful.agreed()) is not None:
            self._drop(self._store.unused(time - self._keep_days * DAY, MAX_DROPPED))

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
