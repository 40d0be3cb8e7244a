"""The Castles of Tuscany's puzzles: a question whose answer follows from the rules alone."""

from __future__ import annotations

from ..puzzles.turn import PointsOfTurn

#: Most points, green and red, of an action with all that it sets off (T7, T8).
_POINTS = PointsOfTurn(
    kind="main",
    ends={"main", "marble"},
    sources={"zones", "colours", "crops", "storage", "yield_green", "yield_red", "full_storage"},
)

QUESTIONS = {"points": _POINTS}
explain = _POINTS.explain
