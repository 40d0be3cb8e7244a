"""Locks on folders: one process at a time writes to a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TextIO

from gonzaga_env.tabletop.errors import GameError

LOCK = ".lock"
"""The file that is locked; it names the process that holds it."""


class LockedError(GameError, RuntimeError):
    """Another process is writing to the same file or folder."""


@contextmanager
def lock_folder(folder: Path, what: str) -> Iterator[None]:
    """Keeps other processes from writing to a folder while the block runs.

    The operating system releases the lock when the process ends, even by SIGKILL.

    Args:
        folder: the folder, which exists.
        what: who writes to it, such as "training".

    Raises:
        LockedError: another process holds the lock; the message says which one, and since when.
        OSError: the folder is not writable.
    """
    path = folder / LOCK
    with _open_locked(path, what) as file:
        since = datetime.now().astimezone().isoformat(" ", "seconds")
        file.write(f"process {os.getpid()} since {since}")
        file.flush()
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()


def check_unlocked(folder: Path, what: str) -> None:
    """Raises LockedError, as `lock_folder` does, if another process holds a folder's lock."""
    with suppress(OSError), (folder / LOCK).open("r+", encoding="utf-8") as file:
        _lock(file, folder, what)


def _lock(file: TextIO, folder: Path, what: str) -> None:
    if not try_lock(file):
        file.seek(0)
        holder = file.read(100) or "unknown process"
        file.close()
        raise LockedError(f"{folder}: another {what} writes to it ({holder})")


def _open_locked(path: Path, what: str) -> TextIO:
    while True:
        file = path.open("a+", encoding="utf-8")
        _lock(file, path.parent, what)
        if _is_at(path, file):
            file.truncate(0)  # a killed process left its name
            return file
        file.close()  # its holder removed the file in between


def _is_at(path: Path, file: TextIO) -> bool:
    """Returns whether an open file is still the one at a path."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def try_lock(file: TextIO | int) -> bool:
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
