"""The command `python -m gonzaga_agents.dataset`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from gonzaga_env.extras import extra_needed
from gonzaga_env.tabletop.rewards import Reward

from ..common.command_line import WholeNumber, parse, progress, run_verb, shown
from ..evaluation.command import GameOptions, warn_of_guesses
from ..evaluation.game import players_for
from ..evaluation.match import draw_seed
from ..units.entrants import identify
from ..units.executors import ExecutorOptions
from .folder import LICENSE, MANIFEST, Dataset, open_dataset, read_manifest
from .recipe import Deals, recipe_of
from .write import write_games, write_parquet

_HELP = """\
python -m gonzaga_agents.dataset write AGENT ... --games N --out FOLDER    plays games
python -m gonzaga_agents.dataset parquet FOLDER --out FOLDER               writes Parquet files
python -m gonzaga_agents.dataset minari FOLDER --name ID                   writes Minari's format

Each of them takes --help; docs/data.md explains them."""


@dataclass(frozen=True)
class WriteArguments(GameOptions, ExecutorOptions):
    """Plays games of any agents and keeps the deals and the actions, about 1.4 bytes a decision.
    The same command continues where it was interrupted.

    Examples:
        python -m gonzaga_agents.dataset write planner greedy --games 1000 --out runs/games
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, shown("AGENT ...")]
    """random, greedy, planner, search, learned, a checkpoint (.zip), a run's folder, module:Class
    or file.py:Class. The last agent fills the remaining seats."""
    out: Annotated[Path, shown("FOLDER")]
    """The folder for the games and their card."""
    games: Annotated[WholeNumber, shown("INT")]
    """Games in all."""
    players: Annotated[int | None, shown("INT")] = None
    """Players; by default a checkpoint's number, else the number of agents, 4 for one agent."""
    deals: Annotated[Deals | None, shown("rotated|independent")] = None
    """rotated plays every deal once per player, so that every agent has every hand; independent
    plays it once, with seats drawn. By default rotated for several agents."""
    seed: Annotated[WholeNumber | None, shown("INT")] = None
    """Decides deals, seats and choices. By default the seed of the folder or, for a new one, 128
    secret bits, which are kept with the games."""
    license: str = LICENSE
    """What the card says of the licence, as an identifier of SPDX."""


@dataclass(frozen=True)
class _Converting:
    """What conversions take."""

    folder: Annotated[Path, tyro.conf.Positional, shown("FOLDER")]
    """The folder of the games."""
    reward: Reward = "outcome"
    """What rewards and returns count: the victory, own points, or points ahead of the others."""
    edition: Annotated[str | None, shown("EDITION")] = None
    """The edition, if its folder is not where it was."""


@dataclass(frozen=True, kw_only=True)
class ParquetArguments(_Converting):
    """Writes the decisions of a folder of games as Parquet files, with a card that Hugging Face
    reads. The same command continues where it was interrupted.

    Examples:
        python -m gonzaga_agents.dataset parquet runs/games --out runs/parquet
    """

    out: Annotated[Path, shown("FOLDER")]
    """The folder for the files."""
    arrays: bool = False
    """Write observations and masks as lists of numbers, which `datasets` reads as arrays; bytes are
    read ten times as fast."""


@dataclass(frozen=True, kw_only=True)
class MinariArguments(_Converting):
    """Writes the games of a folder for Minari: every seat of every game is an episode.

    Examples:
        python -m gonzaga_agents.dataset minari runs/games --name gonzaga/planner-v0
    """

    name: Annotated[str, shown("ID")]
    """Minari's name of the data set, such as gonzaga/planner-v0."""


def main() -> int:
    """Runs the subcommand that the command line names.

    Returns:
        The exit code: 0, 2 for a mistake, or 130 after Ctrl-C.

    Raises:
        GameError: an argument has a value that it does not take, or a data set is broken.
    """
    verbs = {"write": _write, "parquet": _parquet, "minari": _minari}
    kept = "what is done is kept, and the same command continues"
    return run_verb("dataset", verbs, _HELP, {"write": kept, "parquet": kept})


def _write() -> None:
    arguments = parse(WriteArguments, verb="write")
    specs, out = arguments.agents, arguments.out
    players = players_for(specs, arguments.players, arguments.game_name)
    config = arguments.config(specs, players)
    seed = _seed(arguments.seed, out)
    entrants = [identify(spec) for spec in specs]
    recipe = recipe_of(config, entrants, arguments.games, arguments.deals, seed)
    with progress("playing") as move, arguments.open_executor() as executor:
        dataset = write_games(recipe, out, executor, arguments.license, move)
    _say(dataset)
    warn_of_guesses(arguments.seed, "dataset")


def _parquet() -> None:
    arguments = parse(ParquetArguments, verb="parquet")
    dataset = open_dataset(arguments.folder, arguments.edition)
    with progress("writing") as move:
        rows = write_parquet(dataset, arguments.out, arguments.reward, move, arguments.arrays)
    print(f"{rows:,} decisions of {dataset.about['games']:,} games are in {arguments.out}")


def _minari() -> None:
    arguments = parse(MinariArguments, verb="minari")
    dataset = open_dataset(arguments.folder, arguments.edition)
    with extra_needed():
        from .minari import write_minari
    with progress("writing") as move:
        steps = write_minari(dataset, arguments.name, arguments.reward, move)
    print(f"{steps:,} decisions of {dataset.about['games']:,} games are Minari's {arguments.name}")


def _seed(given: int | None, out: Path) -> int:
    """Returns the seed: given, the folder's, or a drawn one."""
    if given is not None or not (out / MANIFEST).exists():
        return draw_seed() if given is None else given
    kept = read_manifest(out).get("seed")
    return kept if isinstance(kept, int) else draw_seed()


def _say(dataset: Dataset) -> None:
    size = sum(shard.stat().st_size for shard in dataset.shards)
    print(
        f"{dataset.about['games']:,} games are in {dataset.path}, {size / 1e3:,.0f} kB; "
        f"seed {dataset.about['seed']}"
    )
