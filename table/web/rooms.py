"""All tables of a server: opened, kept, played at by people and agents, changed, and dropped.

What they refuse is raised as a `GameError`, which the guard turns into an answer.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice

from gonzaga_agents.registry import agent_names

from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import ActionError, GameError
from gonzaga_env.kernel.messages import short, short_repr
from gonzaga_env.kernel.sentences import say
from gonzaga_env.kernel.view import Viewer

from ..session import GameSession, SeatPlayer, SessionError, StaleMoveError
from .agents import Hints, Roster
from .positions import FrameCache
from .protocol import RequestError
from .room import AgentFailure, Room, TakeBack, hash_token, is_hash
from .store import Archive, Store, StoreError

MAX_TABLES = 500  # in the file, finished ones too
MAX_ROOMS = 128  # of them in memory; more only while somebody waits or agents move there
UNPLAYED_SECONDS = 3600.0  # since its last use, after which a table without a move makes room
MOVE_SECONDS = 86400.0  # more for each move of a person, so that few moves do not hold a place
UNUSED_SECONDS = 30 * 86400.0  # after which any table does
RETRY_SECONDS = 60.0  # until an agent that has failed is asked again
PAUSE_SECONDS = 0.05  # between moves of a game without people
SUBSTITUTES = "greedy", "random"  # of which the game has one, for an agent that failed twice
NOTE_SECONDS = 600.0  # between notes in the file that somebody looks at a table


class Rooms:
    """All tables of a server; used from one event loop only."""

    def __init__(
        self,
        store: Store,
        roster: Roster,
        editions: Mapping[str, EditionBase],
        wall_clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.roster = store, roster
        self.editions = dict(editions)  # those of all games on offer, by id
        self.wall_clock, self.monotonic = wall_clock, monotonic  # in seconds
        self.archive, self.frame_cache = Archive(store, wall_clock), FrameCache()
        self.agents, self.hints = AgentMoves(self), Hints(roster)
        self._rooms: dict[str, Room] = {}  # the most recently used last

    def edition(self, id: Json) -> EditionBase:  # noqa: A002
        if not isinstance(id, str) or id not in self.editions:
            raise RequestError(f"edition is {short_repr(id)}; known: {', '.join(self.editions)}")
        return self.editions[id]

    def edition_of(self, digest: str) -> EditionBase:
        for edition in self.editions.values():
            if edition.digest == digest:
                return edition
        raise RequestError("its edition is not on offer; start the server with --edition", 404)

    def edition_id(self, edition: EditionBase) -> str:
        """Returns what the server calls an edition on offer."""
        return next(name for name, known in self.editions.items() if known == edition)

    async def create(self, table: GameSession) -> tuple[Room, dict[int, str]]:
        """Opens a table, and returns it with the token of every human seat."""
        humans = [i for i, seat in enumerate(table.seats) if seat.kind == "human"]
        tokens = {i: secrets.token_urlsafe(24) for i in humans}
        return await self.open(table, {i: hash_token(token) for i, token in tokens.items()}), tokens

    async def open(self, table: GameSession, hashes: Mapping[int, str]) -> Room:
        """Opens a table; `hashes` are of the human seats' tokens."""
        for name in sorted({seat.agent for seat in table.seats if seat.agent is not None}):
            await self.roster.ask(name, "prepare", table.config)
        self._make_room()
        now = self.wall_clock()
        room = Room(secrets.token_urlsafe(9), table, hashes, now)
        self.store.add(room.id, room.content(), now)
        self._keep(room)
        self.agents.start(room)
        return room

    def _make_room(self) -> None:
        if self.store.count() < MAX_TABLES:
            return
        held = UNPLAYED_SECONDS, MOVE_SECONDS, UNUSED_SECONDS
        dropped = self.store.dispensable(self.wall_clock(), *held)
        if dropped is None:
            raise RequestError(
                say(
                    "this server holds {n} tables, its limit; one makes room when its game is "
                    "over, or if it is not used",
                    n=MAX_TABLES,
                ),
                429,
            )
        self.store.drop(dropped)
        self._forget([dropped])

    def get(self, id: str) -> Room:  # noqa: A002
        """Returns a table, read from the file where it is not in memory."""
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
        now = self.wall_clock()
        with suppress(StoreError):  # a full disk must not prevent reading
            if now - room.last_used >= NOTE_SECONDS:
                room.last_used = now
                self.store.note(room.id, now, over=room.session.over)
            self.agents.start(room)

    def _keep(self, room: Room) -> None:
        """Keeps a room in memory, and drops those unused for longest where there are too many."""
        room.last_request = self.monotonic()
        self._rooms.pop(room.id, None)
        self._rooms[room.id] = room
        if len(self._rooms) > MAX_ROOMS:
            idle = (id for id, room in self._rooms.items() if not room.busy)  # noqa: A001
            self._forget(list(islice(idle, len(self._rooms) - MAX_ROOMS)))

    def _forget(self, ids: Sequence[str]) -> None:
        for id in ids:  # noqa: A001
            if (room := self._rooms.pop(id, None)) is not None:
                room.end()

    def _restore(self, id: str, saved: dict[str, Json]) -> Room:  # noqa: A002
        try:
            content = {**saved["table"], "moves": saved["moves"], "pending": saved["pending"]}
            edition = self.edition_of(content["digest"])
            session = GameSession.from_dict(content, edition)
            by_seat = {int(seat): kept for seat, kept in saved["tokens"].items()}
            people = {i for i, seat in enumerate(session.seats) if seat.kind == "human"}
            if by_seat.keys() != people or not all(map(is_hash, by_seat.values())):
                raise ValueError("the tokens are not those of its people")
            if saved["first"] not in (None, session.num_recorded):
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
            now = self.wall_clock()
            self.store.add_moves(
                room.id,
                before,
                table.moves[before:],
                table.pending,
                now,
                over=table.over,
                by_person=table.seats[seat].kind == "human",
            )
            room.last_used = max(room.last_used, now)
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
        """Waits until there is a frame `since`, or news of a problem, or the time is up."""
        if room.session.num_moves < since and seconds > 0:
            with room.attended(viewer):
                await room.wait(seconds)

    def close_waiting(self) -> None:
        """Answers all requests that wait, before the server ends."""
        for room in self._rooms.values():
            room.end()

    def close(self) -> None:
        for room in self._rooms.values():
            self.agents.stop(room)
        self.roster.close()
        self.store.close()


class Changes:
    """Changes of tables; used from one event loop only."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    def rename(self, room: Room, seat: int, name: str) -> None:
        before = room.session.revision
        room.session.rename(seat, self._rooms.roster.person(name).name)
        if room.session.revision != before:
            self._rooms.save(room)
            room.rewrite()

    def take_back(
        self, room: Room, seat: int, move: int, answer: str, *, knowing: bool = False
    ) -> None:
        """Asks to take the last own decision back, or answers somebody who asks.

        All other people have to agree. Without others, if the decision is still sealed, or within
        the own turn as long as nothing hidden has been shown, it is done at once, unless it would
        take back what another person has done. The one who asked withdraws by refusing.
        One who is alone and `knowing` takes back although hidden things have been shown.
        """
        if room.session.over:
            raise SessionError("the game is over")
        if move != room.session.num_moves:
            raise StaleMoveError(
                say("{n} moves have been made; look again", n=room.session.num_moves)
            )
        if answer == "ask":
            self._ask(room, seat, knowing)
        else:
            self._answer(room, seat, agrees=answer == "agree")

    def _ask(self, room: Room, seat: int, knowing: bool) -> None:
        if room.undo is not None:
            raise SessionError(
                say("seat {n} asks already", n=room.undo.seat, place=room.undo.seat + 1)
            )
        to, sealed = room.session.back_to(seat), seat in room.session.sealed
        reveals = not sealed and room.session.reveals(seat)
        others = tuple(other for other in room.people if other != seat)
        alone = sealed or (room.session.has_begun_turn(seat) and not reveals)
        if others and not (
            alone and _seats_that_lose(room.session, to, sealed=sealed).isdisjoint(others)
        ):
            room.undo = TakeBack(seat, to, reveals, others)
            self._rooms.agents.stop(room)
            room.notify()
            return
        if reveals and not knowing:
            raise RequestError("hidden cards have been shown since", 409)
        self._do(room, seat)

    def _answer(self, room: Room, seat: int, *, agrees: bool) -> None:
        undo = room.undo
        if undo is None or seat not in (undo.seat, *undo.asked):
            raise SessionError("nobody waits for this answer")
        if agrees and seat == undo.seat:
            raise SessionError("the others have to agree")
        asked = tuple(other for other in undo.asked if other != seat)
        room.undo = TakeBack(undo.seat, undo.to, undo.reveals, asked) if agrees else None
        if agrees and not asked:
            self._do(room, undo.seat)
        else:
            room.notify()
            self._rooms.agents.start(room)

    def _do(self, room: Room, seat: int) -> None:
        room.undo = None
        self._rooms.agents.stop(room)
        room.session.take_back(seat)
        room.failures.clear()
        for hint in room.hints.values():
            hint.cancel()
        self._rooms.save(room)
        room.rewrite()
        self._rooms.agents.start(room)

    async def rematch(self, room: Room) -> None:
        """Opens another table with the same people and agents, each a seat further on.

        Tokens stay the same. Later requests get the table of the first one.
        """
        if not room.session.over:
            raise SessionError("the game is not over")
        async with room.lock:
            if room.next is not None:
                return
            table = room.session
            num_seats = len(table.seats)
            order = [(seat - 1) % num_seats for seat in range(num_seats)]  # the first goes last
            seats = [
                SeatPlayer("human", table.seats[old].name)
                if old in room.token_hashes
                else table.seats[old]
                for old in map(order.index, range(len(order)))
            ]
            hashes = {order[seat]: kept for seat, kept in room.token_hashes.items()}
            dealt = await asyncio.to_thread(GameSession, table.config, seats)
            opened = await self._rooms.open(dealt, hashes)
            room.next = opened.id
            self._rooms.save(room)
            room.notify()


def _seats_that_lose(table: GameSession, to: int, *, sealed: bool) -> set[int]:
    """Returns the seats whose decisions a take-back loses; those sealed with the own one stay."""
    if sealed:
        return {mover for mover, _ in table.moves[to : table.stage]}
    return {*(mover for mover, _ in table.moves[to:]), *table.pending}


class AgentMoves:
    """Lets agents move; used from one event loop only.

    An agent decides as soon as its seat may act. Where decisions are sealed, that is while people
    still think: what its seat knows does not depend on theirs. An agent that fails is asked again
    after a minute; if it fails again, another one takes its seat, so that the game continues.
    """

    def __init__(self, rooms: Rooms) -> None:
        self._rooms, self._show = rooms, asyncio.Lock()

    def start(self, room: Room) -> None:
        """Lets a table's agents move until it is people's turn, or nobody watches any more."""
        if room.agents is None and self._next(room) is not None:
            room.agents = asyncio.get_running_loop().create_task(self._run(room))

    def stop(self, room: Room) -> None:
        if room.agents is not None:
            room.agents.cancel()
        room.agents = None

    async def replace(self, room: Room, seat: int, name: str) -> None:
        """Lets an agent play for one that has failed; the same one is asked again."""
        if seat not in room.failures:
            raise SessionError(say("the agent of seat {n} has not failed", n=seat, place=seat + 1))
        if name != room.session.seats[seat].agent:
            self._rooms.roster.check(name)
            await self._rooms.roster.ask(name, "prepare", room.session.config)
            room.session.replace_agent(seat, name)
            self._rooms.save(room)
            room.rewrite()
        room.failures.pop(seat, None)
        room.notify()
        self.start(room)

    def _next(self, room: Room) -> int | None:
        """Returns a seat whose agent may move now; none if nobody watches, or people negotiate."""
        now, table = self._rooms.monotonic(), room.session
        if room.ended or room.undo is not None or not room.is_watched(now):
            return None
        agents = (seat for seat in table.deciding if table.seats[seat].agent is not None)
        return next((seat for seat in agents if not room.has_failed(seat, now)), None)

    async def _run(self, room: Room) -> None:
        try:
            while (seat := self._next(room)) is not None:
                name = str(room.session.seats[seat].agent)
                try:
                    if room.token_hashes:
                        await self._move(room, seat, name)
                    else:  # games without people take turns
                        async with self._show:
                            await self._move(room, seat, name)
                            await asyncio.sleep(PAUSE_SECONDS)
                except StoreError:  # the room has been dropped: what is in the file counts
                    return
                except GameError as error:
                    await self._fail(room, seat, error)
        finally:
            if room.agents is asyncio.current_task():
                room.agents = None

    async def _move(self, room: Room, seat: int, name: str) -> None:
        table = room.session
        move = table.num_moves
        action = await self._rooms.roster.ask(name, "act", table.config, *table.question(seat))
        if room.ended:
            return
        try:
            self._rooms.play(room, seat, move, action)
        except ActionError as error:
            raise AgentError(say("agent {x}: {why}", x=name, why=str(error))) from error

    async def _fail(self, room: Room, seat: int, error: GameError) -> None:
        """Notes that an agent has failed; at the second time, another one takes its seat."""
        times = room.failures[seat].times + 1 if seat in room.failures else 1
        retry = self._rooms.monotonic() + RETRY_SECONDS
        room.failures[seat] = AgentFailure(str(error), retry, times)
        own = agent_names(room.session.config.game)
        substitute = next(name for name in SUBSTITUTES if name in own)
        if times > 1 and room.session.seats[seat].agent != substitute:
            with suppress(GameError):  # the first failure is the one to report
                await self.replace(room, seat, substitute)
        room.notify()
