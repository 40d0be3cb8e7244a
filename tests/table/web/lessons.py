"""Plays first games as their lessons say, and says what each of them has to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from gonzaga_agents.registry import make_agent
from gonzaga_table.web.learn.first_games import FIRST_GAMES, SEAT, lesson_of

TAUGHT = [
    *("plan", "place", "locked", "cities", "league", "leagueNow"),
    *("alliance", "wedding", "privilege", "turn", "objective", "group"),
]
#: What the newer games teach, each lesson with its number.
TAUGHT_BY_NUMBER = {
    "tuscany": {
        1: {"boards", "castle"},
        2: {"bonus"},
        3: {"take"},
        4: {"place"},  # which here has one price
        5: {"marble", "second"},
        6: {"draw"},
        7: {"onYourOwn"},
    },
    "signorie": {
        1: {"tracks", "advance"},
        2: {"hire"},
        3: {"assign"},
        4: {"low", "reward", "wed"},
        5: {"marriage", "dowry"},
        6: {"mission", "city"},
        7: {"onYourOwn"},
    },
}


def follow(table: Any, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Plays a first game as the lessons say, and yields each lesson with what came of it."""
    game = table.config.game
    teacher = make_agent(FIRST_GAMES[game].opponent, table.config)
    planner = make_agent("planner", table.config)
    while not table.over:
        if table.to_act != SEAT:
            table.step_agent(teacher, rng)
            continue
        lesson = lesson_of(table, SEAT)
        before = table.view(SEAT)
        if game != "gonzaga" and not (lesson and lesson["good"]):
            table.step_agent(planner, rng)
        elif game != "gonzaga":
            table.play(SEAT, table.num_moves, lesson["action"])
        else:
            good = (lesson or {}).get("good") or [most_points(table.turn(SEAT).choices)]
            table.play(SEAT, table.num_moves, int(rng.choice(good)))
        if lesson is not None:
            yield lesson | {"before": before, "after": table.view(SEAT)}


def most_points(choices: Any) -> int:
    """Returns the plan or placement that scores most now: what a learner does when on its own."""
    return int(max(choices, key=points_of).action)


def points_of(choice: Any) -> int:
    """Returns the points of a placement, or the most that a plan allows."""
    return getattr(choice, "points", getattr(choice, "best", None)) or 0


def would_be_second(view: Any) -> bool:
    """Returns whether the learner goes first only by King's Privilege (R3.5)."""
    own, other = (view.players[seat] for seat in (SEAT, 1 - SEAT))
    return (other.plan.action, other.card) < (own.plan.action, own.card)


def grows(lesson: dict[str, Any]) -> bool:
    """Returns whether the learner's largest group has grown."""
    before, after = (lesson[when].players[SEAT].largest_group for when in ("before", "after"))
    return bool(after > before)


#: What a lesson must show, apart from its place among the others.
SHOWN: dict[str, Callable[[dict[str, Any]], bool]] = {
    "place": lambda lesson: lesson["points"] >= 6,
    "cities": lambda lesson: lesson["points"] >= 6,
    "wedding": lambda lesson: lesson["points"] >= 6,
    "turn": lambda lesson: lesson["points"] >= 6 and would_be_second(lesson["before"]),
    "group": lambda lesson: lesson["goals"] > 0 and grows(lesson),
}
