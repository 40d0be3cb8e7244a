"""Puzzles in the browser: positions without their answers, and what a choice is worth."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from gonzaga_agents.puzzles.puzzle import Puzzle, explain, shipped
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gonzaga_env.games import record_spec
from gonzaga_env.render.palette import Theme, theme_of
from gonzaga_env.tabletop.errors import ActionError, GameError

from ...choices import Deciding, Turn
from ...session import GameSession, Seat, human
from ..answers import frame_json, table_json
from ..picture import preview_json
from ..requests import MalformedError, integer, query_number, read_object, shown
from ..rooms.room import Room
from ..rooms.rooms import Rooms
from ..rooms.routes import MAX_ACTION
from ..values import as_json

NAMES = ("Anna", "Bruno", "Clara", "Dario")
_KEPT = 512  # positions and verdicts in memory, the former of up to 100 kB

T = TypeVar("T")


class UnknownPuzzleError(GameError, LookupError):
    """There is no such puzzle."""


class PuzzleSession(GameSession):
    """The table of a puzzle, where only the choices of its question are on offer."""

    puzzle: Puzzle

    @classmethod
    def of(cls, puzzle: Puzzle, edition: Any, seats: list[Seat]) -> PuzzleSession:
        """Returns the table of a puzzle, on an edition that the server has."""
        table = cls.from_record(puzzle.record, len(puzzle.record["moves"]), seats, edition)
        table.puzzle = puzzle
        return table

    def turn(self, seat: int) -> Turn | None:
        """Returns the choices of the question."""
        turn = super().turn(seat)
        return None if turn is None else _limited(turn, self.puzzle.values, self.config.actions)

    @cached_property
    def texts(self) -> dict[int, str]:
        """The choices of the question by their actions, as the puzzle writes them."""
        return {self.config.actions.parse(text): text for text in self.puzzle.values}


def _limited(turn: Any, values: dict[str, float], actions: Any) -> Any:
    """Returns a turn with some of its choices only."""
    offered = {actions.parse(text) for text in values}
    name = {"planning": "plans", "placing": "placements"}.get(turn.stage, "choices")
    chosen = tuple(choice for choice in getattr(turn, name) if choice.action in offered)
    return replace(turn, **{name: chosen})


class Puzzles:
    """The routes of puzzles.

    A position and a verdict are always the same, so both are made once, in a thread, one at a time.
    """

    def __init__(self, rooms: Rooms) -> None:
        """Takes the tables, for the editions on offer."""
        self._rooms, self._turn = rooms, asyncio.Lock()
        self._known = {
            puzzle.id: (puzzle, edition)
            for puzzle in shipped().values()
            if (edition := self._edition(puzzle)) is not None
        }
        self._session = lru_cache(maxsize=len(self._known) or 1)(self._make_session)
        self._position = lru_cache(maxsize=_KEPT)(self._make_position)
        self._verdict = lru_cache(maxsize=_KEPT)(self._make_verdict)
        self.routes = [
            Route("/api/puzzles", self.index),
            Route("/api/puzzles/{id}", self.look),
            Route("/api/puzzles/{id}/answer", self.answer, methods=["POST"]),
            Route("/api/puzzles/{id}/preview", self.preview),
        ]

    def _edition(self, puzzle: Puzzle) -> Any:
        digest = puzzle.record["edition_hash"]
        return next((one for one in self._rooms.editions.values() if one.digest == digest), None)

    async def index(self, request: Request) -> Response:
        """Lists the puzzles, the easier ones first."""
        return _answer(as_json({"puzzles": [_head(puzzle) for puzzle, _ in self._known.values()]}))

    async def look(self, request: Request) -> Response:
        """Shows the position of a puzzle as the seat that is asked may see it."""
        puzzle, theme = self._find(request), theme_of(request.query_params.get("theme", "light"))
        return _answer(await self._alone(lambda: self._position(puzzle.id, theme)))

    async def answer(self, request: Request) -> Response:
        """Says what a choice is worth and, if it is right or the answer is wanted, which is best."""
        asked = await read_object(request)
        puzzle, action = self._find(request), integer(asked, "action")
        wanted = asked.get("reveal", False)
        if not isinstance(wanted, bool):
            raise MalformedError(f"reveal is {shown(wanted)}; it takes true or false")
        return _answer(await self._alone(lambda: self._verdict(puzzle.id, action, wanted)))

    async def preview(self, request: Request) -> Response:
        """Shows what a choice leads to in games that are shown in blocks."""
        puzzle, theme = self._find(request), theme_of(request.query_params.get("theme", "light"))
        action = int(query_number(request, "action", -1, MAX_ACTION))
        return _answer(await self._alone(lambda: self._preview(puzzle, action, theme)))

    async def _alone(self, work: Callable[[], T]) -> T:
        """Does some work in a thread; all else waits for it."""
        async with self._turn:
            return await asyncio.to_thread(work)

    def _find(self, request: Request) -> Puzzle:
        id = request.path_params["id"]  # noqa: A001
        if id not in self._known:
            raise UnknownPuzzleError("there is no such puzzle; /learn lists them")
        return self._known[id][0]

    def open(self, id: Any, name: str, others: str) -> GameSession:  # noqa: A002
        """Returns a table that goes on from a puzzle, with agents in the other seats.

        Args:
            id: the puzzle's.
            name: what the person is called who was asked.
            others: the agents' spec.

        Raises:
            UnknownPuzzleError: there is no such puzzle.
        """
        if not isinstance(id, str) or id not in self._known:
            raise UnknownPuzzleError("there is no such puzzle; /learn lists them")
        puzzle, edition = self._known[id]
        seats = [Seat("agent", others, others)] * puzzle.record["num_players"]
        seats[puzzle.seat] = human(name)
        record = puzzle.record
        return GameSession.from_record(record, len(record["moves"]), seats, edition)

    def _make_session(self, id: str) -> PuzzleSession:  # noqa: A002
        puzzle, edition = self._known[id]
        seats = [human(name) for name in NAMES[: puzzle.record["num_players"]]]
        return PuzzleSession.of(puzzle, edition, seats)

    def _make_position(self, id: str, theme: Theme) -> bytes:  # noqa: A002
        puzzle, edition = self._known[id]
        table = self._session(id)
        frame = frame_json(edition, table.frames(puzzle.seat)[0], theme).encode()
        room, edition_id = Room(id, table, {}, 0.0), self._rooms.id_of(edition)
        answer = table_json(room, edition_id, puzzle.seat, None, [frame])
        asked = as_json({"puzzle": _head(puzzle) | {"seat": puzzle.seat}})
        return asked[:-1].encode() + b"," + answer[1:]

    def _make_verdict(self, id: str, action: int, reveal: bool) -> bytes:  # noqa: A002
        puzzle, table = self._known[id][0], self._session(id)
        if action not in table.texts:
            raise ActionError(f"action {action} is no choice of puzzle {id}")
        right = table.texts[action] == puzzle.answer
        told = {"right": right, "chosen": self._told(table, action), "best": None}
        if right or reveal:
            best = table.config.actions.parse(puzzle.answer)
            told |= {"best": self._told(table, best), "evidence": puzzle.evidence}
        return as_json(told).encode()

    def _told(self, table: PuzzleSession, action: int) -> dict[str, Any]:
        """Returns what a choice is worth, and why."""
        puzzle = table.puzzle
        return {
            "action": action,
            "value": puzzle.values[table.texts[action]],
            "parts": explain(puzzle.position(), puzzle.question, action),
        }

    def _preview(self, puzzle: Puzzle, action: int, theme: Theme) -> str:
        table = self._session(puzzle.id)
        turn = table.turn(puzzle.seat)
        if not isinstance(turn, Deciding):
            raise MalformedError("previews are for games shown in blocks")
        return preview_json(turn, action, table.config.edition, table.view(puzzle.seat), theme)


def _head(puzzle: Puzzle) -> dict[str, Any]:
    """Returns what a list says of a puzzle; nothing in it tells the answer."""
    spec = record_spec(puzzle.record)
    return {
        "id": puzzle.id,
        "game": spec.name,
        "title": spec.title,
        "question": puzzle.question,
        "level": puzzle.level,
        "num_players": puzzle.record["num_players"],
        "num_choices": len(puzzle.values),
    }


def _answer(text: str | bytes) -> Response:
    return Response(text, media_type="application/json")
