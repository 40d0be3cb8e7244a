"""What choices score with all that the seat decides then, by trying every way to go on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from gonzaga_env.games import game_spec

Points = tuple[int, ...]  # of each source


@dataclass(frozen=True)
class PointsOfTurn:
    """The question which choice scores most before the seat decides something new.

    Attributes:
        ends: kinds of decisions with which something new begins.
        sources: of the points that count.
    """

    ends: Collection[str]
    sources: Collection[str]

    def explain(self, game: Any, question: str, action: int) -> dict[str, Any]:
        """Returns the points of each source in the best way to go on after a choice."""
        sources = game_spec(game.config.game).sources
        return {"gained": dict(zip(sources, _Ways(self, game).gained(game, action), strict=True))}


#: Most points, green and red, of an action with all that it sets off (T7, T8).
TUSCANY = PointsOfTurn(
    ends={"main", "marble"},
    sources={"zones", "colours", "crops", "storage", "yield_green", "yield_red", "full_storage"},
)
#: Most VP of a die with its action and the helpers of its column (S5 to S8).
SIGNORIE = PointsOfTurn(
    ends={"main", "reward", "pay"},
    sources={"missions", "marriages", "helpers", "assignments"},
)


class _Ways:
    """The best ways to go on from a position."""

    def __init__(self, question: PointsOfTurn, game: Any) -> None:
        spec, self._seat = game_spec(game.config.game), game.seat
        self._kinds = [kind in question.ends for kind in spec.kinds]
        self._counts = [source in question.sources for source in spec.sources]
        self._known: dict[bytes, Points] = {}  # several ways lead to the same position

    def gained(self, at: Any, action: int) -> Points:
        """Returns what an action scores, and all that the seat decides after it."""
        after = at.copy()
        after.play(action)
        scores = (one.position.scores[self._seat] for one in (at, after))
        pairs = zip(self._counts, *scores, strict=True)
        now = tuple((new - old) * counts for counts, old, new in pairs)
        if after.finished or after.seat != self._seat or self._kinds[after.kind]:
            return now
        return tuple(map(sum, zip(now, self._most(after), strict=True)))

    def _most(self, at: Any) -> Points:
        key = at.observation().tobytes()
        if key not in self._known:
            actions = at.mask().nonzero()[0].tolist()
            self._known[key] = max((self.gained(at, action) for action in actions), key=sum)
        return self._known[key]
