"""Steps through a game in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import fill
from typing import TextIO

from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.render.draw import view_text
from gonzaga_env.show.game import ShownGame, line_words

_WIDTH = 84
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
HELP = """\
n or Enter  next move          p  previous move       a number  that move; 0 is the deal
r           next round         R  previous round      q             quit"""


class Stepper:
    """Shows one move after the other, as commands ask."""

    def __init__(self, game: ShownGame, output: TextIO, color: bool) -> None:
        """Starts at the deal; nothing is written yet.

        Args:
            game: the game.
            output: where pictures go; a terminal is cleared before each.
            color: whether pictures have colours.
        """
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
        """Shows a move, then runs commands until "q" or the end of the input.

        Raises:
            OptionError: there is no such move, or the commands are not text.
        """
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
        """Runs a command."""
        if line in self._commands:
            self._commands[line]()
        elif line.isascii() and line.isdigit() and len(line) < 9:
            self._go(int(line))
        else:
            self._print(f"{line[:40]!r} is not a command; ? lists the commands")

    def _go(self, move: int) -> None:
        """Shows a move, or a message if there is none."""
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
        self._print(view_text(edition, frame.view, color=color, coordinates=True))
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
        """Yields the moves with which rounds begin."""
        rounds = [frame.view.round for frame in self._game.frames]
        yield from (i for i in range(len(rounds)) if i == 0 or rounds[i] > rounds[i - 1])

    def _prompt(self) -> None:
        if self._output.isatty():
            self._output.write(f"move {self.move} of {self._game.last} (? for help) > ")
        self._output.flush()

    def _print(self, text: str) -> None:
        print(text, file=self._output)


def _lines(commands: TextIO) -> Iterator[str]:
    """Yields commands without spaces around them.

    Raises:
        OptionError: they are not text.
    """
    try:
        for line in iter(commands.readline, ""):
            yield line.strip()
    except UnicodeDecodeError as error:
        raise OptionError("commands are read from standard input, which is not text") from error
