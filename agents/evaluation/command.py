"""Plays agents against each other and shows who does how well."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.progress import Progress

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import MAX_PLAYERS, MIN_PLAYERS
from gonzaga_env.core.errors import OptionError
from gonzaga_env.core.options import Rules, SeaLeague
from gonzaga_env.core.records import Record, write_records

from ..registry import checkpoint_players, make_agent
from .match import play_match
from .report import TABLE_WIDTH, as_json, show
from .statistics import MatchSummary, summarise


def _shown(metavar: str | None = None) -> Any:
    """Returns how the help shows an argument whose text says what its default means."""
    return tyro.conf.arg(metavar=metavar, help_behavior_hint="")


@dataclass(frozen=True)
class Arguments:
    """Plays agents against each other; every deal in all seat rotations, so that luck cancels."""

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, _shown("AGENT ...")]
    """"random", "greedy", a checkpoint (.zip) or a run's folder. The last fills the seats left."""
    players: Annotated[int | None, _shown("INT")] = None
    """Players; by default a checkpoint's number, else the number of agents, 4 for one agent."""
    deals: int = 100
    """Deals; each is played once per player."""
    seed: int = 0
    """Decides deals and agents' choices; the same seed gives the same output."""
    edition: str = "europe"
    """A shipped edition's name or a folder."""
    scenario: Annotated[str | None, _shown("NAME")] = None
    """A scenario's name; by default one is drawn for each deal."""
    sea_league: SeaLeague = "each_player"
    """Whether each player may found a league in each sea, or one player a sea (R6.3)."""
    first_check_round: int = 6
    """Round after which the end is checked first (R7.3)."""
    json: Annotated[bool, _shown()] = False
    """Print one JSON object instead of tables."""
    records: Annotated[Path | None, _shown("FILE")] = None
    """Write every game to this file, one JSON line a game."""


def main() -> int:
    """Parses the command line, plays and prints; raises GonzagaError for a caller's mistake.

    Returns:
        The exit code, 0.
    """
    arguments = tyro.cli(Arguments, config=(tyro.conf.FlagCreatePairsOff,))
    config, summary = evaluate(arguments)
    if arguments.json:
        print(json.dumps(as_json(config, arguments.seed, summary)))
    else:
        show(config, summary, Console(width=max(Console().width, TABLE_WIDTH)))
    return 0


def evaluate(arguments: Arguments) -> tuple[GameConfig, MatchSummary]:
    """Plays what the arguments ask for, and writes records where they name a file.

    Raises:
        GonzagaError: an argument has a value that it does not take.
    """
    num_players = players_of(arguments)
    rules = Rules(arguments.sea_league, arguments.first_check_round)
    config = GameConfig(num_players, arguments.scenario, arguments.edition, rules)
    _check_writable(arguments.records)
    agents = [make_agent(spec, config) for spec in arguments.agents]
    names = distinct_names([agent.name for agent in agents], arguments.agents)
    records: list[Record] = []
    with _progress() as on_progress:
        match = play_match(
            config,
            agents,
            [min(seat, len(agents) - 1) for seat in range(num_players)],
            num_deals=arguments.deals,
            seed=arguments.seed,
            on_progress=on_progress,
            on_records=None if arguments.records is None else records.extend,
            names=names,
        )
    if arguments.records is not None:
        _write(arguments.records, records)
    return config, summarise(match, names)


def players_of(arguments: Arguments) -> int:
    """Returns the number of players that is asked for, or that the agents imply."""
    specs = arguments.agents
    if not specs:
        raise OptionError("no agent is named; try: random greedy")
    trained = [checkpoint_players(spec) for spec in specs]
    implied = next((players for players in trained if players is not None), len(specs))
    possible = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    players = arguments.players
    if players is None:
        players = implied if implied in possible else MAX_PLAYERS
    if players not in possible:
        raise OptionError(f"players is {players}; it takes {MIN_PLAYERS} to {MAX_PLAYERS} (R1.1)")
    if len(specs) > players:
        raise OptionError(f"{len(specs)} agents are named for {players} players")
    return players


def distinct_names(names: Sequence[str], specs: Sequence[str]) -> list[str]:
    """Returns names that tell agents apart: where their own don't, the caller's, then numbered."""
    if len(set(names)) < len(names):
        names = specs
    counts = [names[: index + 1].count(name) for index, name in enumerate(names)]
    return [
        name if count == 1 else f"{name} #{count}"
        for name, count in zip(names, counts, strict=True)
    ]


def _check_writable(path: Path | None) -> None:
    """Finds out before hours of play that the records will have nowhere to go."""
    if path is None:
        return
    if (path.exists() and not path.is_file()) or not os.access(path.absolute().parent, os.W_OK):
        raise OptionError(f"records can't be written to {path}: no file in a folder to write to")


def _write(path: Path, records: list[Record]) -> None:
    try:
        write_records(path, records)
    except OSError as error:
        raise OptionError(f"records can't be written to {path}: {error.strerror}") from error


@contextmanager
def _progress() -> Iterator[Callable[[float], None]]:
    """Shows a bar on stderr if that is a terminal, so that stdout holds results only."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("playing", total=1.0)
        yield lambda done: progress.update(task, completed=done)
