"""The first game of The Castles of Tuscany: a lesson for the boards, and one a lap."""

from __future__ import annotations

from typing import Any

from .lessons import Aim, FirstGame, Lessons

_SETUP = {"layout": 1, "starting castle": 1, "starting bonus": 2}
_LAPS = {1: 3, 2: 4, 3: 6}


def _number(view: Any) -> int | None:
    """The setup has two lessons, laps 1 to 3 have one each, and a second action has its own."""
    if view.decision in _SETUP:
        return _SETUP[view.decision]
    if view.lap == 2 and (view.second_action or view.decision == "marble"):
        return 5 if view.decision in ("main", "marble") else None
    if view.lap == 4:
        return 7 if view.decision == "main" and not view.second_action else None
    return _LAPS.get(view.lap)


def _takes(text: str, view: Any) -> bool:
    return text.startswith("take ")


def _places(text: str, view: Any) -> bool:
    return text.startswith("tile ")


def _draws(text: str, view: Any) -> bool:
    return text == "draw"


FIRST_GAME = FirstGame(
    seed=12,
    lesson=Lessons(
        _number,
        (
            (Aim("boards", "layout"), Aim("castle", "starting castle")),
            (Aim("bonus", "starting bonus"),),
            (Aim("take", "main", _takes),),
            (Aim("place", "main", _places), Aim("draw", "main", _draws), Aim("pay", "payment")),
            (Aim("marble", "marble", lambda text, view: text == "marble"), Aim("second", "main")),
            (Aim("draw", "main", _draws),),
        ),
    ),
)
