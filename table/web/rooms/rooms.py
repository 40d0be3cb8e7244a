"""All tables of a server: opened, kept, played at by people and agents, and dropped."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

from gonzaga_env.kernel.bounded import short
from gonzaga_env.kernel.errors import GameError
from gonzaga_env.kernel.sentences import say
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.view import Viewer

from ...session import GameSession, SeatPlayer, SessionError
from ..analysis.archive import Archive
from ..requests import RequestError, shown
from .agent_moves import AgentMoves
from .frames import Frames
from .hints import Hints
from .room import Room, hash_token, is_hash
from .roster import Roster
from .store import Store, StoreError

MAX_TABLES = 500  # in the file, finished ones too
MAX_ROOMS = 128  # of them in memory; more only while somebody waits or agents move there
UNPLAYED_SECONDS = 3600.0  # since its last use, after which a table without a move makes room
UNUSED_SECONDS = 30 * 86400.0  # after which any table does
NOTE_SECONDS = 600.0  # between notes in the file that somebody looks at a table


class Rooms:
    """All tables of a server; used from one event loop only.

    Attributes:
        editions: the editions of all games on offer, by id.
        roster: the agents on offer.
        agents: those that move.
        hints: what these consider, for people who ask.
        archive: records that were uploaded, and analyses.
        frames: positions and records as they are sent.
        store: where all is kept.
        now: returns the time in seconds.
        steady: a monotonic clock in seconds.
    """

    def __init__(
        self,
        store: Store,
        roster: Roster,
        editions: Mapping[str, Any],
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        """Takes the parts of a server.

        Args:
            store: where tables are kept.
            roster: the agents on offer.
            editions: the editions of all games on offer, by id.
            clock: returns the time in seconds.
            steady: a monotonic clock in seconds.
        """
        self.store, self.roster, self.editions = store, roster, dict(editions)
        self.now, self.steady = clock, steady
        self.archive = Archive(store, clock)
        self.agents, self.hints = AgentMoves(self), Hints(roster)
        self.frames = Frames()
        self._rooms: dict[str, Room] = {}  # the most recently used last

    def edition(self, id: Any) -> Any:  # noqa: A002
        """Returns the edition that a request names.

        Raises:
            RequestError: there is no such edition.
        """
        if not isinstance(id, str) or id not in self.editions:
            raise RequestError(f"edition is {shown(id)}; there are {', '.join(self.editions)}")
        return self.editions[id]

    def edition_of(self, digest: str) -> Any:
        """Returns the edition of a digest.

        Raises:
            RequestError: it is not on offer.
        """
        for edition in self.editions.values():
            if edition.digest == digest:
                return edition
        raise RequestError("its edition is not on offer; start the server with --edition", 404)

    def edition_id(self, edition: Any) -> str:
        """Returns what the server calls an edition on offer."""
        return next(name for name, known in self.editions.items() if known == edition)

    async def create(
        self, config: Config, seats: Sequence[SeatPlayer], table: GameSession | None = None
    ) -> tuple[Room, dict[int, str]]:
        """Opens a table, and returns it with the token of every human seat (errors as `open`)."""
        humans = [i for i, seat in enumerate(seats) if seat.kind == "human"]
        tokens = {i: secrets.token_urlsafe(24) for i in humans}
        hashes = {i: hash_token(token) for i, token in tokens.items()}
        return await self.open(config, seats, hashes, table), tokens

    async def open(
        self,
        config: Config,
        seats: Sequence[SeatPlayer],
        hashes: Mapping[int, str],
        table: GameSession | None = None,
    ) -> Room:
        """Opens a table, and returns it.

        Args:
            config: what is played.
            seats: who plays each seat.
            hashes: those of the tokens of the human seats.
            table: the game of these, if it has begun already; None deals one.

        Raises:
            AgentError: an agent is not on offer, does not play this game, or its process failed.
            RequestError: there are too many tables.
        """
        for name in sorted({seat.agent for seat in seats if seat.agent is not None}):
            await self.roster.ask(name, "prepare", config)
        if table is None:  # the first one on a map builds its tables
            table = await asyncio.to_thread(GameSession, config, seats)
        self._make_room()
        now = self.now()
        room = Room(secrets.token_urlsafe(9), table, hashes, now)
        self.store.add(room.id, room.content(), now)
        self._keep(room)
        self.agents.start(room)
        return room

    def _make_room(self) -> None:
        """Drops a table where there are too many."""
        if self.store.count() < MAX_TABLES:
            return
        now = self.now()
        dropped = self.store.dispensable(now - UNPLAYED_SECONDS, now - UNUSED_SECONDS)
        if dropped is None:
            raise RequestError(
                say(
                    "this server holds {n} tables, its limit; one makes room when its game is "
                    "over, or after a month without use",
                    n=MAX_TABLES,
                ),
                429,
            )
        self.store.drop(dropped)
        self._forget([dropped])

    def get(self, id: str) -> Room:  # noqa: A002
        """Returns a table, read from the file where it is not in memory.

        Raises:
            RequestError: there is none, or its edition is not on offer any more.
            StoreError: what was saved is damaged.
        """
        room = self._load(id)
        self.look_at(room)
        if id not in self._rooms:  # what could not be stored has not happened
            room = self._load(id)
            self._keep(room)
        return room

    def _load(self, id: str) -> Room:  # noqa: A002
        if (room := self._rooms.get(id)) is not None:
            return room
        saved = self.store.load(id)
        if saved is None:
            raise RequestError("there is no such table; unused tables are deleted", 404)
        return self._restore(id, saved)

    def look_at(self, room: Room) -> None:
        """Notes that somebody looks at a table, so that it stays and its agents move."""
        self._keep(room)
        now = self.now()
        with suppress(StoreError):  # a full disk must not prevent reading
            if now - room.used >= NOTE_SECONDS:
                room.used = now
                self.store.note(room.id, now, over=room.session.over)
            self.agents.start(room)

    def _keep(self, room: Room) -> None:
        """Keeps a room in memory, and drops those unused for longest where there are too many."""
        room.asked = self.steady()
        self._rooms.pop(room.id, None)
        self._rooms[room.id] = room
        if len(self._rooms) > MAX_ROOMS:
            idle = (id for id, room in self._rooms.items() if not room.busy)  # noqa: A001
            self._forget(list(islice(idle, len(self._rooms) - MAX_ROOMS)))

    def _forget(self, ids: Sequence[str]) -> None:
        for id in ids:  # noqa: A001
            if (room := self._rooms.pop(id, None)) is not None:
                room.end()

    def _restore(self, id: str, saved: dict[str, Any]) -> Room:  # noqa: A002
        try:
            content = {**saved["table"], "moves": saved["moves"], "pending": saved["pending"]}
            edition = self.edition_of(content["digest"])
            session = GameSession.from_dict(content, edition)
            by_seat = {int(seat): kept for seat, kept in saved["tokens"].items()}
            people = {i for i, seat in enumerate(session.seats) if seat.kind == "human"}
            if by_seat.keys() != people or not all(map(is_hash, by_seat.values())):
                raise ValueError("the tokens are not those of its people")
            if saved["first"] not in (None, session.num_opened):
                raise ValueError("moves are missing")
            if not isinstance(saved["next"], str | None):
                raise ValueError("its rematch has no name")
        except RequestError:
            raise
        except (SessionError, KeyError, TypeError, ValueError, AttributeError) as error:
            why = str(error).removeprefix("the saved table is damaged: ")
            raise StoreError(f"the saved table {id} is damaged: {short(why)}") from error
        room = Room(id, session, by_seat, saved["used"])
        room.next = saved["next"]
        return room

    def play(self, room: Room, seat: int, move: int, action: int) -> None:
        """Plays an action, stores it, and notifies all who wait (errors as `GameSession.play`)."""
        table = room.session
        before, stage = table.num_moves, table.stage
        table.play(seat, move, action)
        with self._stored(room):
            now = self.now()
            self.store.add_moves(
                room.id,
                before,
                table.moves[before:],
                table.pending,
                now,
                over=table.over,
                by_person=table.seats[seat].kind == "human",
            )
            room.used = max(room.used, now)
        room.failures.pop(seat, None)
        room.undo = None  # playing on means not agreeing
        room.notify()
        for asking, hint in room.hints.items():
            if asking == seat or table.stage != stage:  # of a decision that has been made
                hint.cancel()
        self.agents.start(room)

    def save(self, room: Room) -> None:
        """Stores changes of a table other than moves."""
        table = room.session
        with self._stored(room):
            self.store.change(room.id, room.content(), table.num_moves, table.pending)

    @contextmanager
    def _stored(self, room: Room) -> Iterator[None]:
        """Drops a room from memory if it cannot be stored: what is in the file counts."""
        try:
            yield
        except GameError:
            self._forget([room.id])
            raise

    async def wait(self, room: Room, viewer: Viewer, since: int, seconds: float) -> None:
        """Waits until there is a frame `since`, or news of a problem, or the time is up.

        Raises:
            RequestError: too many requests wait at the table.
        """
        if room.session.num_moves < since and seconds > 0:
            with room.attended(viewer):
                await room.wait(seconds)

    def close_waiting(self) -> None:
        """Answers all requests that wait, before the server ends."""
        for room in self._rooms.values():
            room.end()

    def close(self) -> None:
        """Ends the agents and closes the file."""
        for room in self._rooms.values():
            self.agents.stop(room)
        self.roster.close()
        self.store.close()
