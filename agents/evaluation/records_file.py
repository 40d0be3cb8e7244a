"""A file that records are added to as games end, so that an interruption loses no game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from gonzaga_env.core.records import Record
from gonzaga_env.tabletop.bounded.limits import RECORD_LINE
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.writing import add_bytes, check_writable, open_to_add

from ..common.locks import LockedError, try_lock

_BEGINNING, _MOVES = b'{"format"', b'"moves"'  # of every record, and within it


class RecordsFile:
    """Writes records, one JSON line a game, within a `with` block.

    Records that are there are replaced when the block begins; another file is refused. A crash
    loses the line that is being written at most. If the disk fills up, the file keeps the games so
    far, and the match goes on.

    Attributes:
        path: the file.
        num_games: games that it holds.
        error: why later games could not be written; None if all were.
    """

    def __init__(self, path: str | Path) -> None:
        """Checks the path; nothing is changed yet.

        Raises:
            OptionError: it is something other than a file of records, or in a folder that is
                missing or not writable.
        """
        self.path, self.num_games = Path(path), 0
        self.error: str | None = None
        self._file: FileIO | None = None
        try:
            check_writable(self.path)
            _check_records(self.path)
        except OSError as error:
            raise OptionError(f"records can't be written to {path}: {error.strerror}") from error

    def __enter__(self) -> Self:
        """Empties the file.

        Raises:
            OptionError: it cannot be written.
            LockedError: another process writes to it.
        """
        try:
            self._file = open_to_add(self.path)
            if not try_lock(self._file.fileno()):
                self._file.close()
                raise LockedError(f"{self.path}: another evaluation writes to it")
            self._file.truncate(0)
        except OSError as error:
            raise OptionError(
                f"records can't be written to {self.path}: {error.strerror}"
            ) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()

    def add(self, records: Sequence[Record]) -> None:
        """Adds games; after a failure, nothing."""
        for record in records:
            if self.error is None and self._file is not None:
                self._add(self._file, json.dumps(record, ensure_ascii=False).encode() + b"\n")

    def _add(self, file: FileIO, line: bytes) -> None:
        try:
            add_bytes(file, line)  # all of it, as a half line is no record
        except OSError as error:
            self.error = (
                f"{self.path}: {error.strerror}; it holds the first {self.num_games:,} games"
            )
            return
        self.num_games += 1


def _check_records(path: Path) -> None:
    """Raises OptionError if a file is there that holds something other than records."""
    if not path.exists():
        return
    with path.open("rb") as file:
        line = file.readline(RECORD_LINE)
    is_whole = line.endswith(b"\n")  # else an interruption has left half a record
    if not (line or _BEGINNING).startswith(_BEGINNING) or (is_whole and _MOVES not in line):
        raise OptionError(f"records can't be written to {path}: it holds something else")
