"""The command `evaluate`: plays agents against each other and shows who does how well."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console
from rich.progress import Progress

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.options import Rules, SeaLeague

from .command_line import WholeNumber, parse, shown, warn_of_guesses
from .details_report import show_details
from .evaluate import evaluate_in, players_for
from .records_file import RecordsFile
from .report import as_json, show, wide_console
from .summary import MatchSummary

INTERRUPTED, MISTAKE = 130, 2  # exit codes


@dataclass(frozen=True)
class Arguments:
    """Plays agents against each other; every deal in all seat rotations, so that luck cancels.
    --tournament rates any number of agents, and --until-decided plays until one is shown to be
    better (--tournament --help lists their options). --version prints the version.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, shown("AGENT ...")]
    """random, greedy, planner, search, learned, a checkpoint (.zip), a run's folder, module:Class
    or file.py:Class. The last agent fills the remaining seats."""
    players: Annotated[int | None, shown("INT")] = None
    """Players; by default a checkpoint's number, else the number of agents, 4 for one agent."""
    deals: WholeNumber = 100
    """Deals; each is played once per player."""
    seed: Annotated[WholeNumber | None, shown("INT")] = None
    """Decides deals and agents' choices; the same seed gives the same output. Without one, secret
    bits do, which are printed at the end."""
    edition: str = "europe"
    """A shipped edition's name or a folder."""
    scenario: Annotated[str | None, shown("NAME")] = None
    """A scenario's name; by default one is drawn for each deal."""
    sea_league: SeaLeague = "each_player"
    """Whether each player may found a league in each sea, or one player a sea (R6.3)."""
    first_check_round: int = 6
    """Round after which the end is checked first (R7.3)."""
    json: Annotated[bool, shown()] = False
    """Print one JSON object instead of tables; it always holds the details."""
    details: Annotated[bool, shown()] = False
    """Also show points by plan card and by round, what stops plans, and how agents lose."""
    records: Annotated[Path | None, shown("FILE")] = None
    """Write every game to this file as it ends, one JSON line a game."""


def main() -> int:
    """Parses the command line, plays and prints.

    Returns:
        The exit code: 0, 2 if not all records could be written, or 130 after Ctrl-C.

    Raises:
        GameError: an argument has a value that it does not take.
    """
    arguments = parse(Arguments)
    records = None if arguments.records is None else RecordsFile(arguments.records)
    try:
        config, summary = play(arguments, records)
    except KeyboardInterrupt:
        kept = "" if records is None else f"; {records.num_games:,} games are in {records.path}"
        print(f"evaluate: interrupted{kept}", file=sys.stderr)
        return INTERRUPTED
    if arguments.json:
        print(json.dumps(as_json(config, summary)))
    else:
        console = wide_console()
        show(config, summary, console)
        if arguments.details:
            show_details(summary, console)
    warn_of_guesses(arguments.seed)
    if records is None or records.error is None:
        return 0
    print(f"evaluate: records: {records.error}", file=sys.stderr)
    return MISTAKE


def play(
    arguments: Arguments, records: RecordsFile | None = None
) -> tuple[GameConfig, MatchSummary]:
    """Plays what the arguments ask for, and writes records to a file if there is one.

    Raises:
        GameError: an argument has a value that it does not take.
    """
    config = GameConfig(
        players_for(arguments.agents, arguments.players),
        arguments.scenario,
        arguments.edition,
        Rules(arguments.sea_league, arguments.first_check_round),
    )
    with _progress() as on_progress:
        summary = evaluate_in(
            config, arguments.agents, arguments.deals, arguments.seed, records, on_progress
        )
    return config, summary


@contextmanager
def _progress() -> Iterator[Callable[[float], None]]:
    """Shows a bar on stderr if that is a terminal, so that stdout holds results only."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("playing", total=1.0)
        yield lambda done: progress.update(task, completed=done)
