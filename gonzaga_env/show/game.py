"""A recorded game, ready to be shown, and as one text to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gonzaga_env.games import record_config, record_frames
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import printable
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import EditionError, GameError, OptionError, RecordError
from gonzaga_env.kernel.records import read_entries, read_record
from gonzaga_env.kernel.view import Frame, LogLine, Viewer
from gonzaga_env.text.parts import shown_name
from gonzaga_env.text.views import view_text


@dataclass(frozen=True)
class ShownGame:
    """A game and how it went."""

    title: str  # what it is called, such as "games.jsonl, game 3"
    edition: EditionBase  # its edition
    frames: tuple[Frame, ...]  # its positions, the deal first
    fault: str | None  # what is wrong with the record after the last of them; None if nothing is

    @property
    def last(self) -> int:
        """The number of the last move; 0 is the deal."""
        return len(self.frames) - 1

    def check_move(self, move: int) -> None:
        """Raises OptionError unless there is a position after so many moves."""
        if not is_integer(move) or not 0 <= move <= self.last:
            raise OptionError(f"there is no move {move}; {self.title} has 0 to {self.last}")

    def check_right(self) -> None:
        """Raises RecordError unless the whole record agrees with the rules."""
        if self.fault is not None:
            raise RecordError(f"{self.title}: {self.fault}")


def load_game(
    file: Path, game: int, viewer: Viewer = "spectator", edition: str | None = None
) -> ShownGame:
    """Returns a game of a file of records, up to the first fault.

    Args:
        file: the file, or a folder: its newest file of records then, by name.
        game: the number of its line, from 1.
        viewer: a seat, "public" or "spectator".
        edition: the edition's name or folder; None for that of the record.

    Raises:
        RecordError: there is no such game, or no move of it can be shown.
        EditionError: the edition cannot be found or has faults.
        OptionError: there is no such viewer.
    """
    file = _newest(file) if file.is_dir() else file
    title, record = f"{file.name}, game {game}", read_record(file, game)
    shown: list[Frame] = []
    fault = None
    try:
        shown.extend(record_frames(record, edition, viewer))
    except (EditionError, OptionError):
        raise
    except GameError as error:
        if not shown:
            raise RecordError(f"{title}: {error}") from error
        fault = str(error)
    loaded = record_config(record, edition).edition
    return ShownGame(title, loaded, tuple(shown), fault)


def _newest(folder: Path) -> Path:
    """Returns the last file of records below a folder, by name; curves and logs are none."""
    for file in sorted(folder.rglob("*.jsonl"), reverse=True):
        first = next(read_entries(file), None)
        if first is not None and isinstance(first.record, dict) and "moves" in first.record:
            return file
    raise RecordError(f"{folder}: holds no records of games in *.jsonl")


def line_words(line: LogLine, players: Sequence[Any]) -> str:
    """Returns a line of the log, such as "player 1 (greedy): plans Francia B"."""
    who = "" if line.seat is None else f"{shown_name(players[line.seat])}: "
    return f"{who}{printable(line.text)}"


def transcript(game: ShownGame) -> str:
    """Returns every move in words, and the position before each round and at the end."""
    return "\n".join([printable(game.title), "", *_parts(game)]) + "\n"


def _parts(game: ShownGame) -> Iterator[str]:
    told_round = 0
    for frame in game.frames:
        for number, line in enumerate(frame.lines):
            start = f"{frame.move}." if number == 0 else "  "
            yield f"{start} {line_words(line, frame.view.players)}"
        if frame.view.round > told_round or frame is game.frames[-1]:
            told_round = frame.view.round
            yield f"\n{view_text(frame.view, game.edition)}"
