"""A file that records are added to as games end, so that an interruption loses no game."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from gonzaga_env.core.records import Record
from gonzaga_env.tabletop.errors import OptionError

from ..common.locks import LockedError, try_lock


class RecordsFile:
    """Writes records, one JSON line a game, within a `with` block.

    What is there is replaced when the block begins. A crash loses the line that is being written at
    most. If the disk fills up, the file keeps the games before, and the others play on.

    Attributes:
        path: the file.
        num_games: games that it holds.
        error: why later games could not be written; None if all were.
    """

    def __init__(self, path: str | Path) -> None:
        """Checks the path; nothing is changed yet.

        Raises:
            OptionError: it is not a file, or its folder is missing or not writable.
        """
        self.path, self.num_games = Path(path), 0
        self.error: str | None = None
        self._file: FileIO | None = None
        self._size = 0  # of whole lines
        folder = self.path.absolute().parent
        if (self.path.exists() and not self.path.is_file()) or not os.access(folder, os.W_OK):
            raise OptionError(
                f"records can't be written to {path}: it takes a file in a folder that "
                "exists and can be written to"
            )

    def __enter__(self) -> Self:
        """Empties the file.

        Raises:
            OptionError: it cannot be written.
            LockedError: another process writes to it.
        """
        try:
            self._file = self.path.open("ab", buffering=0)
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
        left = memoryview(line)
        try:
            while left:
                left = left[file.write(left) :]
        except OSError as error:
            file.truncate(self._size)  # an incomplete line is not a record
            self.error = (
                f"{self.path}: {error.strerror}; it holds the first {self.num_games:,} games"
            )
            return
        self._size += len(line)
        self.num_games += 1
