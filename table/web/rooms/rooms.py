"""All tables of a server: opened, kept, played at by people and agents, and dropped."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from math import inf
from typing import Any

from gonzaga_env.tabletop.errors import GameError
from gonzaga_env.tabletop.records.log import Viewer
from gonzaga_env.tabletop.spec import Config

from ...session import GameSession, SavedSessionError, SeatPlayer
from ..analysis.archive import Archive
from ..clients.limits import LimitError, Share
from ..ladder.results import RatedError, RatedPerson, Results, places_at
from ..people.chat import Chat
from ..people.pace import AWAY_SECONDS, Pace
from ..people.stand_ins import StandIns
from .agent_moves import AgentMoves
from .agent_queue import AgentQueue
from .clock import DAY, HOUR, DoubtfulClock
from .editions import Editions, memory_of
from .frames import Frames
from .hint_queue import HintQueue
from .room import Room, hash_token
from .roster import Roster
from .store import Store, StoreError, TooManyError

CLIENT_WAITS = 128  # requests of a client that wait at its seats, and as many that watch
MAX_ROOMS = 128  # tables in memory; more only while somebody waits or agents move there
MAP_BYTES = 256 << 20  # of memory for the maps of all tables in memory
CLIENT_SHARE = 5  # a client may open one of so many tables,
MIN_SHARE = 10  # or these few
MEMORY_SECONDS = HOUR  # tables unused for so long are read from the file again when needed
MAX_DROPPED = 100  # tables in one sweep: each takes a tenth of a millisecond
NOTE_SECONDS = HOUR  # between notes in the file that somebody looks at a table
PERSON_DAYS = 365  # that ratings are kept after a person's last rated game
UNPLAYED_SECONDS = 2 * NOTE_SECONDS  # since the last note: no request for an hour


class UnknownTableError(GameError, LookupError):
    """There is no such table."""


class Rooms:
    """All tables of a server; used from one event loop only.

    Attributes:
        editions: the editions of all games on offer, by id.
        roster: the agents on offer.
        agents: those that move.
        hints: what these consider, for people who ask.
        archive: records that were uploaded, and analyses.
        results: the rated games of people.
        frames: positions and records as they are sent.
        stand_ins: the clocks, and agents that play for people.
        chat: what people say to each other.
        store: where all is kept.
        now: returns the time in seconds.
        steady: a monotonic clock in seconds.
    """

    def __init__(
        self,
        store: Store,
        roster: Roster,
        editions: Mapping[str, Any],
        max_tables: int,
        keep_days: float,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        """Takes the parts of a server.

        Args:
            store: where tables are kept.
            roster: the agents on offer.
            editions: the editions of all games on offer, by id.
            max_tables: most tables, finished ones included.
            keep_days: unused tables are dropped after so many days.
            clock: returns the time in seconds.
            steady: a monotonic clock in seconds.
        """
        self.editions, self.roster = Editions(editions, store), roster
        self.store, self.now, self.steady = store, clock, steady
        self._doubtful = DoubtfulClock(clock, steady)
        self._max_tables, self._keep_days = max_tables, keep_days
        self._share = max(MIN_SHARE, max_tables // CLIENT_SHARE)
        self._waits = {
            "public": Share(inf, CLIENT_WAITS, "requests that watch tables"),
            "seat": Share(inf, CLIENT_WAITS, "requests that wait for seats"),
        }
        self.archive = Archive(store, clock, self._doubtful.agreed)
        self._turns = AgentQueue()
        self.agents = AgentMoves(self, self._turns, steady)
        self.hints = HintQueue(roster, self._turns)
        self.results, self.frames = Results(store), Frames()
        self.stand_ins, self.chat = StandIns(self), Chat(store, steady)
        self._rooms: dict[str, Room] = {}  # the most recently used last

    async def create(
        self,
        config: Config,
        seats: Sequence[SeatPlayer],
        client: str,
        rated: RatedPerson | None = None,
        table: GameSession | None = None,
        pace: Pace | None = None,
        away: float = AWAY_SECONDS,
    ) -> tuple[Room, dict[int, str]]:
        """Opens a table, and returns it with the token of every human seat (errors as `open`)."""
        humans = [i for i, seat in enumerate(seats) if seat.kind == "human"]
        tokens = {i: secrets.token_urlsafe(24) for i in humans}
        hashes = {i: hash_token(token) for i, token in tokens.items()}
        people = None if rated is None else dict.fromkeys(humans, rated)
        return await self.open(config, seats, hashes, client, people, table, pace, away), tokens

    async def open(
        self,
        config: Config,
        seats: Sequence[SeatPlayer],
        hashes: Mapping[int, str],
        client: str,
        rated: Mapping[int, RatedPerson] | None = None,
        table: GameSession | None = None,
        pace: Pace | None = None,
        away: float = AWAY_SECONDS,
    ) -> Room:
        """Opens a table, and returns it.

        Args:
            config: what is played.
            seats: who plays each seat.
            hashes: those of the tokens of the human seats.
            client: who opens it.
            rated: the person of each human seat whose ratings the game is for; None for none.
            table: the game of these, if it has begun already; None deals one.
            pace: how long people may think; None for as long as they like.
            away: seconds after which somebody who does nothing counts as away.

        Raises:
            RatedError: one of these people cannot begin a rated game now.
            AgentError: an agent is not on offer, or does not play this game.
            WorkerError: an agent's process failed.
            TooManyError: there are too many tables, in all or of this client.
            LimitError: too many large maps are played on now.
        """
        self._check_people(rated or {})
        self._drop_unused()
        self.check_share(client)
        self._check_memory(config.edition)
        for name in sorted(
            {seat.agent for seat in seats if seat.agent is not None}
            | ({pace.agent} if pace else set[str]())
        ):
            async with self._turns.move(client, name):
                await asyncio.wrap_future(self.roster.ask(name, "prepare", config))
        await self.editions.prepare(config.edition)
        self._drop(self.check_share(client))
        now = self.now()
        table = GameSession(config, seats) if table is None else table
        room = Room(secrets.token_urlsafe(9), table, hashes, now)
        room.client, room.rated = client, rated is not None
        with self.store.transaction():
            self.store.add(room.id, room.content(), client, now)
            self.stand_ins.begin(room, pace, away)
            if rated is not None:
                self._check_people(rated)  # another request may have been faster
                agents = [seat.agent for seat in seats]
                self.results.begin(rated, room.id, config, agents, now)
        self._keep(room)
        self.agents.start(room)
        return room

    def _check_people(self, people: Mapping[int, RatedPerson]) -> None:
        for person in people.values():
            if len(people) > 1 and self.results.under_way(person):  # where is not told to others
                raise RatedError("somebody here has begun another rated game; try again")
            self.results.check(person)

    def check_share(self, client: str) -> list[str]:
        """Returns the tables that have to make room for a new one of a client, mostly none.

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
            excess = self.store.count(who) - len(found) - limit + 1
            if excess > 0:
                more = self.store.dispensable(excess, now - UNPLAYED_SECONDS, now - DAY, who, found)
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
            SavedSessionError: what was saved is damaged.
            LimitError: too many large maps are played on now.
        """
        room = self._load(id)
        room.client = room.client or client
        self.look_at(room)
        if id not in self._rooms:  # what could not be stored has not happened
            room = self._load(id)
            room.client = client
            self._keep(room)
        return room

    def _load(self, id: str) -> Room:  # noqa: A002
        if (room := self._rooms.get(id)) is not None:
            return room
        saved = self.store.load(id)
        if saved is None:
            raise UnknownTableError("there is no such table; unused tables are deleted")
        return self._restore(id, saved)

    def look_at(self, room: Room) -> None:
        """Notes that somebody looks at a table, so that it stays and its agents move."""
        self._keep(room)
        self._note(room)
        with suppress(StoreError):  # a full disk must not prevent reading
            self.stand_ins.check(room)
            self.agents.start(room)

    def _keep(self, room: Room) -> None:
        """Keeps a room in memory, and drops those unused for longest where there are too many.

        There are too many also where their maps take too much memory.
        """
        room.asked = self.steady()
        is_new = self._rooms.pop(room.id, None) is None
        self._rooms[room.id] = room
        if is_new:
            self._forget(self._crowded())
        if len(self._rooms) > MAX_ROOMS:
            idle = (id for id, room in self._rooms.items() if not room.busy)  # noqa: A001
            self._forget(list(islice(idle, len(self._rooms) - MAX_ROOMS)))

    def _crowded(self) -> list[str]:
        """Returns the idle tables whose maps are beyond what there is memory for."""
        newest, *others = reversed(self._rooms.values())
        found, known, total = list[str](), set[str](), 0
        for room in (newest, *sorted(others, key=lambda room: not room.busy)):  # then by last use
            edition = room.session.config.edition
            if edition.digest in known:
                continue
            size = memory_of(edition)
            if total + size > MAP_BYTES and not room.busy and room is not newest:
                found.append(room.id)
            else:
                known.add(edition.digest)
                total += size
        return found

    def _check_memory(self, edition: Any) -> None:
        """Checks that there is memory for a map; there always is for the editions on offer.

        Raises:
            LimitError: somebody waits at tables on too many others.
        """
        if edition in self.editions.values():
            return
        editions = (room.session.config.edition for room in self._rooms.values() if room.busy)
        busy = {one.digest: memory_of(one) for one in (*editions, edition)}
        if len(busy) > 1 and sum(busy.values()) > MAP_BYTES:
            raise LimitError("too many large maps are played on now; try again soon")

    def _drop(self, ids: Sequence[str]) -> None:
        """Deletes tables."""
        if ids:
            self.store.drop(ids)
            self._forget(ids)

    def _forget(self, ids: Sequence[str]) -> None:
        for id in ids:  # noqa: A001
            if (room := self._rooms.pop(id, None)) is not None:
                room.end()

    def _note(self, room: Room) -> None:
        """Notes in the file that a table is used, at most once an hour."""
        now = self.now()
        if now - room.used >= NOTE_SECONDS:
            room.used = now
            with suppress(StoreError):  # a full disk must not prevent reading
                self.store.note(room.id, now, over=room.session.over)

    def _restore(self, id: str, saved: dict[str, Any]) -> Room:  # noqa: A002
        try:
            content, hashes = saved["table"], saved["tokens"]
            content |= {"moves": saved["moves"], "pending": saved["pending"]}
            digest = content["digest"]
            by_seat = {int(seat): str(kept) for seat, kept in hashes.items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise SavedSessionError(f"the saved table is damaged: {error!r}") from error
        edition = self.editions.of_digest(digest)
        if edition is None:
            raise UnknownTableError(
                f"the table's edition {content.get('edition')!r} is not on offer; start the server "
                "with --edition"
            )
        self._check_memory(edition)
        room = Room(id, GameSession.from_dict(content, edition), by_seat, saved["used"])
        room.next = saved.get("next")
        room.rated = self.results.is_open(id)
        self.stand_ins.restore(room)
        self.chat.restore(room)
        return room

    def keep_edition(self, model: dict[str, Any], client: str, name: str | None = None) -> str:
        """Keeps a map, and returns its id (arguments and errors as of `Editions.keep`)."""
        return self.editions.keep(model, client, self.now(), name)

    def play(self, room: Room, seat: int, move: int, action: int) -> None:
        """Plays an action, stores it, and notifies all who wait (errors as `GameSession.play`)."""
        table = room.session
        before, stage = table.num_moves, table.stage
        table.play(seat, move, action)
        with self._stored(room), self.store.transaction():
            moves, over, now = table.moves[before:], table.over, self.now()
            by_person = table.seats[seat].kind == "human"
            self.store.add_moves(
                room.id, before, moves, table.pending, now, over=over, by_person=by_person
            )
            if over and room.rated:
                self.results.finish(room.id, places_at(table), now)
            revision = table.revision
            self.stand_ins.follow(room, seat)
            if table.revision != revision:
                self.save(room)
            room.used = max(room.used, now)
        room.failures.pop(seat, None)
        room.undo = None  # playing on means not agreeing
        if table.revision != revision:
            room.rewrite()
        else:
            room.notify()
        for asking, hint in room.hints.items():
            if asking == seat or table.stage != stage:  # of a decision that has been made
                hint.cancel()
        self.agents.start(room)

    def resign(self, room: Room, seat: int) -> None:
        """Counts a rated game as lost for a seat; it continues without a rating.

        It does not count if an agent has failed.

        Raises:
            RatedError: the game is not rated, or over.
        """
        if not room.rated or room.session.over:
            raise RatedError("there is no rated game to resign")
        if room.failures:
            self.void(room, "failed")
        else:
            self.give_up(room, seat, "resigned")

    def give_up(self, room: Room, seat: int, outcome: str) -> None:
        """Counts a rated game as lost for a seat that resigns or is late."""
        self.results.give_up(room.id, seat, outcome, self.now())
        self._unrate(room)

    def void(self, room: Room, why: str) -> None:
        """Marks a rated game as one that does not count, and why (see `Results`)."""
        self.results.void(room.id, why, self.now())
        self._unrate(room)

    def check_address(self, room: Room, seat: int, client: str) -> None:
        """Voids a rated game of people where two seats are played from one address."""
        if room.rated and not self.results.moves_alone(room.id, seat, self.store.digest(client)):
            self.void(room, "address")

    def _unrate(self, room: Room) -> None:
        room.rated = False
        room.notify()

    def forget(self, person: str) -> int:
        """Deletes a person with all rated games, which go on without a rating.

        For the others, the person resigns.

        Returns:
            The number of games.
        """
        with self.store.transaction():
            going = [one for one in self.results.of(person) if one.outcome is None]
            for result in going:
                self.results.give_up(result.table, result.seat, "resigned", self.now())
            number = self.results.forget(person)
        for result in going:
            if (room := self._rooms.get(result.table)) is not None:
                self._unrate(room)
        return number

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

    @contextmanager
    def attended(self, room: Room, viewer: Viewer, client: str) -> Iterator[None]:
        """Counts a request that waits for news of a table.

        Raises:
            LimitError: too many requests wait at the table or of this client.
        """
        share = self._waits["public" if viewer == "public" else "seat"]
        with share.held(client), room.attended(viewer):
            yield

    async def wait(
        self, room: Room, viewer: Viewer, client: str, since: int, seconds: float
    ) -> None:
        """Waits until there is a frame `since`, or news of a problem, or the time is up.

        Raises:
            LimitError: too many requests wait at the table or of this client.
        """
        if room.session.num_moves < since and seconds > 0:
            with self.attended(room, viewer, client):
                await room.wait(seconds)

    def count(self) -> int:
        """Returns the number of tables, finished ones included."""
        return self.store.count()

    def sweep(self) -> None:
        """Drops tables unused for long: from memory, and after days from the file.

        Tables where pages are open stay, but where nobody has moved since the last sweep, only with
        what cannot be made again.
        """
        for room in self._rooms.values():
            if room.num_swept == room.session.num_moves and room.agents is None:
                room.session.forget()
            room.num_swept = room.session.num_moves
        self._drop_unused()

    def _drop_unused(self) -> None:
        before = self.steady() - MEMORY_SECONDS
        rooms = list(self._rooms.values())
        self._forget([room.id for room in rooms if room.asked < before and not room.busy])
        self._doubtful.read()
        if (time := self._doubtful.agreed()) is not None:
            before = time - self._keep_days * DAY
            self._drop(self.store.unused(before, MAX_DROPPED))
            self.archive.drop_unused(before)
            self.results.sweep(time - PERSON_DAYS * DAY)
            self.editions.sweep(time)

    def close_waiting(self) -> None:
        """Answers all requests that wait, before the server ends."""
        for room in self._rooms.values():
            room.end()

    def close(self) -> None:
        """Ends the agents and closes the file."""
        for room in self._rooms.values():
            if room.agents is not None:
                room.agents.cancel()
        self.roster.close()
        self.store.close()
