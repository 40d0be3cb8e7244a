"""Files that one process at a time writes: locked folders, and logs that are only added to.

A line of a log is written whole or not at all. What a crash cut short is dropped by the next
command, which plays it again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from io import FileIO
from pathlib import Path
from typing import Self

from gonzaga_env.kernel.bounded import RECORD_LINE, RESULTS_BYTES, file_errors, read_file
from gonzaga_env.kernel.errors import GameError, OptionError
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.writing import add_bytes, check_writable, open_to_add

LOCK = ".lock"
"""The file that is locked; it names the process that holds it."""


@contextmanager
def lock_folder(folder: Path, what: str) -> Iterator[None]:
    """Keeps other processes from writing to a folder while the block runs.

    The operating system releases the lock when the process ends, even by SIGKILL. Raises
    OptionError, with the holder and the time, if another process holds the lock.
    """
    path = folder / LOCK
    with _open_locked(path, what) as file:
        since = datetime.now().astimezone().isoformat(" ", "seconds")
        file.write(f"process {os.getpid()} since {since}".encode())
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()


def check_unlocked(folder: Path, what: str) -> None:
    """Raises OptionError, as `lock_folder` does, if another process holds a folder's lock."""
    with suppress(OSError), (folder / LOCK).open("r+b", buffering=0) as file:
        _lock(file, folder, what)


def _lock(file: FileIO, folder: Path, what: str) -> None:
    if not try_lock(file):
        file.seek(0)
        holder = file.read(100).decode(errors="replace") or "unknown process"
        file.close()
        raise OptionError(f"{folder}: another {what} writes to it ({holder})")


def _open_locked(path: Path, what: str) -> FileIO:
    while True:
        file = open_to_add(path)
        _lock(file, path.parent, what)
        with suppress(FileNotFoundError):
            if os.path.samestat(path.stat(), os.fstat(file.fileno())):
                file.seek(0)
                if file.read(8) not in (b"", b"process "):
                    file.close()
                    raise OptionError(f"{path} is no lock of this program; remove it first")
                file.truncate(0)  # a killed process left its name
                return file
        file.close()  # its holder removed the file in between


def try_lock(file: FileIO) -> bool:
    """Locks an open file until it is closed; returns whether it was free.

    Where there are no such locks (on Windows, and on some network drives), it always is.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


class Log:
    """A file that lines are added to, within a `with` block."""

    def __init__(
        self, path: str | Path, what: str = "command", error: type[GameError] = OptionError
    ) -> None:
        self.path, self._what, self._error = Path(path), what, error

    def __enter__(self) -> Self:
        """Opens the file, or makes a new one; raises OptionError if another process has it open."""
        with self._named():
            self._file = open_to_add(self.path)
        if not try_lock(self._file):
            self._file.close()
            raise OptionError(f"{self.path}: another {self._what} writes to it")
        return self

    def __exit__(self, *_: object) -> None:
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
    """Returns the whole lines of a file, and what was cut short; nothing if there is no file."""
    with file_errors(path, error):
        *lines, cut_short = (read_file(path, RESULTS_BYTES) if path.exists() else b"").split(b"\n")
    return lines, cut_short


# Of every record; an interruption may have left less of the first one.
_BEGINNING = re.compile(rb'\{"format": 1, ("game": "\w+", )?"edition": "')
_SHORTER = b'{"format": 1, "edition": "', b'{"format": 1, "game": "'


class RecordsFile(Log):
    """Writes records, one JSON line a game, within a `with` block.

    The first games replace records that are there; another file is refused. A crash loses the line
    that is being written at most. If the disk fills up, the file keeps the games so far, and the
    match continues.

    Attributes:
        num_games: games that it holds.
        error: why later games could not be written; None if all were.
    """

    def __init__(self, path: str | Path) -> None:
        """Checks the path, which raises OptionError; nothing is changed yet."""
        super().__init__(path, "evaluation")
        self.num_games = 0
        self.error: str | None = None
        check_records(self.path)

    def add(self, records: Sequence[Record]) -> None:
        """Adds games; after a failure, nothing."""
        for record in records if self.error is None else ():
            try:
                if not self.num_games:
                    self.keep(0)
                self.write(json.dumps(record, ensure_ascii=False))
            except OptionError as error:
                self.error = f"{error}; it holds the first {self.num_games:,} games"
                return
            self.num_games += 1


def check_records(path: Path) -> None:
    """Raises OptionError unless a file of records can be written, or added to, at a path."""
    try:
        check_writable(path)
        if not path.exists():
            return
        with path.open("rb+") as file:
            line = file.readline(RECORD_LINE)
    except OSError as error:
        raise OptionError(f"records can't be written to {path}: {error.strerror}") from error
    is_whole = line.endswith((b"\n", b"}"))  # else an interruption has left half a record
    begins = _BEGINNING.match(line) or any(text.startswith(line) for text in _SHORTER)
    if not begins or len(line) == RECORD_LINE or (is_whole and b'"moves"' not in line):
        raise OptionError(f"records can't be written to {path}: it holds something else")
