"""The command `gonzaga bench`: plays tasks, checks results by playing again, and lists them."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro

from gonzaga_env.command_line import OK
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.text_table import text_table

from ..common.command_line import WholeNumber, parse, progress, run_verb, shown
from .games import PlayedGame, play_units, units_of
from .row import Row, new_row
from .tasks import TASKS, DealSet, find_task

DIFFERENT = 1
"""The exit code of a difference; 2 is for what can't be checked."""
_HELP = """\
gonzaga bench run TASK AGENT --out FILE    plays a task and writes one JSON file
gonzaga bench check FILE AGENT             plays it again with the agent that you name, and compares
gonzaga bench table FILE ...               lists results
gonzaga bench tasks                        lists the tasks

Each of them takes --help; docs/bench.md explains them."""
_Deals = Annotated[DealSet, shown("develop|report")]
_Workers = Annotated[WholeNumber | None, shown("INT")]


@dataclass(frozen=True)
class RunOptions:
    """Plays an agent against the field of a task and writes one JSON file with all games.

    Examples:
        gonzaga bench run gonzaga/2p greedy --deals 10 --out greedy.json
    """

    task: Annotated[str, tyro.conf.Positional, shown("TASK")]
    """Such as gonzaga/2p; `bench tasks` lists them."""
    agent: Annotated[str, tyro.conf.Positional, shown("AGENT")]
    """Any agent: random, greedy, planner, search@64, learned, a run's folder, file.py:Class, ..."""
    out: Annotated[Path, shown("FILE")]
    """The file for the games."""
    set: _Deals = "report"
    """The deals: develop for trials, report for what is published."""
    deals: Annotated[WholeNumber | None, shown("INT")] = None
    """Fewer deals than the task has, for a trial."""
    workers: _Workers = None
    """Processes that play; by default one for each core."""


@dataclass(frozen=True)
class CheckOptions:
    """Plays a result again with the agent that is named here, and compares every action. Exit code
    0: all equal; 1: a difference, which is named; 2: it can't be checked.

    Examples:
        gonzaga bench check greedy.json greedy
    """

    file: Annotated[Path, tyro.conf.Positional, shown("FILE")]
    """What `bench run` wrote. Names in it are shown, and never run."""
    agent: Annotated[str, tyro.conf.Positional, shown("AGENT")]
    """The agent to play again with, as for `bench run`."""
    workers: _Workers = None
    """Processes that play; by default one for each core."""


@dataclass(frozen=True)
class TableOptions:
    """Lists results; all games are played again by the rules first.

    Examples:
        gonzaga bench table greedy.json planner.json
    """

    files: Annotated[tuple[Path, ...], tyro.conf.Positional, shown("FILE ...")]
    """What `bench run` wrote."""


@dataclass(frozen=True)
class _NoOptions:
    """Takes no arguments."""


def main() -> int:
    """Runs the subcommand that the command line names.

    Returns:
        The exit code: 0, 1 if a check found a difference, 2 for a mistake, or 130 after Ctrl-C.

    Raises:
        GameError: an argument has a value that it does not take, or a file is broken.
    """
    verbs = {"run": _run, "check": _check, "table": _table, "tasks": _tasks}
    return run_verb("bench", verbs, _HELP, {})


def _run() -> int:
    options = parse(RunOptions, verb="run")
    task = find_task(options.task)
    deals = task.deals if options.deals is None else options.deals
    if not 1 <= deals <= task.deals:
        raise OptionError(f"deals is {deals}; {task.name} takes 1 to {task.deals}")
    row = new_row(task, options.set, deals, options.agent)
    row = replace(row, games=_played(row, options.agent, options.workers))
    row.write(options.out)
    _print_rows([row])
    return OK


def _played(row: Row, agent: str, workers: int | None) -> dict[str, list[PlayedGame]]:
    """Plays the games of a row with an agent."""
    workers = (os.cpu_count() or 1) if workers is None else workers
    if workers < 1:
        raise OptionError(f"workers is {workers}; it takes 1 or more")
    units = units_of(row.task, row.chosen, agent, row.deals)
    games: dict[str, list[PlayedGame]] = {opponent: [] for opponent in row.task.field}
    done, total = 0, sum(len(unit.deals) for unit in units) * row.task.players
    with progress("playing") as move:
        for unit, played in play_units(units, min(workers, len(units))):
            games[unit.opponent] += played
            move(done := done + len(played), total)
    return games


def _check() -> int:
    options = parse(CheckOptions, verb="check")
    row = Row.read(options.file)
    there = row.results()
    games = _played(row, options.agent, options.workers)
    here = replace(row, games=games).results()
    number = sum(map(len, games.values()))
    differing = [
        (opponent, i)
        for opponent, own in games.items()
        for i, one in enumerate(own)
        if one != row.games[opponent][i]
    ]
    print(f"{row.task.name}, set {row.chosen}, named {short_repr(row.agent)} in the file")
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


def _table() -> int:
    _print_rows([Row.read(path) for path in parse(TableOptions, verb="table").files])
    return OK


def _print_rows(rows: list[Row]) -> None:
    """Prints a table of rows of the same field each."""
    for field in dict.fromkeys(row.task.field for row in rows):
        cells = [["task", "agent", "track", "set", "deals", "field", *field, "points"]]
        for row in rows:
            if row.task.field == field:
                found = row.results()
                shares = [found.share(), *map(found.share, field)]
                texts = [row.task.name, row.agent, row.track, row.chosen, str(row.deals)]
                texts += [share.text() for share in shares]
                cells.append([*texts, found.mean_points().with_margin()])
        print(*text_table(cells, names=4), sep="\n")


def _tasks() -> int:
    parse(_NoOptions, verb="tasks")
    cells = [["task", "opponents", "deals", "games"]]
    for task in TASKS.values():
        games = task.deals * task.players * len(task.field)
        cells.append([task.name, ", ".join(task.field), str(task.deals), f"{games:,}"])
    print(*text_table(cells, names=2), sep="\n")
    return OK
