"""Puzzles, positions of games in which one choice is best, and what choices of a turn score."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from gonzaga_env.games import game_spec, record_config, record_spec
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import RecordError
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.single import AnyGame

from . import gonzaga_puzzles

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
    values: dict[str, float]  # the value of each choice, by the action's text
    explanation: dict[str, Json] = field(default_factory=dict)  # the parts of the answer's value
    # how the answer was checked where the rules alone don't give it
    evidence: dict[str, Json] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        return max(self.values, key=self.values.__getitem__)

    def position(self) -> AnyGame:
        """Returns the game at the question; RecordError where the record contradicts the rules."""
        spec = record_spec(self.record)
        replayed = spec.records.start(self.record)
        for move in self.record["moves"]:
            replayed.play(move)
        if replayed.moves != self.record["moves"]:
            raise RecordError(f"puzzle {self.id}: its record contradicts the rules")
        game = spec.game.from_config(record_config(self.record))
        game.state = replayed.game.state
        return game


def explain(game: AnyGame, question: str, action: int) -> dict[str, Json]:
    """Returns the parts of the value of a choice; nothing where playouts estimate it."""
    if question == SEARCHED:
        return {}
    if question == "final":
        return _explain_final(game, action)
    return _EXPLAIN[game.config.game](game, question, action)


def _explain_final(game: AnyGame, action: int) -> dict[str, Json]:
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


@dataclass(frozen=True)
class PointsOfTurn:
    """The question which choice scores most before the seat decides something new.

    Attributes:
        ends: kinds of decisions with which something new begins.
        sources: of the points that count.
    """

    ends: Collection[str]
    sources: Collection[str]

    def explain(self, game: AnyGame, question: str, action: int) -> dict[str, Json]:
        """Returns the points of each source in the best continuation after a choice."""
        spec, seat = game_spec(game.config.game), game.seat
        counts = [source in self.sources for source in spec.sources]
        known: dict[bytes, tuple[int, ...]] = {}  # several ways lead to the same position

        def gained(at: AnyGame, action: int) -> tuple[int, ...]:
            """Returns what an action scores, and all that the seat decides after it."""
            after = at.copy()
            after.play(action)
            scores = (one.position.scores[seat] for one in (at, after))
            now = tuple((new - old) * c for c, old, new in zip(counts, *scores, strict=True))
            if after.finished or after.seat != seat or spec.kinds[after.kind] in self.ends:
                return now
            key = after.observation().tobytes()
            if key not in known:
                actions = after.mask().nonzero()[0].tolist()
                known[key] = max((gained(after, action) for action in actions), key=sum)
            return tuple(map(sum, zip(now, known[key], strict=True)))

        return {"gained": dict(zip(spec.sources, gained(game, action), strict=True))}


#: Most points, green and red, of an action with all that it sets off (T7, T8).
_TUSCANY = PointsOfTurn(
    ends={"main", "marble"},
    sources={"zones", "colours", "crops", "storage", "yield_green", "yield_red", "full_storage"},
)
#: Most VP of a die with its action and the helpers of its column (S5 to S8).
_SIGNORIE = PointsOfTurn(
    ends={"main", "reward", "pay"}, sources={"missions", "marriages", "helpers", "assignments"}
)
_EXPLAIN: dict[str, Callable[[Any, str, int], dict[str, Json]]] = {
    "gonzaga": gonzaga_puzzles.explain,
    "tuscany": _TUSCANY.explain,
    "signorie": _SIGNORIE.explain,
}
