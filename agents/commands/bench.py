"""The command `gonzaga bench`: plays tasks, checks results by playing again, and lists them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro

from gonzaga_env.command_line import OK, WholeNumber, choose_verb, option_help, parse
from gonzaga_env.kernel.bounded import file_errors
from gonzaga_env.kernel.errors import OptionError, RecordError
from gonzaga_env.kernel.messages import short_repr, shown_name
from gonzaga_env.kernel.text_table import text_table
from gonzaga_env.kernel.writing import check_writable
from gonzaga_env.progress import progress

from ..executors import open_executor
from ..play.bench import TASKS, DealSet, PlayedGame, Results, Row, find_task, jobs_of, new_row
from ..play.jobs import play_jobs

DIFFERENT = 1
"""The exit code of a difference; 2 is for what can't be checked."""
_PROG = "gonzaga bench"
_VERBS = {
    "run": "play a task and write one JSON file",
    "check": "play it again with the agent that you name, and compare",
    "table": "list results",
    "tasks": "list the tasks",
}
_Deals = Annotated[DealSet, option_help("develop|report")]


@dataclass(frozen=True)
class RunOptions:
    """Plays an agent against the field of a task and writes one JSON file with all games.

    Examples:
        gonzaga bench run gonzaga/2p greedy --deals 10 --out greedy.json
    """

    task: Annotated[str, tyro.conf.Positional, option_help("TASK")]
    """Such as gonzaga/2p; `bench tasks` lists them."""
    agent: Annotated[str, tyro.conf.Positional, option_help("AGENT")]
    """Any agent: random, greedy, planner, search@64, learned, a run's folder, file.py:Class, ..."""
    out: Annotated[Path, option_help("FILE")]
    """The file for the games."""
    set: _Deals = "report"
    """The deals: develop for trials, report for what is published."""
    deals: Annotated[WholeNumber | None, option_help("INT")] = None
    """Fewer deals than the task has, for a trial."""


@dataclass(frozen=True)
class CheckOptions:
    """Plays a result again with the agent that is named here, and compares every action. Exit code
    0: all equal; 1: a difference, which is named; 2: it can't be checked.

    Examples:
        gonzaga bench check greedy.json greedy
    """

    file: Annotated[Path, tyro.conf.Positional, option_help("FILE")]
    """What `bench run` wrote. Names in it are shown, and never run."""
    agent: Annotated[str, tyro.conf.Positional, option_help("AGENT")]
    """The agent to play again with, as for `bench run`."""


@dataclass(frozen=True)
class TableOptions:
    """Lists results; all games are played again by the rules first.

    Examples:
        gonzaga bench table greedy.json planner.json
    """

    files: Annotated[tuple[Path, ...], tyro.conf.Positional, option_help("FILE ...")]
    """What `bench run` wrote."""


@dataclass(frozen=True)
class _NoOptions:
    """Takes no arguments."""


def main(arguments: Sequence[str]) -> int:
    """Runs the verb that comes first; returns the exit code, 1 if a check found a difference."""
    about = "Named tasks on public deals; docs/bench.md explains them."
    verb = choose_verb(arguments, _VERBS, _PROG, about)
    if verb is None:
        return OK
    verbs = {"run": _run, "check": _check, "table": _table, "tasks": _tasks}
    return verbs[verb](arguments[1:])


def _run(arguments: Sequence[str]) -> int:
    options = parse(RunOptions, arguments, f"{_PROG} run")
    task = find_task(options.task)
    deals = task.deals if options.deals is None else options.deals
    if not 1 <= deals <= task.deals:
        raise OptionError(f"deals is {deals}; {task.name} takes 1 to {task.deals}")
    check_writable(options.out)
    if options.out.exists():
        Row.read(options.out)  # nothing but a result is replaced
    row = new_row(task, options.set, deals, options.agent)
    row = replace(row, games=_played(row, options.agent))
    row.write(options.out)
    _print_rows([(row, row.results())])
    return OK


def _played(row: Row, agent: str) -> dict[str, list[PlayedGame]]:
    jobs = jobs_of(row.task, row.deal_set, agent, row.deals)
    with open_executor() as executor, progress("playing") as move:
        found = dict(play_jobs(jobs, executor, move))
    games: dict[str, list[PlayedGame]] = {opponent: [] for opponent in row.task.field}
    for index, job in enumerate(jobs):
        games[job.opponent] += found[index]
    return games


def _check(arguments: Sequence[str]) -> int:
    options = parse(CheckOptions, arguments, f"{_PROG} check")
    row = Row.read(options.file)
    there = _results(row, options.file)
    games = _played(row, options.agent)
    here = replace(row, games=games).results()
    number = sum(map(len, games.values()))
    differing = [
        (opponent, i)
        for opponent, own in games.items()
        for i, one in enumerate(own)
        if one != row.games[opponent][i]
    ]
    print(f"{row.task.name}, set {row.deal_set}, named {short_repr(row.agent)} in the file")
    if not differing:
        print(f"{number} games were played again with {options.agent}: all equal")
        return OK
    opponent, i = differing[0]
    deal, seat = divmod(i, row.task.players)
    print(
        f"{len(differing)} of {number} games differ when {options.agent} plays them here; the "
        f"first is against {opponent}, deal {deal}, on seat {seat}"
    )
    print(f"won of the field: {there.share().text()} in the file, {here.share().text()} here")
    return DIFFERENT


def _table(arguments: Sequence[str]) -> int:
    options = parse(TableOptions, arguments, f"{_PROG} table")
    rows = [Row.read(path) for path in options.files]
    _print_rows([(row, _results(row, path)) for row, path in zip(rows, options.files, strict=True)])
    return OK


def _results(row: Row, path: Path) -> Results:
    """Returns the results of a file's row; RecordError names the file."""
    with file_errors(path, RecordError):
        return row.results()


def _print_rows(rows: list[tuple[Row, Results]]) -> None:
    for field in dict.fromkeys(row.task.field for row, _ in rows):
        cells = [["task", "agent", "track", "set", "deals", "field", *field, "points"]]
        for row, found in rows:
            if row.task.field == field:
                shares = [found.share(), *map(found.share, field)]
                texts = [row.task.name, *map(shown_name, (row.agent, row.track)), row.deal_set]
                texts += [str(row.deals), *(share.text() for share in shares)]
                cells.append([*texts, found.mean_points().with_margin()])
        print(*text_table(cells, names=4), sep="\n")


def _tasks(arguments: Sequence[str]) -> int:
    parse(_NoOptions, arguments, f"{_PROG} tasks")
    cells = [["task", "opponents", "deals", "games"]]
    for task in TASKS.values():
        games = task.deals * task.players * len(task.field)
        cells.append([task.name, ", ".join(task.field), str(task.deals), f"{games:,}"])
    print(*text_table(cells, names=2), sep="\n")
    return OK
