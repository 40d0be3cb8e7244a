"""Files are written whole: under a temporary name that is renamed, or line by line at their end.

Only regular files are written to. A pipe would wait for a reader for ever, a device would take
everything and keep nothing, and a symbolic link may lead out of a folder that somebody else made.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import BinaryIO


def write_aside(path: str | Path, content: str | bytes) -> None:
    """Writes a file completely or not at all; OSError names the path."""
    with open_aside(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def open_aside(path: str | Path) -> Iterator[BinaryIO]:
    """Yields a file that takes its name when the block has ended without an error."""
    check_regular(path)
    aside = Path(path).with_name(f".{Path(path).name}.{os.getpid()}.tmp")
    try:
        aside.unlink(missing_ok=True)
        with aside.open("xb") as file:
            yield file
        aside.replace(path)
    except OSError as error:
        if error.filename not in (None, str(aside)):
            raise  # of another file, which the block reads
        reason = error.strerror or str(error).partition("\n")[0]
        raise OSError(error.errno or errno.EIO, reason, str(path)) from None
    finally:
        with suppress(OSError):
            aside.unlink()


def check_regular(path: str | Path) -> None:
    """Raises OSError, which names the path, if something other than a regular file is there."""
    path = Path(path)
    if path.is_dir():
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.is_symlink():
        raise OSError(errno.EINVAL, "is a symbolic link", str(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is not a regular file", str(path))


def check_no_link(folder: Path, default: Path) -> None:
    """Raises OSError if a default folder, which nobody named, is behind a symbolic link."""
    for path in (folder, *folder.parents) if folder == default else ():
        if path.is_symlink():
            raise OSError(errno.EINVAL, "is a symbolic link; give the whole path", str(path))


def check_writable(path: str | Path, inputs: Iterable[Path] = ()) -> None:
    """Checks before long work that `write_aside` will take a path, which is none of the inputs."""
    check_regular(path)
    if Path(path).exists() and any(file.exists() and file.samefile(path) for file in inputs):
        raise OSError(errno.EINVAL, "is read, so it can't be written", str(path))
    folder = Path(path).parent
    if not folder.is_dir():
        reason = errno.ENOTDIR if folder.exists() else errno.ENOENT
        raise OSError(reason, os.strerror(reason), str(path))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def open_to_add(path: str | Path) -> FileIO:
    """Opens a regular file to read it and to add to its end, and makes it if there is none."""

    def opener(name: str, flags: int) -> int:  # whatever has come there since the check
        added = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
        return os.open(name, flags | added, 0o666)

    check_regular(path)
    return FileIO(str(path), "a+", opener=opener)


def add_bytes(file: FileIO, content: bytes) -> None:
    """Adds bytes at the end of an unbuffered file, all of them or none, such as on a full disk."""
    size, left = os.fstat(file.fileno()).st_size, memoryview(content)
    try:
        while left:
            left = left[file.write(left) :]
    except OSError:
        file.truncate(size)
        raise


def remove_leftovers(folder: str | Path, files: str = "*.*") -> None:
    """Removes what killed processes left of `write_aside` in a folder, which no other writes to."""
    for path in Path(folder).glob(f".{files}.*.tmp"):
        if re.fullmatch(r"\..+\.\d+\.tmp", path.name):
            path.unlink()
