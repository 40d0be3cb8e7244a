"""Finds deals for the first game: those in which every lesson's idea occurs in its round.

    python tools/first_game.py --games 200

prints the seeds by scenario, with the course of the game for a learner who follows the lessons.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from gonzaga_agents.gonzaga.teacher import Teacher
from gonzaga_table.web.learn import first_game
from gonzaga_table.web.learn.first_game import SEAT, lesson_of

from gonzaga_env.core.config import GameConfig

TAUGHT = [
    *("plan", "place", "locked", "cities", "league", "leagueNow"),
    *("alliance", "wedding", "privilege", "turn", "objective", "group"),
]
LONGEST = 9  # rounds
_TRIES = 4  # games of learners who choose differently among good options


def follow(table: Any, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Plays a first game as the lessons say, and yields each lesson with what came of it."""
    teacher = Teacher(table.config)
    while not table.over:
        if table.to_act != SEAT:
            table.step_agent(teacher, rng)
            continue
        lesson = lesson_of(table, SEAT)
        before = table.view(SEAT)
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


def is_good(table: Any, rng: np.random.Generator) -> bool:
    """Returns whether all ideas occur, and the learner wins."""
    names = []
    for lesson in follow(table, rng):
        name = lesson["name"]
        if len(names) < len(TAUGHT) and name != TAUGHT[len(names)]:
            return False
        names.append(name)
        if not SHOWN.get(name, lambda _: True)(lesson):
            return False
    view = table.view(SEAT)
    return bool(view.players[SEAT].won) and view.round <= LONGEST


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


def main() -> None:
    """Prints the deals."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100, help="deals of each scenario (100)")
    deals = parser.parse_args().games
    edition = GameConfig(2).edition
    for scenario in (one.name for one in edition.scenarios if one.players == 2):
        first_game.SCENARIO = scenario
        for seed in range(deals):
            games = (first_game.first_game("", edition, seed) for _ in range(_TRIES))
            if all(is_good(game, np.random.default_rng(i)) for i, game in enumerate(games)):
                print(scenario, seed, flush=True)


if __name__ == "__main__":
    main()
