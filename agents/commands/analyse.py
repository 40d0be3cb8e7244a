"""`gonzaga analyse`: values the decisions of recorded games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import tyro

from gonzaga_env.command_line import OK, WholeNumber, option_help, parse
from gonzaga_env.games import record_spec
from gonzaga_env.kernel.agent import ask_choices
from gonzaga_env.kernel.errors import EditionError, GameError, OptionError, RecordError
from gonzaga_env.kernel.messages import printable
from gonzaga_env.kernel.records import Record, read_record, read_records
from gonzaga_env.kernel.writing import check_writable, open_aside, write_aside
from gonzaga_env.progress import Progress

from ..analysis.analysis import NUM_PLAYOUTS, AnalysedGame, Analysis, Opinions, merged
from ..analysis.report import Summary, analysis_page, choice_lines, game_lines
from ..registry import agent_names
from ..search.agent import NAME as SEARCH

_AGENT = "search@64"


@dataclass(frozen=True)
class AnalyseOptions:
    """Shows who was ahead in recorded games, and what agents think of each decision, from what the
    seat knew: what was best, and the chance that was lost.

    Examples:
        gonzaga analyse games.jsonl --game 1
        gonzaga analyse games.jsonl --game 1 --move 7 --agent greedy
    """

    file: Annotated[Path, tyro.conf.Positional, option_help("FILE")]
    """A file of records."""
    game: Annotated[int | None, option_help("N")] = None
    """One game, from 1; all by default."""
    move: Annotated[int | None, option_help("M")] = None
    """Shows what the agents consider before one move, from 1, and nothing else; takes --game."""
    agent: Annotated[tuple[str, ...], option_help("AGENT ...")] = ()
    """Whose opinions are wanted (search@64)."""
    playouts: WholeNumber = NUM_PLAYOUTS
    """Playouts from each position, for the chances of winning."""
    edition: Annotated[str | None, option_help("PATH")] = None
    """The edition's folder, if it is not the one named in the records."""
    out: Annotated[Path | None, option_help("FILE")] = None
    """Writes the analyses as JSON, one line a game; as .html a page of one game, with --game."""


def main(arguments: Sequence[str]) -> int:
    options = parse(AnalyseOptions, arguments, "gonzaga analyse")
    if not 1 <= options.playouts <= 10_000:  # of 100,000, a position takes gigabytes
        raise OptionError(f"playouts is {options.playouts}; it takes 1 to 10,000")
    makes_page = options.out is not None and options.out.suffix == ".html"
    if options.game is None and (makes_page or options.move is not None):
        raise OptionError("--move and a page show one game; add --game N")
    if options.move is not None:
        _say(_considered(options))
        return OK
    if options.out is not None:
        check_writable(options.out, [options.file])
    lines = None if makes_page else options.out
    summary = Summary()
    with nullcontext() if lines is None else open_aside(lines) as out:
        for number, record in _games(options):
            title = f"{options.file.name}, game {number}"
            analysis = _analysed(record, title, options)
            summary.add(analysis)
            if out is not None:
                out.write(f"{analysis.as_json()}\n".encode())
            _say(game_lines(analysis, title))
            if makes_page and options.out is not None:
                write_aside(options.out, analysis_page(record, analysis, title, options.edition))
                print(f"wrote {options.out}")
    if summary.num_games > 1:
        _say(["", *summary.lines()])
    return OK


def _say(lines: Iterable[str]) -> None:
    """Prints lines without control characters, since they may quote a file."""
    print(*map(printable, lines), sep="\n", flush=True)


def _games(options: AnalyseOptions) -> Iterator[tuple[int, Record]]:
    """Yields number and record of the games that are wanted."""
    if options.game is not None:
        yield options.game, read_record(options.file, options.game)
        return
    number = 0
    for number, record in enumerate(read_records(options.file), start=1):
        yield number, record
    if not number:
        raise RecordError(f"{options.file}: holds no games")


def _agents(record: Record, options: AnalyseOptions) -> tuple[str, ...]:
    """Returns who is asked: by default a search, where the game has one."""
    searches = SEARCH in agent_names(record_spec(record).name)
    return tuple(dict.fromkeys(options.agent or ([_AGENT] if searches else [])))


def _replayed(record: Record, title: str, options: AnalyseOptions) -> AnalysedGame:
    try:
        return AnalysedGame(record, options.edition)
    except EditionError:
        raise
    except GameError as error:
        raise RecordError(f"{title}: {error}") from error


def _considered(options: AnalyseOptions) -> Iterator[str]:
    """Yields what agents consider before one move of a game."""
    assert options.game is not None
    assert options.move is not None
    record, title = read_record(options.file, options.game), f"game {options.game}"
    game = _replayed(record, title, options)
    if not 1 <= options.move <= len(game.decisions):
        raise OptionError(f"{title} has moves 1 to {len(game.decisions)}, not {options.move}")
    decision, engine = game.decisions[options.move - 1], game.alone(options.move - 1)
    title += f", move {options.move}, round {decision.round}, seat {decision.seat}, {decision.kind}"
    for agent in _agents(record, options):
        found = ask_choices(game.agent(agent), agent, engine, 0)
        yield from choice_lines(engine, found, decision.action, title, agent)


def _analysed(record: Record, title: str, options: AnalyseOptions) -> Analysis:
    """Returns the analysis of a game; a line on the terminal shows how far it is."""
    game, agents = _replayed(record, title, options), _agents(record, options)
    moves, found = len(game.decisions), list[Opinions]()
    with Progress("analysing", moves * len(agents)) as progress:
        for agent in agents:
            parts: list[Opinions] = []
            for part in game.opinions(game.agent(agent), agent):
                parts.append(part)
                done = len(found) * moves + sum(len(one.decisions) for one in parts)
                progress.update(done, f"{title}, {agent}")
            found.append(merged(parts))
    chances = tuple(chain.from_iterable(game.chances(options.playouts)))
    return replace(game.start(), chances=chances, opinions=tuple(found))
