"""A puzzle: a position, a question, and what each choice is worth."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

from gonzaga_env.games import game_spec, record_config, record_spec
from gonzaga_env.tabletop.errors import GameError
from gonzaga_env.tabletop.records import Record

SHIPPED = Path(__file__).parent / "puzzles.jsonl"
SEARCHED = "best"  # the question that playouts answer, not the rules

Values = dict[int, float]


class PuzzleError(GameError, ValueError):
    """A puzzle contradicts the rules, or there is no such puzzle."""


@dataclass(frozen=True)
class Puzzle:
    """A position of a game in which one choice is the best."""

    id: str  # names it in addresses
    question: str  # what is asked: `SEARCHED`, "final" or one of a game's own
    level: int  # 1 (easy) to 3
    seat: int  # who is asked
    # the game up to the question: its deal and moves, as records have them
    record: Record = field(default_factory=dict)
    # what each choice is worth, by the action's text; the largest is the answer's
    values: dict[str, float] = field(default_factory=dict)
    explanation: dict[str, Any] = field(default_factory=dict)  # what the answer's value is made of
    # how the answer was checked where the rules alone don't give it
    evidence: dict[str, Any] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        """The best choice."""
        return max(self.values, key=self.values.__getitem__)

    @property
    def margin(self) -> float:
        """How much the best choice is worth more than the next one."""
        best, second = sorted(self.values.values(), reverse=True)[:2]
        return best - second

    def position(self) -> Any:
        """Returns the game at the question.

        Raises:
            PuzzleError: a move has other consequences than the record says.
            GameError: the edition has changed, or a move is illegal.
        """
        spec = record_spec(self.record)
        assert spec.replayed is not None  # every game with puzzles is recorded
        replayed = spec.replayed(self.record, None)
        for move in self.record["moves"]:
            replayed.play(move)
        if replayed.moves != self.record["moves"]:
            raise PuzzleError(f"puzzle {self.id}: its record contradicts the rules")
        game = spec.game.from_config(record_config(self.record))
        game.state = replayed.game.state
        return game

    def as_json(self) -> str:
        """Returns the puzzle as a line of a file."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Self:
        """Returns the puzzle of a line that `as_json` wrote."""
        return cls(**json.loads(line))


def final(game: Any) -> Values | None:
    """Own points at the end after each choice, where every choice ends the game."""
    seat, values = game.seat, {}
    for action in game.mask().nonzero()[0].tolist():
        after = game.copy()
        after.play(action)
        if not after.finished:
            return None
        values[action] = float(after.view(seat).players[seat].score)
    return values


def explain_final(game: Any, action: int) -> dict[str, Any]:
    """Returns the points of all sources at the end, and of the others, after the last move."""
    seat, after = game.seat, game.copy()
    after.play(action)
    players = after.view(seat).players
    before = game.view(seat).players[seat].scores
    gained = [int(new - old) for old, new in zip(before, players[seat].scores, strict=True)]
    spec = game_spec(game.config.game)
    return {"gained": dict(zip(spec.sources, gained, strict=True)), "total": players[seat].score}


def questions(game: str) -> dict[str, Callable[[Any], Values | None]]:
    """Returns the questions of a game that the rules alone answer, by name."""
    room = game_spec(game).part("puzzles")
    return {"final": final} | (room.QUESTIONS if room is not None else {})


def explain(game: Any, question: str, action: int) -> dict[str, Any]:
    """Returns what the value of a choice is made of; nothing where playouts say it."""
    if question == "final":
        return explain_final(game, action)
    room = game_spec(game.config.game).part("puzzles")
    return {} if question == SEARCHED else room.explain(game, question, action)


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Puzzle]:
    """Returns the puzzles that ship, by id, the easier ones first."""
    found = map(Puzzle.from_json, SHIPPED.read_text(encoding="utf-8").splitlines())
    return {puzzle.id: puzzle for puzzle in found}
