"""The command `evaluate --tournament`: plays a tournament, rates the agents and shows the table."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console
from rich.markup import escape

from gonzaga_env.command_line import INTERRUPTED, OK
from gonzaga_env.extras import extra_needed, install_hint
from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.writing import check_regular, check_writable, write_aside

from ..common.checkout import find_commit
from ..common.command_line import WholeNumber, WholeNumbers, called_as, parse, progress, shown
from ..evaluation.command import BotOptions, GameOptions, warn_of_guesses
from ..evaluation.match import draw_seed
from ..evaluation.report import wide_console
from ..outside.spec import with_on_failure
from ..registry import checkpoint_players
from ..units.entrants import identify_all
from ..units.games import MOST_DEALS
from ..units.options import ExecutorOptions
from ..units.play import OnProgress, ignore
from ..units.work import Executor
from .report import (
    as_csv,
    as_json,
    as_markdown,
    comparison_lines,
    comparisons_as_json,
    game_line,
    outdated_lines,
    played_line,
    show,
    with_other_games,
)
from .results import Session, read_seed
from .schedule import Shard
from .standings import Standings
from .tournament import GAMES, Provenance, Tournament

_DEALS, _LIMIT = 100, 2000
_FILES = "standings.json", "standings.md", "standings.png", "standings.csv"  # in the folder


@dataclass(frozen=True)
class Arguments(GameOptions, ExecutorOptions, BotOptions):
    """Plays a tournament and rates the agents. Finished games are saved: the same command continues
    where it was interrupted, and with more agents or deals it plays only what is new.

    Examples:
        gonzaga-evaluate --tournament random greedy planner --players 2 3 4 --out runs/tournament
        gonzaga-evaluate --until-decided planner greedy
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, shown("AGENT ...")]
    """random, greedy, planner, search, learned, a checkpoint (.zip), a run's folder, module:Class,
    file.py:Class or cmd:./bot."""
    tournament: Annotated[bool, shown()] = False
    """Play a tournament, not a single match; --until-decided, --shard and --merge imply it."""
    players: Annotated[
        tuple[tuple[str, ...], ...], tyro.conf.UseAppendAction, shown("INT ...")
    ] = ()
    """Players, one number or several; by default a checkpoint's number, else 2."""
    deals: Annotated[WholeNumbers | None, shown("INT")] = None
    """Deals of each table (100), each played once per player; 200,100 plays 200 with the first of
    --players and 100 with the second. With --until-decided the most that are played (2000)."""
    tables: Annotated[WholeNumber | None, shown("INT")] = None
    """Tables of 3 and of 4 players, a balanced sample; by default every mix of agents plays."""
    anchor: Annotated[str | None, shown("AGENT")] = None
    """The one of the agents that is rated 1000; by default greedy or, without it, the first."""
    until_decided: Annotated[bool, shown()] = False
    """Play one table, whose last agent fills the seats left, until the first agent's win share
    differs from a fair one; the error rate is 5% however long that takes."""
    out: Path = Path("runs/tournament")
    """Folder for games.jsonl, to which games are added, and for the tables."""
    shard: Annotated[str | None, shown("I/N")] = None
    """Play only the I-th of N shares, such as 1/3, which other machines complete; takes --seed."""
    merge: Annotated[tuple[Path, ...] | None, shown("FOLDER ...")] = None
    """Play nothing: add the games of these folders, made by --shard, to --out and rate the agents.
    Folders of another tournament are refused, and missing games are named."""
    seed: Annotated[WholeNumber | None, shown("INT")] = None
    """Decides deals, seats and choices. By default the seed of the folder's games or, for a new
    folder, 128 secret bits, which are kept with the games."""
    fresh_seed: Annotated[bool, shown()] = False
    """Deprecated in 0.21: the default without --seed."""
    json: Annotated[bool, shown()] = False
    """Print one JSON object instead of tables."""
    markdown: Annotated[Path | None, shown("FILE")] = None
    """Write the tables to this file too, as a page; on a leaderboard, other games' parts stay."""
    figure: Annotated[Path | None, shown("FILE")] = None
    """Write the figure (PNG) to this file too, and its data beside it (.csv); the page shows it."""
    date: Annotated[str | None, shown("TEXT")] = None
    """The date to store with new games; by default today's."""
    commit: Annotated[str | None, shown("TEXT")] = None
    """The commit to store with new games; by default the checkout's."""


def main() -> int:
    """Parses the command line, plays and shows the tables.

    Returns:
        The exit code: 0, or 130 after Ctrl-C.

    Raises:
        GameError: an argument has a value that it does not take, or the results are broken.
    """
    arguments = parse(Arguments)
    bots = with_on_failure(arguments.agents, arguments.on_failure)
    renamed: dict[str | None, str] = dict(zip(arguments.agents, bots, strict=True))
    anchor = renamed.get(arguments.anchor, arguments.anchor)
    arguments = replace(arguments, agents=bots, anchor=anchor)
    _check(arguments)
    try:
        if arguments.until_decided:
            _compare(arguments)
        elif arguments.shard is not None:
            _play_share(arguments, Shard.parse(arguments.shard))
        else:
            _rank(arguments)
    except KeyboardInterrupt:
        kept = f"the games that ended are kept in {arguments.out / GAMES}"
        print(f"evaluate: interrupted; {kept}; the same command continues", file=sys.stderr)
        return INTERRUPTED
    warn_of_guesses(arguments.seed)
    return OK


def tournament_of(
    arguments: Arguments,
    on_progress: OnProgress = ignore,
    executor: Executor | None = None,
) -> Tournament:
    """Returns the tournament that arguments describe; without an executor it opens its own.

    Raises:
        GameError: an argument has a value that it does not take.
    """
    entrants = identify_all(arguments.agents)
    return Tournament(
        configs=tuple(
            arguments.config(arguments.agents, players) for players in _players(arguments)
        ),
        entrants=tuple(entrants),
        seed=_seed(arguments),
        out=arguments.out,
        executor=arguments.open_executor() if executor is None else executor,
        session=Session(
            date.today().isoformat() if arguments.date is None else arguments.date,
            find_commit() if arguments.commit is None else arguments.commit,
        ),
        on_progress=on_progress,
        anchor=None if arguments.anchor is None else arguments.agents.index(arguments.anchor),
    )


def _seed(arguments: Arguments) -> int:
    """Returns the seed: given, kept in the folder's games or those to be merged, or drawn."""
    if arguments.seed is not None:
        return arguments.seed
    kept = [read_seed(folder / GAMES) for folder in (arguments.out, *(arguments.merge or ()))]
    found = next((seed for seed in kept if seed is not None), None)
    if found is None and arguments.shard is not None:
        raise OptionError("--shard takes --seed, the same for all shards")
    return draw_seed() if found is None else found


def _players(arguments: Arguments) -> tuple[int, ...]:
    """Returns the numbers of players: those named, or a checkpoint's, or 2."""
    possible = {str(number): number for number in game_spec(arguments.game_name).players}
    named = {text for texts in arguments.players for text in texts or ("nothing",)}
    if wrong := sorted(named - set(possible)):
        raise OptionError(f"players is {wrong[0]}; it takes numbers of {', '.join(possible)}")
    trained = [checkpoint_players(spec) for spec in arguments.agents]
    implied = next((number for number in trained if number), min(possible.values()))
    return tuple(possible[text] for text in sorted(named)) or (implied,)


def _deals(arguments: Arguments, default: int) -> dict[int, int]:
    """Returns the deals for each number of players."""
    players, given = _players(arguments), arguments.deals or (default,)
    if len(given) == 1:
        return dict.fromkeys(players, given[0])
    named = [int(text) for texts in arguments.players for text in texts]
    if len(given) != len(named):
        raise OptionError(
            f"deals is {','.join(map(str, given))}; it takes one number, or one for each of "
            "--players"
        )
    return dict(zip(named, given, strict=True))


def _check(arguments: Arguments) -> None:
    """Raises OptionError for a value out of range; OSError if a file could not be written later."""
    least = {"deals": 1, "tables": 1, "workers": 1, "seed": 0}
    for name, lowest in least.items():
        given = getattr(arguments, name)
        for value in given if isinstance(given, tuple) else (given,):
            if value is not None and value < lowest:
                raise OptionError(f"{name} is {value}; it takes {lowest} or more")
    if (most := max(arguments.deals or (0,))) > MOST_DEALS:
        raise OptionError(f"deals is {most}; it takes {MOST_DEALS:,} or less")
    if arguments.anchor not in (None, *arguments.agents):
        raise OptionError(f"anchor is {arguments.anchor}; it takes one of the agents named")
    if arguments.fresh_seed and arguments.seed is not None:
        raise OptionError("--fresh-seed draws the seed; leave out --seed")
    if arguments.fresh_seed:
        print("evaluate: --fresh-seed is deprecated: leave it out", file=sys.stderr)
    if arguments.out.exists() and not arguments.out.is_dir():
        raise OptionError(f"{arguments.out} is a file; --out takes a folder")
    for name in ("markdown", "figure"):
        path = getattr(arguments, name)
        if path is not None and arguments.until_decided:
            raise OptionError(f"--until-decided makes no {name}; leave out --{name}")
        try:
            if path is not None:
                check_writable(path)
        except OSError as error:
            reason = f"{error.strerror}: --{name} takes a file in a folder"
            raise OptionError(f"{path} can't be written: {reason}") from error
    for name in _FILES:
        check_regular(arguments.out / name)
    if arguments.figure is not None and arguments.figure.suffix.lower() == ".csv":
        raise OptionError(f"{arguments.figure} takes the figure's data; --figure takes a .png")
    for name in ("tables", "anchor", "shard", "merge"):
        if arguments.until_decided and getattr(arguments, name):
            raise OptionError(f"--until-decided plays one table; leave out --{name}")
    if arguments.merge == ():
        raise OptionError("merge is empty; it takes the folders of --shard")
    if arguments.shard is not None:
        Shard.parse(arguments.shard)
        if arguments.merge:
            raise OptionError("--shard plays games and --merge joins them; leave out one of them")
    if arguments.figure is not None:
        with extra_needed():
            from .figure import draw  # noqa: F401  a missing library shows before hours of play


@contextmanager
def _opened(arguments: Arguments) -> Iterator[Tournament]:
    """Yields the tournament that arguments describe; its workers end with the block."""
    with arguments.open_executor() as executor, progress("playing") as on_progress:
        yield tournament_of(arguments, on_progress, executor)


def _compare(arguments: Arguments) -> None:
    """Plays sequential tests and shows what they found."""
    with _opened(arguments) as tournament:
        provenance, found = tournament.compare(_deals(arguments, _LIMIT))
    if arguments.json:
        print(json.dumps(comparisons_as_json(provenance, found)))
        return
    console = wide_console()
    _show_provenance(arguments, provenance, console)
    for comparison in found:
        _print_lines(console, ["", *comparison_lines(comparison)])


def _play_share(arguments: Arguments, shard: Shard) -> None:
    """Plays a share of a tournament and says where its games are."""
    with _opened(arguments) as tournament:
        games = tournament.play_share(shard, _deals(arguments, _DEALS), arguments.tables)
    file = arguments.out / GAMES
    if arguments.json:
        print(json.dumps({"shard": list(shard), "games": games, "file": str(file)}))
    else:
        print(f"{file} holds the {games:,} games of shard {arguments.shard}; --merge joins shards.")


def _rank(arguments: Arguments) -> None:
    """Plays or joins a tournament, writes its tables and shows them."""
    deals, tables = _deals(arguments, _DEALS), arguments.tables
    with _opened(arguments) as tournament:
        if arguments.merge:
            provenance, standings = tournament.join(arguments.merge, deals, tables)
        else:
            provenance, standings = tournament.rank(deals, tables)
    _write(arguments, provenance, standings)
    if arguments.json:
        print(json.dumps(as_json(provenance, standings)))
        return
    console = wide_console()
    _show_provenance(arguments, provenance, console)
    for table in standings:
        show(table, console)


def _show_provenance(arguments: Arguments, provenance: Provenance, console: Console) -> None:
    lines = [game_line(provenance), played_line(provenance), f"Seed {provenance.header['seed']}."]
    held = f"{arguments.out / GAMES} holds the games."
    _print_lines(console, [*lines, *outdated_lines(provenance), held])


def _print_lines(console: Console, lines: Sequence[str]) -> None:
    for line in lines:
        console.print(escape(line), highlight=False, soft_wrap=True)


def _write(arguments: Arguments, provenance: Provenance, standings: Sequence[Standings]) -> None:
    """Writes the tables into the folder, and to the files that the arguments name."""
    out, content = arguments.out, json.dumps(as_json(provenance, standings), indent=1)
    write_aside(out / "standings.json", content + "\n")
    picture = _draw(standings)
    for page, figure in (
        (out / "standings.md", out / "standings.png"),
        (arguments.markdown, arguments.figure),
    ):
        if picture is not None and figure is not None:
            write_aside(figure, picture)
            write_aside(figure.with_suffix(".csv"), as_csv(standings))
        if page is not None:
            has_explanation = (page.parent / "tournaments.md").exists()
            text = as_markdown(
                provenance,
                standings,
                command=shlex.join([*called_as(), *sys.argv[1:]]),
                figure=None
                if picture is None or figure is None
                else Path(os.path.relpath(figure, page.parent)).as_posix(),
                explanation="tournaments.md" if has_explanation else None,
            )
            before = page.read_text("utf-8", "replace") if page.is_file() else ""
            write_aside(page, with_other_games(text, before))


def _draw(standings: Sequence[Standings]) -> bytes | None:
    """Returns the figure; without matplotlib None, and a line that says what to install."""
    try:
        from .figure import draw
    except ModuleNotFoundError as error:
        hint = install_hint(error)
        if hint is None:
            raise
        print(f"evaluate: no figure: {hint}", file=sys.stderr)
        return None
    return draw(standings)
