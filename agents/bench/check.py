"""Checks a result: its figures, its digests, and by playing a part of it again.

Every field follows from the games, from the agents' files or from the task, and is compared. What
only the person who played can know is listed as declared.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError

from ..statistics.estimates import mean_interval
from ..units.play import OnProgress, play_units
from ..units.work import Executor
from .field import pins_of
from .pins import file_digests, has_time_budget, make_measured
from .play import Unit, UnitGames, UnitKey
from .results import FIELD, Measured, interval
from .row import DEVELOPMENT, Row, read_row
from .run import check_files, differing_plays, training_of
from .tasks import SECRET_BYTES, BenchError, Task, find_task
from .tracks import DECLARED, check_track

DIFFERENT = 1
"""The exit code of a difference; 2 is for what can't be checked."""
_PART = 0.1  # of the units, which is played again, and at least one against each opponent
_TOLERANCE = 1e-5  # of figures, whose last digits depend on the machine


@dataclass
class Found:
    """What a check found."""

    # lines about what was compared, and what is only declared
    notes: list[str] = field(default_factory=list)
    difference: str | None = None  # the first difference; None if there is none


def check(
    path: Path, executor: Executor, on_progress: OnProgress, all_units: bool, fresh: bool
) -> Found:
    """Returns what is different in a result from what is here.

    Args:
        path: of the result.
        executor: where games are played.
        on_progress: called with how many games are played, and how many there are.
        all_units: whether to play everything again, and not a tenth.
        fresh: whether to play as much again on deals that are drawn now.

    Raises:
        BenchError: the file cannot be read or checked here, as a row of another version.
        AgentError: an agent cannot be found or built.
    """
    row, results = read_row(path)
    if results is None:
        raise BenchError(f"{path}: is not complete; the run's command continues it")
    found = compare(path, row, results)
    if found.difference is not None:
        return found
    units = row.units()
    _play_again(row, units if all_units else drawn(units), executor, on_progress, found)
    if fresh and found.difference is None:
        _play_fresh(row, executor, on_progress, found)
    return found


def compare(path: Path, row: Row, results: Mapping[str, Any]) -> Found:
    """Returns what is different in a row from what is here, without playing it again.

    Args:
        path: names it in errors.
        row: the row; all its units are there.
        results: the results that it states.

    Raises:
        BenchError: it cannot be checked here, as a row of another version.
        AgentError: an agent cannot be found or built.
    """
    found = Found(difference=_difference_of(row.results(), results))
    if found.difference is not None:
        return found
    task = find_task(row.task.name)
    if (difference := row.task.difference_from(task)) is not None:
        raise BenchError(
            f"{path}: can't be checked here, as it is of another version, gonzaga_env "
            f"{row.version}: {difference}"
        )
    check_files(task)
    found.difference = _ratings_difference(row.task, task) or _agents_difference(row)
    if found.difference is not None:
        return found
    found.notes.append("the figures follow from the games, and all digests are those of the files")
    found.notes.append(f"declared by whoever played it, and not checked: {_declared(row)}")
    found.notes += [
        f"{spec} chooses differently here than where it was measured, although its files are the "
        "same"
        for spec in dict.fromkeys(
            [
                *differing_plays(pins_of(task), task.config, are_opponents=True),
                *differing_plays(row.pins, task.config),
            ]
        )
    ]
    return found


def drawn(units: Sequence[Unit]) -> list[Unit]:
    """Returns a tenth of the units, drawn now, so that nobody can foresee which.

    There is at least one against each opponent.
    """
    random = secrets.SystemRandom()
    shuffled = random.sample(units, len(units))
    found = list({unit.opponent: unit for unit in shuffled}.values())
    others = [unit for unit in shuffled if unit not in found]
    return found + others[: max(0, ceil(len(units) * _PART) - len(found))]


def _difference_of(computed: Any, stated: Any, place: str = "results") -> str | None:
    """Returns the first difference between figures, None if there is none."""
    if isinstance(computed, list) and isinstance(stated, list) and len(computed) == len(stated):
        computed, stated = dict(enumerate(computed)), dict(enumerate(stated))
    if isinstance(computed, dict) and isinstance(stated, dict) and computed.keys() == stated.keys():
        found = (_difference_of(computed[key], stated[key], f"{place}.{key}") for key in computed)
        return next(filter(None, found), None)
    are_numbers = all(isinstance(value, int | float) for value in (computed, stated))
    if computed == stated or (
        are_numbers and computed - _TOLERANCE <= stated <= computed + _TOLERANCE
    ):
        return None
    return f"{place} is {short_repr(stated)}; the games give {computed!r}"


def _ratings_difference(stated: Task, task: Task) -> str | None:
    """Returns which opponent has another rating than the task fixes.

    A rating of None means that the row is older than the rating.
    """
    for own, fixed in zip(stated.field, task.field, strict=True):
        if own.rating not in (None, fixed.rating):
            return (
                f"the rating of {own.pin.spec} is {short_repr(own.rating)}; the task fixes "
                f"{fixed.rating!r}"
            )
    return None


def _declared(row: Row) -> str:
    """Returns what of a row only the person who played it can know."""
    found = ["the row's name, the command, and when, where and with which code it was played"]
    if row.about["field_differs"]:
        found.append(f"that {', '.join(row.about['field_differs'])} chose differently there")
    for agent in row.about["agents"]:
        spec, trained = agent["spec"], agent["trained"]
        if agent["track"] == DECLARED:
            budget = row.about["budget"]
            turns = "" if budget is None else f" and to {budget:,} turns"
            found.append(f"that {spec} keeps to the track {row.about['track']}{turns}")
        if trained is not None and trained != training_of(spec, row.task, None)["trained"]:
            found.append(f"how {spec} was trained, {short_repr(trained)}")
    return "; ".join(found)


def _agents_difference(row: Row) -> str | None:
    """Returns which agent has changed, is not of the row's track, or was not trained as it says.

    Raises:
        AgentError: an agent is not here.
    """
    for pin, said in zip(row.pins, row.about["agents"], strict=True):
        make_measured(pin.spec, row.task.config)  # raises if it is not here
        found = file_digests(pin.spec, row.task.config)
        for name in sorted({*found, *pin.files}):
            if found.get(name) != pin.files.get(name):
                return f"{name} of the agent {pin.spec} is not the file that was measured"
        try:
            kept = check_track(row.about["track"], pin.spec, row.about["budget"], row.task.game)
        except OptionError as error:
            return str(error)
        if kept != said["track"]:
            return f"{pin.spec} is marked as {said['track']}; here it is {kept}"
        for name, value in training_of(pin.spec, row.task, said["trained"]).items():
            if said[name] != value:
                stated, here = short_repr(said[name]), short_repr(value)
                return f"{name} of {pin.spec} is {stated}; here it is {here}"
    return None


def _play(
    units: Sequence[Unit], executor: Executor, on_progress: OnProgress
) -> dict[UnitKey, UnitGames]:
    """Plays units and returns their games."""
    playing = play_units(units, executor, on_progress, shared=[unit.task for unit in units])
    return {unit.key: games for unit, games in playing}


def _play_again(
    row: Row, units: Sequence[Unit], executor: Executor, on_progress: OnProgress, found: Found
) -> None:
    """Plays units again and compares them, exactly where agents do not depend on the machine."""
    timed = [unit for unit in units if has_time_budget(unit.spec)]
    played = _play(units, executor, on_progress)
    exact = [unit for unit in units if unit not in timed]
    for unit in exact:
        lines = zip(row.games[unit.key].as_lines(), played[unit.key].as_lines(), strict=True)
        for deal, (there, here) in enumerate(lines, start=unit.first):
            if there != here:
                found.difference = (
                    f"{unit.spec} against {unit.opponent}, deal {deal}: the file says {there!r}, "
                    f"and here it ends {here!r}"
                )
                return
    if exact:
        games_again = sum(unit.num_games for unit in exact)
        found.notes.append(
            f"{len(exact)} of {len(row.units())} units ({games_again} games) were played again: "
            "all equal"
        )
    if timed:
        _compare_timed(row, timed, played, found)


def _compare_timed(
    row: Row, units: Sequence[Unit], played: Mapping[UnitKey, UnitGames], found: Found
) -> None:
    """Compares an agent with a time budget: the interval of the difference must contain 0."""
    changes = [_shares(played[unit.key]) - _shares(row.games[unit.key]) for unit in units]
    difference = mean_interval(np.concatenate(changes))
    text = difference.text("+.1%")
    if difference.side_of(0.0):
        found.difference = f"played again with the same time, the win share differs by {text}"
        return
    found.notes.append(
        f"{len(units)} units of an agent with a time budget were played again: the win share "
        f"differs by {text}; its play depends on the machine, so games are not compared"
    )


def _shares(games: UnitGames) -> NDArray[np.float64]:
    """Returns the agent's win share in each deal, [D]."""
    return Measured.of([FIELD], [[games]]).shares[0, 0]


def _play_fresh(row: Row, executor: Executor, on_progress: OnProgress, found: Found) -> None:
    """Plays the whole row on deals that are drawn now, and compares the win shares."""
    number = int.from_bytes(secrets.token_bytes(SECRET_BYTES), "big")
    deals = {"set": DEVELOPMENT, "development": number, "number": row.num_deals}
    again = Row({**row.about, "deals": deals})
    again.games = _play(again.units(), executor, on_progress)
    there, here = (each.measured().shares.mean(axis=1) for each in (row, again))
    first, second = (interval(shares, bounded=True) for shares in (there, here))
    assert None not in (first.low, first.high, second.low, second.high)
    overlap = first.low <= second.high and second.low <= first.high  # type: ignore[operator]
    line = (
        f"on deals drawn now (--development {number}) the win share against the field is "
        f"{second.text()}, in the file {first.text()}"
    )
    if overlap:
        found.notes.append(line)
    else:
        found.difference = line
