"""The server's log: a line for each refused request, up to a rate that cannot fill a disk."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from time import monotonic

LINES_A_SECOND, LINES_AT_ONCE = 2.0, 20.0
MAX_LINE = 200  # characters of a message
_LOGGER = logging.getLogger("gonzaga_table.web")


def log_refusal(client: str, status: int, message: str) -> None:
    """Logs that a client's request is refused.

    Args:
        client: whom it counts for (`requests.client_of`).
        status: of the answer, 4xx or 503.
        message: why; it may quote the client, so it is made printable and short.
    """
    _LOGGER.warning("%s %d %s", client, status, printable(message))


def printable(text: str) -> str:
    """Returns a text as one line without control characters, shortened."""
    line = text.partition("\n")[0]
    if not line.isprintable():
        line = "".join(
            char if char.isprintable() else ascii(char)[1:-1] for char in line[:MAX_LINE]
        )
    return line if len(line) <= MAX_LINE else f"{line[: MAX_LINE - 3]}..."


class BoundedHandler(logging.Handler):
    """Writes what is logged to standard error, a few entries a second; the rest is counted.

    Otherwise a client could fill the disk with entries.
    """

    def __init__(self, program: str, clock: Callable[[], float] = monotonic) -> None:
        """Takes the name that lines start with."""
        super().__init__()
        self._program, self._clock = program, clock
        self._left, self._then = LINES_AT_ONCE, clock()
        self._num_dropped = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Writes an entry, or counts it."""
        if not self._may_write():
            self._num_dropped += 1
            return
        self.tell_dropped()
        self._write(self.format(record))

    def tell_dropped(self) -> None:
        """Writes how many entries were dropped, if any, and if the rate allows a line."""
        if self._num_dropped and self._may_write():
            number, self._num_dropped = self._num_dropped, 0
            self._write(f"... and {number:,} more")

    def _may_write(self) -> bool:
        now = self._clock()
        self._left = min(LINES_AT_ONCE, self._left + (now - self._then) * LINES_A_SECOND)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def _write(self, text: str) -> None:
        try:
            print(f"{self._program}: {text}", file=sys.stderr, flush=True)
        except (OSError, ValueError):  # closed, or nobody reads it any more
            self._num_dropped += 1
