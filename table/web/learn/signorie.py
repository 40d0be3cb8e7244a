"""The first game of Signorie: four lessons in the first round, then one a round."""

from __future__ import annotations

from typing import Any

from .lessons import SEAT, Aim, FirstGame, Lessons

THRESHOLD = 13  # dice of this sum or less bring a reward (S11.3)
_REWARDS = ("reward", "wed")


def _number(view: Any) -> int | None:
    """Each die of the first round has a lesson, the last one with the reward; then each round."""
    taken = sum(value > 0 for value in view.players[SEAT].dice)
    first = taken + (view.decision == "main")  # the die that is decided about, from 1
    if view.round == 1:
        return 4 if view.decision in _REWARDS else min(first, 4)
    if first > 1 or view.decision in _REWARDS:
        return None
    return {2: 5, 3: 6, 4: 7 if view.decision == "main" else None}.get(view.round)


def _does(what: str) -> Any:
    """Returns whether a text is a die with some action, such as "grey 4 signoria"."""
    return lambda text, view: what in text.split()


def _signoria(colour: str) -> Any:
    return lambda text, view: text.startswith(f"{colour} ") and text.endswith(" signoria")


def _advances(text: str, view: Any) -> bool:
    return text.startswith(("enter ", "advance "))


def _low(text: str, view: Any) -> bool:
    """Returns whether the dice stay within the threshold with this one, or with none."""
    die = int(text.split()[1]) if text != "pass" else 0
    return sum(view.players[SEAT].dice) + die <= THRESHOLD


FIRST_GAME = FirstGame(
    seed=3,
    lesson=Lessons(
        _number,
        (
            (Aim("tracks", "main", _signoria("grey")), Aim("advance", "track", _advances)),
            (Aim("hire", "main", _does("hire")),),
            (Aim("assign", "main", _does("assign")), Aim("spend", "spend")),
            (Aim("low", "main", _low), Aim("reward", "reward"), Aim("wed", "wed")),
            (Aim("marriage", "main", _signoria("red")), Aim("dowry", "marriage")),
            (Aim("mission", "main", _signoria("turquoise")), Aim("city", "mission")),
        ),
    ),
)
