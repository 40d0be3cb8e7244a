"""The command `python -m gonzaga_agents.bench`."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro

from gonzaga_env.command_line import OK
from gonzaga_env.tabletop.errors import OptionError

from ..common.command_line import WholeNumber, parse, progress, run_verb, shown
from ..statistics.estimates import Estimate
from ..units.options import ExecutorOptions, Workers
from .check import DIFFERENT, check
from .field import anchor_of, draw_deals, new_tasks, pins_of, rated, reveal_deals
from .results import FIELD
from .row import TEST_SEED, Row
from .run import Request, begin, play
from .table import is_present, read_rows, with_tables
from .tasks import (
    BenchError,
    deals_content,
    field_of,
    find_task,
    own_task_names,
    task_names,
    write_tasks,
)
from .tracks import Track

_ROWS = Path("benchmarks/bench")
_PAGE = Path("docs/bench.md")
_WIDTH = 20  # of the longest name of a task
_HELP = """\
python -m gonzaga_agents.bench run TASK AGENT ... --track TRACK    plays a task, writes one JSON
python -m gonzaga_agents.bench check FILE                          plays a tenth again and compares
python -m gonzaga_agents.bench table                               makes the tables of docs/bench.md
python -m gonzaga_agents.bench tasks                               lists the tasks and their fields

Maintainers, for a new version:
python -m gonzaga_agents.bench pin                 pins the field by the files and the code here
python -m gonzaga_agents.bench rate                rates the field by its rows in benchmarks/bench
python -m gonzaga_agents.bench draw                draws secret test deals and commits to them
python -m gonzaga_agents.bench reveal SECRET       publishes the secret of the test deals

Each of them takes --help; docs/bench.md explains them. A first try:
python -m gonzaga_agents.bench run gonzaga/2p greedy --track prior --development 0 --deals 10"""


@dataclass(frozen=True)
class RunArguments(ExecutorOptions):
    """Plays agents against the field of a task and writes one JSON file with everything that
    repeats the run. The same command continues where it was interrupted.

    Examples:
        python -m gonzaga_agents.bench run gonzaga/2p greedy --track prior --development 0
    """

    task: Annotated[str, tyro.conf.Positional, shown("TASK")]
    """Such as gonzaga/2p; `bench tasks` lists them, also those of other packages' games."""
    agents: Annotated[tuple[str, ...], tyro.conf.Positional, shown("AGENT ...")]
    """One agent or, where something is trained, one for each training seed (five or more):
    random, greedy, planner, search@64, learned, a checkpoint (.zip), a run's folder, module:Class
    or file.py:Class."""
    track: Annotated[Track, shown("zero|prior|search|data")]
    """What the agents may use (docs/bench.md)."""
    budget: Annotated[WholeNumber | None, shown("TURNS")] = None
    """Turns that a training may take: 1e5, 1e6 or 1e7. Leave it out where nothing is trained."""
    name: Annotated[str | None, shown("TEXT")] = None
    """The row's name; by default the agent's. Several agents need one."""
    out: Annotated[Path | None, shown("FILE")] = None
    """The file; by default one in runs/bench that is named by task, name and budget."""
    deals: Annotated[WholeNumber | None, shown("INT")] = None
    """Fewer deals than the task has, for a trial; the row is then marked as partial."""
    development: Annotated[WholeNumber | None, shown("INT")] = None
    """Plays this set of development deals in place of the test deals; take any number."""
    seed: WholeNumber = TEST_SEED
    """Decides the agents' own random choices on development deals; on test deals the task does."""
    trained: Annotated[str | None, shown("TEXT")] = None
    """How the agents were trained, such as the command; checkpoints of train.py say it."""
    workers: Workers = field(default=None, kw_only=True)
    """How many units of 25 deals are played at the same time; by default one for each core."""


@dataclass(frozen=True)
class CheckArguments(ExecutorOptions):
    """Compares a result with its games, its digests with the files here, and plays a tenth of it
    again, with games against each opponent; says what is only declared. Exit code 0: all equal; 1:
    a difference, which is named; 2: it can't be checked here, as a result of another version.

    Examples:
        python -m gonzaga_agents.bench check benchmarks/bench/gonzaga-2p-greedy.json
    """

    file: Annotated[Path, tyro.conf.Positional, shown("FILE")]
    """What `bench run` wrote."""
    all: Annotated[bool, shown()] = False
    """Play everything again."""
    fresh: Annotated[bool, shown()] = False
    """Also play as many deals again that are drawn now, which nobody can have prepared for, and
    compare within the intervals."""


@dataclass(frozen=True)
class TableArguments:
    """Makes the tables of the page from all complete results on test deals.

    Examples:
        python -m gonzaga_agents.bench table
    """

    rows: Annotated[Path, shown("FOLDER")] = _ROWS
    """The folder of the results."""
    page: Annotated[Path, shown("FILE")] = _PAGE
    """The page, which has marks where tables go."""


@dataclass(frozen=True)
class _NoArguments:
    """Takes no arguments."""


@dataclass(frozen=True)
class RateArguments:
    """Rates each field by the rows of its members in a folder.

    Examples:
        python -m gonzaga_agents.bench rate
    """

    rows: Annotated[Path, shown("FOLDER")] = _ROWS
    """The folder of the results."""


@dataclass(frozen=True)
class RevealArguments:
    """Publishes the secret of the test deals.

    Examples:
        python -m gonzaga_agents.bench reveal SECRET
    """

    secret: Annotated[str, tyro.conf.Positional, shown("SECRET")]
    """The 32 hexadecimal digits that `bench draw` printed."""


def main() -> int:
    """Runs the subcommand that the command line names.

    Returns:
        The exit code: 0, 1 if a check found a difference, 2 for a mistake, or 130 after Ctrl-C.

    Raises:
        GameError: an argument has a value that it does not take, or a file is broken.
    """
    verbs = {
        "run": _run,
        "check": _check,
        "table": _table,
        "tasks": _tasks,
        "pin": _pin,
        "rate": _rate,
        "draw": _draw,
        "reveal": _reveal,
    }
    kept = {"run": "finished games are kept, and the same command continues"}
    return run_verb("bench", verbs, _HELP, kept)


def _run() -> int:
    command = shlex.join(["python", "-m", "gonzaga_agents.bench", *sys.argv[1:]])
    arguments = parse(RunArguments, verb="run")
    request = Request(
        task=find_task(arguments.task),
        specs=arguments.agents,
        track=arguments.track,
        name=_name(arguments),
        budget=arguments.budget,
        deals=arguments.deals,
        development=arguments.development,
        seed=arguments.seed,
        trained=arguments.trained,
        command=command,
    )
    out = Path("runs/bench") / request.file_name() if arguments.out is None else arguments.out
    row = begin(request, out)
    for spec in row.about["field_differs"]:
        print(
            f"bench: warning: {spec} chooses differently here than where it was pinned, although "
            "its files are the same; the row says so",
            file=sys.stderr,
        )
    with progress("playing") as move, arguments.open_executor() as executor:
        play(row, out, executor, move)
    _say(row, out)
    return OK


def _name(arguments: RunArguments) -> str:
    if arguments.name is not None:
        return arguments.name
    if len(arguments.agents) > 1:
        raise OptionError("--name is missing; a row of several agents takes one")
    return arguments.agents[0] if arguments.agents else ""


def _say(row: Row, path: Path) -> None:
    share = {name: Estimate(**found) for name, found in row.results()["win_share"].items()}
    won = f"{share[FIELD].text()} of the games won against the field"
    print(f"{row.task.name}, {row.name}: {won}")
    for opponent in row.opponents:
        print(f"  against {opponent}: {share[opponent].text()}")
    print(f"written to {path}")


def _check() -> int:
    arguments = parse(CheckArguments, verb="check")
    with progress("playing") as move, arguments.open_executor() as executor:
        found = check(arguments.file, executor, move, arguments.all, arguments.fresh)
    for line in found.notes:
        print(line)
    if found.difference is not None:
        print(f"bench: {arguments.file}: {found.difference}", file=sys.stderr)
        return DIFFERENT
    return OK


def _table() -> int:
    arguments = parse(TableArguments, verb="table")
    rows = read_rows(arguments.rows)
    with_tables(arguments.page, rows)
    print(f"{len(rows)} results are in {arguments.page}")
    return OK


def _tasks() -> int:
    parse(_NoArguments, verb="tasks")
    for name in task_names():
        task = find_task(name)
        games = task.deals * task.players * len(task.field)
        opponents = ", ".join(opponent.pin.spec for opponent in task.field)
        print(f"{name:{_WIDTH}} {task.deals} deals, {games:,} games against {opponents}")
    for name in own_task_names():
        opponents = ", ".join(field_of(name.partition("/")[0]))
        print(f"{name:{_WIDTH}} development deals only, against {opponents}")
    return OK


def _pin() -> int:
    parse(_NoArguments, verb="pin")
    known = {name: find_task(name) for name in task_names()}
    tasks = new_tasks(known)
    write_tasks(deals_content(), tasks)
    for task in tasks:
        old = known.get(task.name)
        before = [] if old is None else pins_of(old)
        changed = [pin.spec for pin in pins_of(task) if pin not in before]
        print(
            f"{task.name:{_WIDTH}} {'changed: ' + ', '.join(changed) if changed else 'as before'}"
        )
    return OK


def _rate() -> int:
    arguments = parse(RateArguments, verb="rate")
    rows, tasks = read_rows(arguments.rows), []
    for task in map(find_task, task_names()):
        try:
            own = [row for row in rows if row.task.name == task.name and is_present(row)]
            tasks.append(rated(task, own))
        except BenchError as error:
            print(f"{task.name:{_WIDTH}} not rated: {error}")
            tasks.append(task)
            continue
        ratings = (f"{each.pin.spec} {each.rating:.0f}" for each in tasks[-1].field)
        print(f"{task.name:{_WIDTH}} {', '.join(ratings)} ({anchor_of(task)} is the anchor)")
    write_tasks(deals_content(), tasks)
    return OK


def _draw() -> int:
    parse(_NoArguments, verb="draw")
    secret, deals = draw_deals()
    write_tasks(deals, [find_task(name) for name in task_names()])
    print(f"commitment {deals['commitment']}\nsecret {secret.hex()}: keep it, and reveal it later")
    return OK


def _reveal() -> int:
    arguments = parse(RevealArguments, verb="reveal")
    write_tasks(reveal_deals(arguments.secret), [find_task(name) for name in task_names()])
    print("the test deals are revealed")
    return OK
