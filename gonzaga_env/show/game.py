"""A recorded game, ready to be shown: as one text to read, and step by step in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TextIO

from gonzaga_env.games import record_config, record_frames
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.errors import EditionError, GameError, OptionError, RecordError
from gonzaga_env.kernel.messages import printable
from gonzaga_env.kernel.records import read_entries, read_record, record_files
from gonzaga_env.kernel.view import Frame, LogLine, Player, Viewer
from gonzaga_env.render.draw import draw_text
from gonzaga_env.text.base import shown_name
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
    """Returns a game of a file of records, by its line from 1 on, up to the first fault.

    Of a folder it is the newest file of records, by name. The edition is that of the record, unless
    one is named.
    """
    file = _newest(file) if file.is_dir() else file
    title, record = f"{printable(file.name)}, game {game}", read_record(file, game)
    shown: list[Frame] = []
    fault = None
    try:
        shown.extend(record_frames(record, edition, viewer))
    except (EditionError, OptionError):
        raise
    except GameError as error:
        if not shown:
            raise RecordError(f"{title}: {error}") from error
        fault = printable(str(error))
    loaded = record_config(record, edition).edition
    return ShownGame(title, loaded, tuple(shown), fault)


def _newest(folder: Path) -> Path:
    """Returns the last file of records below a folder, by name; curves and logs are none."""
    for file in reversed(record_files(folder)):
        first = next(read_entries(file), None)
        if first is not None and isinstance(first.record, dict) and "moves" in first.record:
            return file
    raise RecordError(f"{folder}: holds no records of games in *.jsonl")


def line_words(line: LogLine, players: Sequence[Player]) -> str:
    """Returns a line of the log, such as "player 1 (greedy): plans Francia B"."""
    who = "" if line.seat is None else f"{shown_name(players[line.seat])}: "
    return f"{who}{printable(line.text)}"


def transcript(game: ShownGame) -> str:
    """Returns every move in words, and the position before each round and at the end."""
    return "\n".join([game.title, "", *_parts(game)]) + "\n"


def _parts(game: ShownGame) -> Iterator[str]:
    last_round = 0
    for frame in game.frames:
        for number, line in enumerate(frame.lines):
            start = f"{frame.move}." if number == 0 else "  "
            yield f"{start} {line_words(line, frame.view.players)}"
        if frame.view.round > last_round or frame is game.frames[-1]:
            last_round = frame.view.round
            yield f"\n{view_text(frame.view, game.edition)}"


_WIDTH = 84
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
HELP = """\
n or Enter  next move          p  previous move       a number  that move; 0 is the deal
r           next round         R  previous round      q             quit"""


class Stepper:
    """Shows one move after the other, as commands ask."""

    def __init__(self, game: ShownGame, output: TextIO, color: bool) -> None:
        self.move = 0  #: the move that is shown; 0 is the deal
        self._game, self._output, self._color = game, output, color
        self._commands: dict[str, Callable[[], None]] = {
            "": lambda: self._go(self.move + 1),
            "n": lambda: self._go(self.move + 1),
            "p": lambda: self._go(self.move - 1),
            "r": self._next_round,
            "R": self._previous_round,
            "?": lambda: self._print(HELP),
        }

    def run(self, commands: TextIO, move: int = 0) -> None:
        """Shows a move, then runs commands until "q" or the end of the input."""
        self._game.check_move(move)
        self._go(move)
        self._prompt()
        for line in _lines(commands):
            if line == "q":
                return
            self._obey(line)
            self._prompt()
        self._output.write("\n" if self._output.isatty() else "")

    def _obey(self, line: str) -> None:
        if line in self._commands:
            self._commands[line]()
        elif line.isascii() and line.isdigit() and len(line) < 9:
            self._go(int(line))
        else:
            self._print(f"{line[:40]!r} is not a command; ? lists the commands")

    def _go(self, move: int) -> None:
        if move < 0:
            self._print("this is the deal; n shows the next move")
        elif move <= self._game.last:
            self.move = move
            self._show()
        elif self._game.fault is not None:
            self._print(f"the record is wrong here: {self._game.fault}")
        else:
            self._print(f"the game is over; it has moves 0 to {self._game.last}")

    def _show(self) -> None:
        frame = self._game.frames[self.move]
        if self._output.isatty():
            self._output.write(_CLEAR)
        edition, color = self._game.edition, self._color
        self._print(draw_text(edition, frame.view, color=color, coordinates=True))
        self._print(f"{self._game.title}: move {frame.move} of {self._game.last}")
        for line in frame.lines:
            words = line_words(line, frame.view.players)
            self._print(fill(words, _WIDTH, initial_indent="  ", subsequent_indent="      "))

    def _next_round(self) -> None:
        starts = [move for move in self._starts() if move > self.move]
        self._go(starts[0] if starts else self._game.last)

    def _previous_round(self) -> None:
        self._go(max((move for move in self._starts() if move < self.move), default=0))

    def _starts(self) -> Iterator[int]:
        rounds = [frame.view.round for frame in self._game.frames]
        yield from (i for i in range(len(rounds)) if i == 0 or rounds[i] > rounds[i - 1])

    def _prompt(self) -> None:
        if self._output.isatty():
            self._output.write(f"move {self.move} of {self._game.last} (? for help) > ")
        self._output.flush()

    def _print(self, text: str) -> None:
        print(text, file=self._output)


def _lines(commands: TextIO) -> Iterator[str]:
    """Yields commands without spaces around them; OptionError if they are not text."""
    try:
        for line in iter(commands.readline, ""):
            yield line.strip()
    except UnicodeDecodeError as error:
        raise OptionError("commands are read from standard input, which is not text") from error
