"""`gonzaga analyse`: what decisions of recorded games were worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import tyro

from gonzaga_env.command_line import parse
from gonzaga_env.games import record_config, record_frames, record_spec
from gonzaga_env.show.page import Curves, page
from gonzaga_env.show.progress import Progress
from gonzaga_env.tabletop.bounded import printable
from gonzaga_env.tabletop.errors import EditionError, GameError, OptionError, RecordError
from gonzaga_env.tabletop.records import Record, read_record, read_records
from gonzaga_env.tabletop.records.log import Frame, LogLine
from gonzaga_env.tabletop.writing import check_writable, write_aside

from ..registry import agent_names
from ..search.budget import NAME as SEARCH
from .analyse import NUM_PLAYOUTS, AnalysedGame
from .analysis import Analysis, AnalysisError, Opinions, merged, record_digest
from .files import AnalysesFile
from .report import Summary, best_text, game_lines

_AGENT = "search@64"


@dataclass(frozen=True)
class AnalyseOptions:
    """Shows what decisions of recorded games were worth, from what the seat knew.

    Each player's chances of winning by move, and what agents think of each decision: what was best,
    and the chance that was lost. With --out, an interrupted command goes on where it stopped.

    Examples:
        gonzaga analyse games.jsonl --game 1
        gonzaga analyse games.jsonl --agent planner --out analyses.jsonl
    """

    file: tyro.conf.Positional[Path]
    """A file of records, one game a line."""
    game: int | None = None
    """One game, from 1; all by default."""
    agent: tuple[str, ...] = ()
    """Whose opinions are wanted; search@64 by default."""
    playouts: int = NUM_PLAYOUTS
    """Playouts from each position, for the chances."""
    seed: int = 0
    """Decides what agents draw."""
    edition: str | None = None
    """The edition's folder, where it is not found by the name in the records."""
    out: Path | None = None
    """Adds the analyses to a file, one line a game."""
    html: Path | None = None
    """Writes a page of the game; it takes --game."""


def main(arguments: Sequence[str]) -> int:
    """Analyses games, prints what they say, and returns the exit code, 0.

    Raises:
        GameError: a record is wrong, there is no such game or agent, or the agent cannot say what
            it considers.
        OSError: a file cannot be written.
    """
    options = parse(AnalyseOptions, arguments, "gonzaga analyse")
    for name, lowest in (("playouts", 1), ("seed", 0)):
        if getattr(options, name) < lowest:
            raise OptionError(f"{name} is {getattr(options, name)}; it takes {lowest} or more")
    if options.html is not None and options.game is None:
        raise OptionError("--html shows one game; add --game N")
    if options.html is not None:
        if options.html.suffix != ".html":
            raise OptionError(f"--html is {str(options.html)!r}; it ends in .html")
        check_writable(options.html)
    summary, games = Summary(), 0
    with nullcontext() if options.out is None else AnalysesFile(options.out) as kept:
        for number, record in _games(options):
            title = f"{options.file.name}, game {number}"
            known = None if kept is None else kept.get(record_digest(record))
            if known is not None:
                _check_of(known, record, title, options)
            searches = SEARCH in agent_names(record_spec(record).name)
            agents = tuple(dict.fromkeys(options.agent or ([_AGENT] if searches else [])))
            if known is None or any(known.of(agent) is None for agent in agents):
                known = _analysed(record, agents, title, options)
                if kept is not None:
                    kept.add(known)
            summary.add(known)
            games += 1
            _say(game_lines(known, title))
            if options.html is not None:
                write_aside(options.html, analysis_page(record, known, title, options.edition))
                print(f"wrote {options.html}")
    if games > 1:
        _say(["", *summary.lines()])
    if options.out is not None:
        print(f"wrote {options.out}")
    return 0


def _say(lines: Iterable[str]) -> None:
    """Prints lines without control characters, since they may quote a file."""
    print(*map(printable, lines), sep="\n", flush=True)


def _check_of(known: Analysis, record: Record, title: str, options: AnalyseOptions) -> None:
    """Raises AnalysisError if the file's analysis of a record contradicts the record."""
    if (difference := known.contradicts(record)) is not None:
        raise AnalysisError(
            f"{options.out}: the analysis of {title} has {difference}; remove its line"
        )


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


def _analysed(
    record: Record, agents: tuple[str, ...], title: str, options: AnalyseOptions
) -> Analysis:
    """Returns the analysis of a game; a line on the terminal shows how far it is."""
    try:
        game = AnalysedGame(record, options.edition, options.seed)
    except EditionError:
        raise
    except GameError as error:
        raise RecordError(f"{title}: {error}") from error
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


def analysis_page(record: Record, analysis: Analysis, title: str, edition: Any = None) -> str:
    """Returns a self-contained page that steps through a game, with its curve and what was best.

    Args:
        record: the record.
        analysis: its analysis.
        title: what the game is called.
        edition: the edition; None for that of the record.
    """
    frames = [_noted(frame, analysis) for frame in record_frames(record, edition)]
    curves = Curves(
        "Chances of winning", "chance", [list(c) for c in zip(*analysis.chances, strict=True)]
    )
    return page(record_config(record, edition).edition, frames, title, curves=curves)


def _noted(frame: Frame, analysis: Analysis) -> Frame:
    """Returns a frame with a line for each agent that would have decided better."""
    notes = [
        LogLine(None, f"{opinions.agent}: {grade}, {best_text(opinions, frame.move - 1)}")
        for opinions in analysis.opinions
        if frame.move and (grade := opinions.grade(frame.move - 1)) is not None
    ]
    return replace(frame, lines=(*frame.lines, *notes))
