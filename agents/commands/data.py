"""`gonzaga data`: plays games and keeps them as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from gonzaga_env.command_line import OK, WholeNumber, choose_verb, option_help, parse
from gonzaga_env.games import DEFAULT_GAME, edition_game, game_name
from gonzaga_env.progress import progress

from ..data.export import write_minari, write_parquet
from ..data.write import write_games
from ..executors import open_executor
from ..play.evaluate import config_for, players_for

_VERBS = {
    "write": "play games of agents and write their records into a folder",
    "parquet": "write what each seat saw and did in recorded games as Parquet files",
    "minari": "write recorded games for Minari, an episode a seat",
}


@dataclass(frozen=True)
class WriteOptions:
    """Plays games of any agents and writes their records. The same command continues.

    Examples:
        gonzaga data write planner greedy --games 1000 --out runs/games
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, option_help("AGENT ...")]
    """Agents, as `gonzaga evaluate` takes them; the last one fills the remaining seats."""
    out: Annotated[Path, option_help("FOLDER")]
    """The folder for the records."""
    games: Annotated[WholeNumber, option_help("INT")]
    """Games in all."""
    game: Annotated[str | None, option_help("NAME")] = None
    """The game; by default the edition's, else gonzaga."""
    edition: Annotated[str | None, option_help("EDITION")] = None
    """A shipped edition's name or a folder; by default the game's usual one."""
    players: Annotated[int | None, option_help("INT")] = None
    """Players; by default a checkpoint's number, else the number of agents, the most for one."""
    seed: Annotated[WholeNumber | None, option_help("INT")] = None
    """Decides deals, seats and choices; by default the folder's or, for a new one, secret bits."""


@dataclass(frozen=True)
class ParquetOptions:
    """Writes the decisions of recorded games as Parquet files.

    Examples:
        gonzaga data parquet runs/games --out runs/parquet
    """

    records: Annotated[Path, tyro.conf.Positional, option_help("PATH")]
    """A file or a folder of records."""
    out: Annotated[Path, option_help("FOLDER")]
    """The folder for the files."""


@dataclass(frozen=True)
class MinariOptions:
    """Writes recorded games for Minari: every seat of every game is an episode.

    Examples:
        gonzaga data minari runs/games --name gonzaga/planner-v0
    """

    records: Annotated[Path, tyro.conf.Positional, option_help("PATH")]
    """A file or a folder of records."""
    name: Annotated[str, option_help("ID")]
    """Minari's name of the data set."""


def main(arguments: Sequence[str]) -> int:
    prog, rest = "gonzaga data", arguments[1:]
    verb = choose_verb(arguments, _VERBS, prog, "Plays games and keeps them as data.")
    if verb == "write":
        _write(parse(WriteOptions, rest, f"{prog} write"))
    elif verb == "parquet":
        chosen = parse(ParquetOptions, rest, f"{prog} parquet")
        with progress("writing") as move:
            rows = write_parquet(chosen.records, chosen.out, on_progress=move)
        print(f"{rows:,} decisions are in {chosen.out}")
    elif verb == "minari":
        wanted = parse(MinariOptions, rest, f"{prog} minari")
        with progress("writing") as move:
            steps = write_minari(wanted.records, wanted.name, on_progress=move)
        print(f"{steps:,} decisions are Minari's {wanted.name}")
    return OK


def _write(options: WriteOptions) -> None:
    agents, given = options.agents, options.game
    game = game_name(given) if given else edition_game(options.edition) or DEFAULT_GAME
    players = players_for(agents, options.players, game)
    config = config_for(agents, players, game, options.edition)
    with progress("playing") as move, open_executor() as executor:
        write_games(
            *(config, agents, options.out, options.games),
            seed=options.seed,
            executor=executor,
            on_progress=move,
        )
    print(f"{options.games:,} games are in {options.out}")
