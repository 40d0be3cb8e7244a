"""What maintainers do for a version: pin and rate the field, draw and reveal the test deals."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.errors import OptionError

from ..statistics.rankings import places_of
from ..statistics.ratings import rate
from .pins import Pin
from .row import Row
from .tasks import (
    EASY_TASKS,
    GAMES,
    MAP_TASKS,
    SECRET_BYTES,
    VERSION,
    BenchError,
    Task,
    commitment,
    commitment_of,
    new_easy_task,
    new_map_task,
    new_task,
)

_ANCHORS = "planner", "greedy"
"""Of them, the first that is in the field is rated 1000: in Signorie `greedy` wins no game."""
_REPLICATES = 2  # of a bootstrap whose intervals are not used


def new_tasks(known: Mapping[str, Task]) -> list[Task]:
    """Returns all tasks with their fields as they are now.

    Ratings of a task are kept where no opponent has changed.

    Args:
        known: the tasks as they were pinned before, by name.
    """
    tasks = [new_task(game, players) for game in GAMES for players in game_spec(game).players]
    found = []
    for task in (*tasks, *map(new_map_task, MAP_TASKS), *map(new_easy_task, EASY_TASKS)):
        old = known.get(task.name)
        if old is not None and pins_of(old) == pins_of(task):
            task = replace(task, field=old.field)
        found.append(task)
    return found


def pins_of(task: Task) -> list[Pin]:
    """Returns the pins of a task's field."""
    return [opponent.pin for opponent in task.field]


def anchor_of(task: Task) -> str:
    """Returns the opponent that is rated 1000."""
    names = [pin.spec for pin in pins_of(task)]
    return next(name for name in _ANCHORS if name in names)


def draw_deals() -> tuple[bytes, dict[str, Any]]:
    """Returns a new secret, and what the tasks' file says of it before it is revealed.

    Raises:
        BenchError: this version has its test deals.
    """
    if commitment() is not None:
        raise BenchError(
            f"gonzaga-bench {VERSION} has its test deals, and all its rows would be lost; new ones "
            "take a new tasks.VERSION"
        )
    secret = secrets.token_bytes(SECRET_BYTES)
    return secret, {"commitment": commitment_of(secret), "secret": None}


def reveal_deals(text: str) -> dict[str, Any]:
    """Returns what the tasks' file says of the deals once the secret is revealed.

    Args:
        text: the secret in hexadecimal digits.

    Raises:
        OptionError: it is not the secret that was committed to.
    """
    try:
        secret = bytes.fromhex(text)
    except ValueError as error:
        raise OptionError("the secret takes 32 hexadecimal digits") from error
    if commitment_of(secret) != commitment():
        raise OptionError("that is not the secret that was committed to")
    return {"commitment": commitment(), "secret": secret.hex()}


def rated(task: Task, rows: Sequence[Row]) -> Task:
    """Returns a task whose opponents are rated by their games against each other.

    Args:
        task: the task.
        rows: complete rows of the task on the test deals; only those of its field count.

    Raises:
        BenchError: a member of the field has no such row.
    """
    names = [opponent.pin.spec for opponent in task.field]
    alone = [row for row in rows if len(row.pins) == 1]
    own = {row.pins[0].spec: row for row in alone if row.pins[0] in pins_of(task)}
    if missing := [name for name in names if name not in own]:
        raise BenchError(f"there is no row of {missing[0]}")
    rankings = []
    for name, row in own.items():
        for opponent, games in zip(names, row.by_opponent()[0], strict=True):
            for deal, (scores, winners) in enumerate(
                zip(games.scores.tolist(), games.won, strict=True)
            ):
                for seat, (points, won) in enumerate(zip(scores, winners, strict=True)):
                    agents = [names.index(opponent)] * task.players
                    agents[seat] = names.index(name)
                    places = places_of(points, won.nonzero()[0].tolist())
                    rankings.append((deal, list(zip(agents, places, strict=True))))
    found = rate(len(names), rankings, names.index(anchor_of(task)), _REPLICATES)
    return replace(
        task,
        field=tuple(
            replace(opponent, rating=round(rating.rating))
            for opponent, rating in zip(task.field, found.ratings, strict=True)
        ),
    )
