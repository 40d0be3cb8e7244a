"""Progress of a long command: one line on a terminal, drawn over and over."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

_PATIENCE = 1.0  # seconds before the line appears
_PAUSE = 0.1  # seconds between two drawings of the line
_WIDTH = 30
_ERASE = "\r\x1b[K"


class Progress:
    """A bar on stderr. It appears after a second, and only where stderr is a terminal.

    Example::

        with Progress("verifying", total=size) as progress:
            progress.update(done, "120 games")
    """

    def __init__(
        self,
        what: str,
        total: int,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Starts the clock.

        Args:
            what: the current activity, such as "verifying".
            total: the last value of `done`; 0 if it is not known, which draws no bar.
            stream: where the line goes; None for stderr.
            clock: returns seconds.
        """
        self._what, self._total, self._clock = what, total, clock
        self._stream = sys.stderr if stream is None else stream
        self._next = clock() + _PATIENCE
        self._drawn = False

    def update(self, done: int, text: str = "") -> None:
        """Takes how much is done, and a few words such as "120 games"."""
        if not self._stream.isatty() or (now := self._clock()) < self._next:
            return
        self._next, self._drawn = now + _PAUSE, True
        self._stream.write(f"{_ERASE}{self._what} {self._bar(done)}{text}")
        self._stream.flush()

    def _bar(self, done: int) -> str:
        if not self._total:
            return ""
        part = min(done / self._total, 1.0)
        filled = round(_WIDTH * part)
        return f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {part:4.0%}  "

    def erase(self) -> None:
        """Removes the line, so that other text can be printed."""
        if self._drawn:
            self._stream.write(_ERASE)
            self._stream.flush()
            self._drawn = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.erase()
