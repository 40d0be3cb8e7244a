"""Progress of a long command: one line on a terminal, drawn over and over."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TextIO

_PATIENCE = 1.0  # seconds before the line appears
_PAUSE = 0.1  # seconds between two drawings of the line
_WIDTH = 30
_ERASE = "\r\x1b[K"

OnProgress = Callable[[float, float], None]
"""Takes how much is done, and how much there is in all."""


class Progress:
    """A bar on stderr. It appears after a second, and only where stderr is a terminal.

    Example::

        with Progress("verifying", total=size) as progress:
            progress.update(done, "120 games")
    """

    def __init__(
        self,
        what: str,
        total: float,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.total = total
        self._what, self._clock = what, clock
        self._stream = sys.stderr if stream is None else stream
        self._start = clock()
        self._next = self._start + _PATIENCE
        self._drawn = False

    def update(self, done: float, text: str = "") -> None:
        """Takes how much is done, and a few words such as "120 games"."""
        if not self._stream.isatty() or (now := self._clock()) < self._next:
            return
        self._next, self._drawn = now + _PAUSE, True
        self._stream.write(f"{_ERASE}{self._what} {self._bar(done, now)}{text}")
        self._stream.flush()

    def _bar(self, done: float, now: float) -> str:
        if not self.total:
            return ""
        part = min(done / self.total, 1.0)
        filled = round(_WIDTH * part)
        seconds = round((now - self._start) * (1 - part) / part) if part else 0
        left = f"{timedelta(seconds=seconds)} left  " if seconds else ""
        return f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {part:4.0%}  {left}"

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


@contextmanager
def progress(what: str) -> Iterator[OnProgress]:
    """Shows a bar while games are played: yields a function that moves it.

    Its second argument counts games, or is 1 where the first is a share.
    """
    with Progress(what, 0) as bar:

        def move(done: float, total: float) -> None:
            bar.total = total
            bar.update(done, f"{int(done):,} of {total:,} games" if total > 1 else "")

        yield move
