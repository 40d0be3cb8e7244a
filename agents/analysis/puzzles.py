"""Puzzles: positions of real games in which one choice is the best."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from gonzaga_env.games import game_spec, record_config, record_spec
from gonzaga_env.tabletop.errors import RecordError
from gonzaga_env.tabletop.records import Record

SEARCHED = "best"
"""The question that playouts answer, not the rules."""
_SHIPPED = Path(__file__).parent / "puzzles.jsonl"


@dataclass(frozen=True)
class Puzzle:
    """A position of a game in which one choice is the best."""

    id: str  # names it in addresses
    question: str  # what is asked: `SEARCHED`, "final" or one of a game's own
    level: int  # 1 (easy) to 3
    seat: int  # who is asked
    record: Record  # the game up to the question: its deal and moves, as records have them
    values: dict[str, float]  # what each choice is worth, by the action's text
    explanation: dict[str, Any] = field(default_factory=dict)  # what the answer's value is made of
    # how the answer was checked where the rules alone don't give it
    evidence: dict[str, Any] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        """The best choice."""
        return max(self.values, key=self.values.__getitem__)

    def position(self) -> Any:
        """Returns the game at the question.

        Raises:
            RecordError: a move has other consequences than the record says.
            GameError: the edition has changed, or a move is illegal.
        """
        spec = record_spec(self.record)
        assert spec.replayed is not None  # every game with puzzles is recorded
        replayed = spec.replayed(self.record, None)
        for move in self.record["moves"]:
            replayed.play(move)
        if replayed.moves != self.record["moves"]:
            raise RecordError(f"puzzle {self.id}: its record contradicts the rules")
        game = spec.game.from_config(record_config(self.record))
        game.state = replayed.game.state
        return game


def explain(game: Any, question: str, action: int) -> dict[str, Any]:
    """Returns what the value of a choice is made of; nothing where playouts say it."""
    if question == SEARCHED:
        return {}
    if question == "final":
        return _explain_final(game, action)
    found: dict[str, Any] = (
        game_spec(game.config.game).part("puzzles").explain(game, question, action)
    )
    return found


def _explain_final(game: Any, action: int) -> dict[str, Any]:
    """Returns the points of all sources that the last move adds, and the total."""
    seat, after = game.seat, game.copy()
    after.play(action)
    player, before = after.view(seat).players[seat], game.view(seat).players[seat].scores
    gained = [int(new - old) for old, new in zip(before, player.scores, strict=True)]
    sources = game_spec(game.config.game).sources
    return {"gained": dict(zip(sources, gained, strict=True)), "total": player.score}


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Puzzle]:
    """Returns the puzzles that ship, by id, the easier ones first."""
    lines = _SHIPPED.read_text(encoding="utf-8").splitlines()
    found = (Puzzle(**json.loads(line)) for line in lines)
    return {puzzle.id: puzzle for puzzle in found}
