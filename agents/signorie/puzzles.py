"""Signorie's puzzles: a question whose answer follows from the rules alone."""

from __future__ import annotations

from ..puzzles.turn import PointsOfTurn

#: Most VP of a die with its action and the helpers of its column (S5 to S8).
_POINTS = PointsOfTurn(
    kind="main",
    ends={"main", "reward", "pay"},
    sources={"missions", "marriages", "helpers", "assignments"},
)

QUESTIONS = {"points": _POINTS}
explain = _POINTS.explain
