"""`gonzaga tournament`: plays a tournament, rates the agents and shows the table."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

import tyro

from gonzaga_env.command_line import OK, WholeNumber, WholeNumbers, option_help, parse
from gonzaga_env.extras import import_matplotlib, install_hint
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import printable
from gonzaga_env.kernel.writing import check_no_link, check_regular, write_aside
from gonzaga_env.progress import progress

from ..executors import open_executor
from ..play.evaluate import draw_seed
from ..play.runner import MOST_DEALS
from ..play.standings import (
    Provenance,
    Session,
    Standings,
    as_json,
    as_markdown,
    comparison_lines,
    comparisons_as_json,
    game_line,
    outdated_lines,
    played_line,
    table_lines,
)
from ..play.tournament import GAMES, Tournament, read_seed
from ..play.tournament_games import identify_all
from ..registry import check_name, checkpoint_players
from .evaluate import warn_of_guesses
from .game_options import GameOptions

_DEALS, _LIMIT = 100, 2000
_FILES = "standings.json", "standings.md", "standings.png"  # in the folder


@dataclass(frozen=True)
class TournamentOptions(GameOptions):
    """Plays a tournament and rates the agents. Finished games are saved: the same command continues
    where it was interrupted, and with more agents or deals it plays only what is new.

    Examples:
        gonzaga tournament random greedy planner --players 2 3 4 --out runs/tournament
        gonzaga tournament planner greedy --until-decided
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, option_help("AGENT ...")]
    """random, greedy, planner, search, learned, a checkpoint (.zip), a run's folder, module:Class,
    file.py:Class or cmd:./bot."""
    players: Annotated[tuple[int, ...], option_help("INT ...")] = ()
    """Players, one number or several; by default a checkpoint's number, else 2."""
    deals: Annotated[WholeNumbers | None, option_help("INT")] = None
    """Deals of each table (100), each played once per player, or as 200,100 for each of --players.
    With --until-decided the most that are played (2000)."""
    tables: Annotated[WholeNumber | None, option_help("INT")] = None
    """Tables of 3 and of 4 players, a balanced sample; by default every mix of agents plays."""
    anchor: Annotated[str | None, option_help("AGENT")] = None
    """The one of the agents that is rated 1000; by default greedy or, without it, the first."""
    until_decided: Annotated[bool, option_help()] = False
    """Play one table, whose last agent fills the seats left, until the first agent's win share
    differs from a fair one; the error rate is 5% however long that takes."""
    out: Path = Path("runs/tournament")
    """Folder for games.jsonl, to which games are added, and for the tables."""
    seed: Annotated[WholeNumber | None, option_help("INT")] = None
    """Decides deals, seats and choices; by default that of the folder's games, or secret bits."""
    json: Annotated[bool, option_help()] = False
    """Print one JSON object instead of tables."""
    executor: Literal["local", "ray"] = "local"
    """Where games are played: on this machine, or on the Ray cluster of RAY_ADDRESS."""
    workers: Annotated[int | None, option_help("INT")] = None
    """How many processes play at the same time; by default one for each core."""


def main(arguments: Sequence[str]) -> int:
    options = parse(TournamentOptions, arguments, "gonzaga tournament")
    _check(options)
    try:
        if options.until_decided:
            _compare(options)
        else:
            _rank(options, arguments)
    except KeyboardInterrupt:
        kept = f"the games that ended are kept in {options.out / GAMES}"
        raise KeyboardInterrupt(kept, "the same command continues") from None
    warn_of_guesses(options.seed, "tournament")
    return OK


def _players(options: TournamentOptions) -> tuple[int, ...]:
    """Returns the numbers of players: those named, or a checkpoint's, or 2."""
    possible = game_spec(options.game_name).players
    if wrong := sorted({*options.players} - {*possible}):
        numbers = ", ".join(map(str, possible))
        raise OptionError(f"players is {wrong[0]}; it takes numbers of {numbers}")
    trained = [checkpoint_players(spec) for spec in options.agents]
    implied = next((number for number in trained if number), min(possible))
    return tuple(sorted({*options.players})) or (implied,)


def _deals(options: TournamentOptions, default: int) -> dict[int, int]:
    given = options.deals or (default,)
    if len(given) == 1:
        return dict.fromkeys(_players(options), given[0])
    if len(given) != len(options.players):
        raise OptionError(
            f"deals is {','.join(map(str, given))}; it takes one number, or one for each of "
            "--players"
        )
    return dict(zip(options.players, given, strict=True))


def _check(options: TournamentOptions) -> None:
    """Raises OptionError for a value out of range; OSError if a file could not be written later."""
    for name, lowest in {"deals": 1, "tables": 1, "seed": 0}.items():
        given = getattr(options, name)
        for value in given if isinstance(given, tuple) else (given,):
            if value is not None and value < lowest:
                raise OptionError(f"{name} is {value}; it takes {lowest} or more")
    if (most := max(options.deals or (0,))) > MOST_DEALS:
        raise OptionError(f"deals is {most}; it takes {MOST_DEALS:,} or less")
    if options.anchor not in (None, *options.agents):
        raise OptionError(f"anchor is {options.anchor}; it takes one of the agents named")
    check_name(options.out)
    check_no_link(options.out, TournamentOptions.out)
    if options.out.exists() and not options.out.is_dir():
        raise OptionError(f"{options.out} is a file; --out takes a folder")
    for file in _FILES:
        check_regular(options.out / file)
        if (options.out / file).exists() and not (options.out / GAMES).exists():
            raise OptionError(
                f"{options.out / file} is of no tournament, as {GAMES} is missing; take another "
                "--out"
            )
    for name in ("tables", "anchor"):
        if options.until_decided and getattr(options, name):
            raise OptionError(f"--until-decided plays one table; leave out --{name}")


@contextmanager
def _opened(options: TournamentOptions) -> Iterator[Tournament]:
    """Yields the tournament that arguments describe; its workers end with the block."""
    entrants, players = identify_all(options.agents), _players(options)
    seed, anchor = options.seed, options.anchor
    if seed is None:
        kept = read_seed(options.out / GAMES)
        seed = draw_seed() if kept is None else kept
    where = open_executor(options.executor, options.workers)
    with where as executor, progress("playing") as on_progress:
        yield Tournament(
            configs=tuple(options.config(options.agents, number) for number in players),
            entrants=tuple(entrants),
            seed=seed,
            out=options.out,
            executor=executor,
            session=Session(date.today().isoformat()),
            on_progress=on_progress,
            anchor=None if anchor is None else options.agents.index(anchor),
        )


def _compare(options: TournamentOptions) -> None:
    with _opened(options) as tournament:
        provenance, found = tournament.compare(_deals(options, _LIMIT))
    if options.json:
        print(json.dumps(comparisons_as_json(provenance, found)))
        return
    _print_provenance(options, provenance)
    for comparison in found:
        _print(["", *comparison_lines(comparison)])


def _rank(options: TournamentOptions, words: Sequence[str]) -> None:
    with _opened(options) as tournament:
        provenance, standings = tournament.rank(_deals(options, _DEALS), options.tables)
    _write(options.out, provenance, standings, words)
    if options.json:
        print(json.dumps(as_json(provenance, standings)))
        return
    _print_provenance(options, provenance)
    for table in standings:
        _print(table_lines(table))


def _print_provenance(options: TournamentOptions, provenance: Provenance) -> None:
    _print([game_line(provenance), played_line(provenance), f"Seed {provenance.header['seed']}."])
    _print([*outdated_lines(provenance), f"{options.out / GAMES} holds the games."])


def _print(lines: Iterable[str]) -> None:
    """Prints lines without control characters, since they may quote a file."""
    print(*map(printable, lines), sep="\n")


def _write(
    out: Path, provenance: Provenance, standings: Sequence[Standings], words: Sequence[str]
) -> None:
    """Writes the tables into the folder, and the figure where matplotlib is installed."""
    content = json.dumps(as_json(provenance, standings), indent=1)
    write_aside(out / "standings.json", content + "\n")
    figure: str | None = "standings.png"
    try:
        import_matplotlib()
    except ModuleNotFoundError as error:
        figure = None
        print(f"gonzaga tournament: no figure: {install_hint(error)}", file=sys.stderr)
    command = shlex.join(["gonzaga", "tournament", *words])
    write_aside(out / "standings.md", as_markdown(provenance, standings, command, figure))
    if figure is not None:
        from ..play.tournament_figure import draw

        write_aside(out / figure, draw(standings))
