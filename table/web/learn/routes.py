"""The routes of learning: puzzles without their answers, and tables that begin with a lesson."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from gonzaga_agents.analysis.puzzles import Puzzle, explain, shipped
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gonzaga_env.games import DEFAULT_GAME, game_spec, record_spec
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import ActionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.view import Viewer

from ...gonzaga.choices import Planning, Turn
from ...session import GameSession, SeatPlayer, agent_seat, human
from ..protocol import RequestError, as_json, integer, json_answer, read_object
from ..room import Room
from ..rooms import Rooms
from ..routes import RoomRoutes
from .first_games import FIRST_GAMES, first_game

OTHERS = "planner"  # plays the other seats where a puzzle is played on
NAMES = ("Anna", "Bruno", "Clara", "Dario")
_VERDICTS = 1024  # in memory

_CHOICES = {"planning": "plans", "placing": "placements", "deciding": "choices"}


class PuzzleSession(GameSession):
    """The table of a puzzle, where only the choices of its question are on offer."""

    puzzle: Puzzle

    @classmethod
    def of(cls, puzzle: Puzzle, edition: EditionBase) -> PuzzleSession:
        """Returns the table of a puzzle, on an edition that the server has."""
        seats = [human(name) for name in NAMES[: puzzle.record["num_players"]]]
        table = cls.from_record(puzzle.record, len(puzzle.record["moves"]), seats, edition)
        table.puzzle = puzzle
        return table

    def turn(self, seat: int) -> Turn | None:
        """Returns the choices of the question."""
        turn: Any = super().turn(seat)
        if turn is None:
            return None
        if isinstance(turn, Planning) and self.puzzle.question == "plan":
            turn = turn.without_spots()  # they would be the answer
        offered, name = self.texts(), _CHOICES[turn.stage]
        choices = (choice for choice in turn.choices if choice.action in offered)
        return replace(turn, **{name: tuple(choices)})

    def texts(self) -> dict[int, str]:
        """Returns the choices of the question by their actions, as the puzzle writes them."""
        return {self.config.actions.parse(text): text for text in self.puzzle.values}


class LearnRoutes(RoomRoutes):
    """The routes of puzzles, and the tables that begin with a lesson.

    A puzzle is a table where every visitor sits in the seat of its question. Nobody moves there,
    so the answers are always the same.
    """

    def __init__(self, rooms: Rooms) -> None:
        super().__init__(rooms, self.table)
        editions = {edition.digest: edition for edition in rooms.editions.values()}
        self._known = {
            puzzle.id: (puzzle, editions[digest])
            for puzzle in shipped().values()
            if (digest := puzzle.record["edition_hash"]) in editions
        }
        self._room = cache(self._open)
        self._verdict = lru_cache(maxsize=_VERDICTS)(self._judge)
        self._game = cache(lambda name: self._known[name][0].position())
        self._turn = asyncio.Lock()
        self.routes = [
            Route("/api/puzzles", self.index),
            Route("/api/puzzles/{id}", self.look),
            Route("/api/puzzles/{id}/answer", self.answer, methods=["POST"]),
            Route("/api/puzzles/{id}/preview", self.preview),
            Route("/api/puzzles/{id}/refusal", self.refusal),
            Route("/api/puzzles/{id}/overview", self.overview),
        ]

    async def index(self, request: Request) -> Response:
        """Lists the puzzles, the easier ones first."""
        return json_answer(
            as_json({"puzzles": [_head(puzzle) for puzzle, _ in self._known.values()]})
        )

    async def look(self, request: Request) -> Response:
        """Shows the position of a puzzle as the seat that is asked may see it."""
        room, seat = self._enter(request)
        position = await self._position(request, room, seat, None)
        head = as_json({"puzzle": _head(self._known[room.id][0])})
        return json_answer(head[:-1].encode() + b"," + bytes(position.body)[1:])

    async def answer(self, request: Request) -> Response:
        """Says what a choice is worth; which is best, if this one is or it is to be revealed."""
        asked = await read_object(request)
        room, action = self._enter(request)[0], integer(asked, "action")
        wanted = asked.get("reveal", False)
        if not isinstance(wanted, bool):
            raise RequestError(f"reveal is {short_repr(wanted)}; it takes true or false")
        async with self._turn:  # a verdict can take some hundredths of a second
            return json_answer(await asyncio.to_thread(self._verdict, room.id, action, wanted))

    async def table(self, request: Request, asked: dict[str, Json]) -> GameSession | None:
        """Returns the table that a request wants to begin with: a first game, or a puzzle's."""
        first, puzzle, name = (asked.get(key) for key in ("first_game", "puzzle", "name"))
        game: Json = DEFAULT_GAME if first is True else first
        begins = first is not None and first is not False
        if begins and not (isinstance(game, str) and game in FIRST_GAMES):
            takes = f"true, false or {', '.join(FIRST_GAMES)}"
            raise RequestError(f"first_game is {short_repr(first)}; it takes {takes}")
        if not begins and puzzle is None:
            return None
        person = self._rooms.roster.person("" if name is None else name)
        if begins:
            usual = game_spec(game).any_config().edition
            return first_game(person.name, game, self._rooms.edition_of(usual.digest))
        return await self._played_on(puzzle, person)

    async def _played_on(self, id: Json, person: SeatPlayer) -> GameSession:  # noqa: A002
        puzzle, edition = self._find(id)
        seats = [agent_seat(OTHERS)] * puzzle.record["num_players"]
        seats[puzzle.seat] = person
        num_moves = len(puzzle.record["moves"])
        return await asyncio.to_thread(
            GameSession.from_record, puzzle.record, num_moves, seats, edition
        )

    def _find(self, id: Json) -> tuple[Puzzle, EditionBase]:  # noqa: A002
        if not isinstance(id, str) or id not in self._known:
            raise RequestError("there is no such puzzle; /learn lists them", 404)
        return self._known[id]

    def _enter(self, request: Request) -> tuple[Room, Viewer]:
        id = request.path_params["id"]  # noqa: A001
        puzzle, _ = self._find(id)
        return self._room(id), puzzle.seat

    def _open(self, id: str) -> Room:  # noqa: A002
        return Room(id, PuzzleSession.of(*self._known[id]), {}, 0.0)

    def _judge(self, id: str, action: int, reveal: bool) -> str:  # noqa: A002
        puzzle, table = self._known[id][0], self._room(id).session
        assert isinstance(table, PuzzleSession)
        texts = table.texts()
        if action not in texts:
            raise ActionError(f"action {action} is not a choice of puzzle {id}")
        game = self._game(id)

        def valued(choice: int) -> dict[str, Json]:
            parts = explain(game, puzzle.question, choice)
            return {"action": choice, "value": puzzle.values[texts[choice]], "parts": parts}

        right = texts[action] == puzzle.answer
        verdict = {"right": right, "chosen": valued(action), "best": None, "evidence": None}
        if right or reveal:
            best = table.config.actions.parse(puzzle.answer)
            verdict |= {"best": valued(best), "evidence": puzzle.evidence}
        return as_json(verdict)


def _head(puzzle: Puzzle) -> dict[str, Json]:
    """Returns a puzzle's entry in the list, which does not reveal the answer."""
    spec = record_spec(puzzle.record)
    return {
        "id": puzzle.id,
        "game": spec.name,
        "title": spec.title,
        "question": puzzle.question,
        "level": puzzle.level,
        "seat": puzzle.seat,
        "num_players": puzzle.record["num_players"],
        "num_choices": len(puzzle.values),
    }
