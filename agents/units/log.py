"""Files of JSON lines that are only ever added to: results of games, records, analyses, puzzles.

A line is written whole or not at all, by one process at a time. What a crash cut short is dropped
by the next command, which plays it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from gonzaga_env.tabletop.bounded import file_errors, read_file
from gonzaga_env.tabletop.bounded.limits import RESULTS_BYTES
from gonzaga_env.tabletop.errors import GameError, OptionError
from gonzaga_env.tabletop.writing import add_bytes, open_to_add

from ..common.locks import LockedError, try_lock


class Log:
    """A file that lines are added to, within a `with` block.

    Attributes:
        path: the file.
    """

    def __init__(
        self, path: str | Path, what: str = "command", error: type[GameError] = OptionError
    ) -> None:
        """Takes the path; nothing is changed yet.

        Args:
            path: the file.
            what: who writes to it, such as "tournament".
            error: what is raised where it cannot be written.
        """
        self.path, self._what, self._error = Path(path), what, error

    def __enter__(self) -> Self:
        """Opens the file, or makes a new one.

        Raises:
            LockedError: another process writes to it.
        """
        with self._named():
            self._file = open_to_add(self.path)
        if not try_lock(self._file.fileno()):
            self._file.close()
            raise LockedError(f"{self.path}: another {self._what} writes to it")
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the file."""
        self._file.close()

    def keep(self, size: int) -> None:
        """Drops all bytes but the first ones."""
        with self._named():
            self._file.truncate(size)

    def write(self, *lines: str) -> None:
        """Adds lines, all of them or none."""
        with self._named():
            add_bytes(self._file, "".join(f"{line}\n" for line in lines).encode())

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._error(f"{self.path}: can't be written: {error.strerror}") from error


def read_log(path: Path, error: type[GameError]) -> tuple[list[bytes], bytes]:
    """Returns the whole lines of a file, and what was cut short; nothing if there is no file.

    Args:
        path: the file.
        error: what is raised where it cannot be read, or has more than `RESULTS_BYTES`.
    """
    with file_errors(path, error):
        *lines, cut_short = (read_file(path, RESULTS_BYTES) if path.exists() else b"").split(b"\n")
    return lines, cut_short
