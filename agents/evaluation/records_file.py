"""A file that records are added to as games end, so that an interruption loses no game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from gonzaga_env.tabletop.bounded.limits import RECORD_LINE
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.records import Record
from gonzaga_env.tabletop.writing import check_writable

from ..units.log import Log

_BEGINNING, _MOVES = b'{"format"', b'"moves"'  # of every record, and within it


class RecordsFile(Log):
    """Writes records, one JSON line a game, within a `with` block.

    Records that are there are replaced when the block begins; another file is refused. A crash
    loses the line that is being written at most. If the disk fills up, the file keeps the games so
    far, and the match goes on.

    Attributes:
        num_games: games that it holds.
        error: why later games could not be written; None if all were.
    """

    def __init__(self, path: str | Path) -> None:
        """Checks the path; nothing is changed yet.

        Raises:
            OptionError: it is something other than a file of records, or in a folder that is
                missing or not writable.
        """
        super().__init__(path, "evaluation")
        self.num_games = 0
        self.error: str | None = None
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
        super().__enter__().keep(0)
        return self

    def add(self, records: Sequence[Record]) -> None:
        """Adds games; after a failure, nothing."""
        for record in records:
            if self.error is None:
                self._add(record)

    def _add(self, record: Record) -> None:
        try:
            self.write(json.dumps(record, ensure_ascii=False))
        except OptionError as error:
            self.error = f"{error}; it holds the first {self.num_games:,} games"
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
