"""Makes the tables of docs/bench.md from results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.bounded import file_errors
from gonzaga_env.tabletop.writing import write_aside

from ..statistics.ratings import Rating
from .results import FIELD, Shares, improvement_interval
from .row import Row, read_row
from .tasks import EASY_FIELD, EASY_TASKS, BenchError, Task, find_task, task_names
from .tracks import DECLARED, SEEDS

_MARK, _END = "<!-- bench table -->", "<!-- end bench table -->"


class Ranked(NamedTuple):
    """A row of a table."""

    row: Row  # the run
    shares: Shares  # its win shares, [S, O, D]
    # see `results_of`, with the present ratings of the field where it is the present one
    results: dict[str, Any]


def read_rows(folder: Path) -> list[Row]:
    """Returns the complete rows on test deals of a folder, by the names of their files.

    Raises:
        BenchError: there is no such folder, a file is not a result of a task, or two rows would
            have the same place in a table.
    """
    if not folder.is_dir():
        raise BenchError(f"{folder}: there is no such folder")
    found: dict[tuple[str, ...], Row] = {}
    for path in sorted(folder.glob("*.json")):
        row, results = read_row(path)
        if results is None:
            raise BenchError(f"{path}: is not complete; the run's command continues it")
        if not row.is_test or row.about["partial"]:
            raise BenchError(f"{path}: was not played on all test deals; tables take no others")
        key = (
            row.task.name,
            row.name,
            row.about["track"],
            str(row.about["budget"]),
            *([] if is_present(row) else [row.version]),
        )
        if key in found:
            raise BenchError(f"{path}: another row of {key[0]} has the same name, track and budget")
        found[key] = row
    return [*found.values()]


def is_present(row: Row) -> bool:
    """Returns whether a row was played by the task's present rules, map and field."""
    return row.task.difference_from(find_task(row.task.name)) is None


def with_tables(page: Path, rows: Sequence[Row]) -> None:
    """Writes the tables into a page, between its marks.

    Raises:
        BenchError: the page cannot be read, or has no marks.
    """
    with file_errors(page, BenchError):
        text = page.read_text("utf-8")
    before, start, rest = text.partition(_MARK)
    _, end, after = rest.partition(_END)
    if not start or not end:
        raise BenchError(f"{page}: has no {_MARK} and {_END}")
    write_aside(page, f"{before}{_MARK}\n\n{tables(rows)}\n\n{_END}{after}")


def tables(rows: Sequence[Row]) -> str:
    """Returns the tables in Markdown: one for each game, then three of each task."""
    found = {
        name: _ordered([row for row in rows if row.task.name == name]) for name in task_names()
    }
    found = {name: own for name, own in found.items() if own}
    parts = _overviews(found) or ["No results yet."]
    return "\n\n".join([*parts, *(_task_part(find_task(name), found[name]) for name in found)])


def _ordered(rows: Sequence[Row]) -> list[Ranked]:
    """Returns rows of one task with their results, the largest win share first."""
    found = [Ranked(row, row.measured().shares, row.results(_ratings(row))) for row in rows]
    return sorted(found, key=lambda each: -each.results["win_share"][FIELD]["mean"])


def _ratings(row: Row) -> dict[str, float | None]:
    """Returns the ratings of a row's field: the present ones, or those of its own version."""
    task = find_task(row.task.name) if is_present(row) else row.task
    return {each.pin.spec: each.rating for each in task.field}


def _overviews(found: Mapping[str, Sequence[Ranked]]) -> list[str]:
    """Returns a table for each game, and one of its easy tasks, narrow enough for a page."""
    parts: dict[str, dict[str, Sequence[Ranked]]] = {}
    for name, own in found.items():
        easy = (
            f" against {' and '.join(f'`{n}`' for n in EASY_FIELD)}" if name in EASY_TASKS else ""
        )
        parts.setdefault(f"{game_spec(find_task(name).game).title}{easy}", {})[name] = own
    return [_overview(title, own) for title, own in parts.items()]


def _overview(title: str, found: Mapping[str, Sequence[Ranked]]) -> str:
    """Returns the interquartile mean of each method in each task of a game."""
    cells: dict[tuple[str, str, str], dict[str, str]] = {}
    for task, own in found.items():
        for row, _, results in own:
            # The budget alone: what ships was trained longer for some numbers of players.
            budget = row.about["budget"]
            turns = "" if budget is None else f"{budget:,}"
            method = _name(row), str(row.about["track"]), turns
            cells.setdefault(method, {})[task] = _percent(results["iqm"])
    lines = _table(
        ["agent", "track", "budget", *found],
        [[*method, *(own.get(task, "") for task in found)] for method, own in cells.items()],
        texts=2,
    )
    return "\n".join([f"{title}, interquartile mean of the win shares, %:", "", *lines])


def _task_part(task: Task, found: Sequence[Ranked]) -> str:
    """Returns the tables of one task, each narrow enough for a page."""
    opponents = [opponent.pin.spec for opponent in task.field]
    headings = "agent", "track", "turns", "win share, %", "IQM, %", "rating"
    against = ["agent", *(f"`{name}`" for name in opponents), "points (ahead by)"]
    lines = [
        f"### {task.name}",
        "",
        f"{game_spec(task.game).title}, {task.players} players: {task.deals} deals in "
        f"{task.players} seat rotations, {task.deals * task.players} games against each opponent. "
        f"A fair win share is {1 / task.players:.1%}.",
        "",
        *_table(headings, [_cells(*each) for each in found], texts=2),
        "",
        "Win share by opponent, %, and mean points:",
        "",
        *_table(against, [_by_opponent(*each, opponents) for each in found], texts=1),
    ]
    if pairs := list(pairwise(each for each in found if is_present(each.row))):
        lines += ["", "Probability of improvement over the next row:", ""]
        better = [
            [_name(a.row), _name(b.row), _percent(asdict(improvement_interval(a.shares, b.shares)))]
            for a, b in pairs
        ]
        lines += _table(["agent", "better than", "%"], better, texts=2)
    return "\n".join([*lines, *_notes([row for row, *_ in found])])


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], texts: int) -> list[str]:
    """Returns the lines of a table whose first columns are texts, and all others numbers."""
    rules = [*["---"] * texts, *["---:"] * (len(headings) - texts)]
    return [f"| {' | '.join(cells)} |" for cells in (headings, rules, *rows)]


def _cells(row: Row, _shares: Shares, results: dict[str, Any]) -> list[str]:
    return [
        _name(row),
        row.about["track"],
        ", ".join(filter(None, [_turns(row), _seeds(row)])),
        _percent(results["win_share"][FIELD]),
        _percent(results["iqm"]),
        _rating(results["rating"]),
    ]


def _by_opponent(
    row: Row, _shares: Shares, results: dict[str, Any], opponents: Sequence[str]
) -> list[str]:
    points, ahead = (results[name][FIELD]["mean"] for name in ("points", "ahead"))
    found = results["win_share"]  # a field of another version may have had other opponents
    shares = (_percent(found[name]) if name in found else "" for name in opponents)
    return [_name(row), *shares, f"{points:.1f} ({ahead:+.1f})"]


def _name(row: Row) -> str:
    """Returns the row's name, as code where it is an agent's spec, with its marks."""
    is_spec = [pin.spec for pin in row.pins] == [row.name]
    text = f"`{row.name}`" if is_spec else re.sub(r"([|`*_<>\[\]\\])", r"\\\1", row.name)
    declared = any(agent["track"] == DECLARED for agent in row.about["agents"])
    marks = f"{' †' if declared else ''}{' ‡' if row.about['field_differs'] else ''}"
    return f"{text}{marks}{'' if is_present(row) else f' (of version {row.version})'}"


def _turns(row: Row) -> str:
    """Returns the budget, or else how many turns the agent says that it was trained for."""
    budget = row.about["budget"]
    turns = row.about["agents"][0]["turns"] if budget is None else budget
    return "" if turns is None else f"{turns:,}"


def _seeds(row: Row) -> str:
    """Returns how many training seeds a row has, marked if there are few."""
    number = len(row.pins)
    is_trained = row.about["budget"] is not None or number > 1
    return f"{number} seeds{'*' if number < SEEDS else ''}" if is_trained else ""


def _percent(found: dict[str, float | None]) -> str:
    mean, low, high = (None if v is None else 100 * v for v in found.values())
    return f"{mean:.1f}" if low is None or high is None else f"{mean:.1f} ({low:.1f} to {high:.1f})"


def _rating(found: dict[str, float | None] | None) -> str:
    if found is None:
        return ""
    rating = Rating(found["rating"] or 0.0, found["low"], found["high"])
    if rating.low is None or rating.high is None:
        return rating.text
    return f"{rating.text} ({rating.interval})"


def _notes(rows: Sequence[Row]) -> list[str]:
    """Returns what the marks mean, where there are any."""
    texts = []
    if any(_seeds(row).endswith("*") for row in rows):
        texts.append(
            f"\\* fewer than {SEEDS} training seeds: the interval says little about other seeds."
        )
    if any("†" in _name(row) for row in rows):
        texts.append(
            "† declared: that it keeps to its track and budget can't be checked from its files."
        )
    if any(row.about["field_differs"] for row in rows):
        texts.append("‡ an opponent of the same files chose differently on the row's machine.")
    if not all(map(is_present, rows)):
        texts.append(
            "Of version: rules, map or field have changed since; such a row does not compare with "
            "others."
        )
    return [line for text in texts for line in ("", text)]
