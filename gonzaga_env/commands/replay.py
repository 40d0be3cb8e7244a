"""`gonzaga replay`: verifies all games of a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import tyro

from gonzaga_env.command_line import parse
from gonzaga_env.games import game_spec, named_game
from gonzaga_env.kernel.errors import OptionError, RecordError
from gonzaga_env.kernel.messages import printable, short_repr
from gonzaga_env.kernel.records import Entry, Fault, read_entries, with_few_editions
from gonzaga_env.progress import Progress

_LISTED = 20  # wrong lines that are reported
_LONGEST = 500  # characters of a reported line


@dataclass(frozen=True)
class ReplayOptions:
    """Replays all games of a file and compares everything in them with the rules.

    Wrong lines are reported with the reason, up to 20 of them; the exit code is 2 if there are any.

    Examples:
        gonzaga replay games.jsonl
    """

    file: tyro.conf.Positional[Path]
    """A file of records, one game a line."""
    edition: str | None = None
    """The edition's folder, where it is not found by the name in the records."""


def main(arguments: Sequence[str]) -> int:
    """Verifies the games of a file, and prints a summary; RecordError if games are wrong."""
    options = parse(ReplayOptions, arguments, "gonzaga replay")
    file, right, wrong = options.file, 0, 0
    has_records, listed = False, list[str]()
    with Progress("verifying", _size(file)) as progress:
        for entry, fault in verify(read_entries(file), options.edition):
            right, wrong = right + (fault is None), wrong + (fault is not None)
            has_records |= isinstance(entry.record, dict) and "moves" in entry.record
            if fault is not None and wrong <= _LISTED:
                text = printable(str(fault).partition("\n")[0])
                text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
                listed.append(f"line {entry.line}: {text}")
            if has_records and listed:
                progress.erase()
                print(*listed, sep="\n", file=sys.stderr)
                listed.clear()
            progress.update(entry.end, f"{right + wrong:,} games, {wrong:,} wrong")
    if not has_records:  # another file, whose lines are all wrong
        raise RecordError(f"{file}: holds no games" + (f"; {listed[0]}" if listed else ""))
    if wrong > _LISTED:
        print(f"and {wrong - _LISTED:,} more", file=sys.stderr)
    summary = f"{file}: {right:,} game{'s' * (right != 1)} verified, {wrong:,} wrong"
    if wrong:
        raise RecordError(summary)
    print(summary)
    return 0


def verify(entries: Iterable[Entry], edition: str | None) -> Iterator[tuple[Entry, Fault | None]]:
    """Yields each line of a file, which may hold several games, with what is wrong with it.

    Raises:
        OptionError: an edition is given, which is of one game, and there are records of another.
    """
    first: str | None = None
    few = with_few_editions(entries) if edition is None else entries
    for name, lines in groupby(few, _game):
        first = name if first is None else first
        if edition is not None and name != first:
            games = f"{short_repr(first)} and {short_repr(name)}"
            raise OptionError(f"edition is of one game, but there are records of {games}")
        yield from _verifier(name)(lines, edition)


def _game(entry: Entry) -> str:
    return named_game(entry.record if isinstance(entry.record, dict) else {})


def _verifier(game: str) -> Callable[..., Iterable[tuple[Entry, Fault | None]]]:
    """Returns what verifies records of a game, or what refuses all lines of an unknown one."""
    try:
        return game_spec(game).records.verify
    except OptionError as error:
        refusal = RecordError(str(error))
        return lambda lines, edition: ((entry, refusal) for entry in lines)


def _size(file: Path) -> int:
    """Returns the bytes of a file; 0 if they are not known, as of a pipe."""
    try:
        return file.stat().st_size
    except OSError:
        return 0
