"""Atomic writes: a file is written under a temporary name and renamed."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path


def write_aside(path: str | Path, content: str | bytes) -> None:
    """Writes a file completely or not at all.

    Args:
        path: the file to write or replace.
        content: text (written as UTF-8) or bytes.

    Raises:
        OSError: the folder is missing or not writable; the error names the path.
    """
    path = Path(path)
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():  # a file cannot replace a device or a pipe
        path.write_bytes(data)
        return
    aside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        aside.write_bytes(data)
        aside.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):
            aside.unlink()


def remove_leftovers(folder: str | Path) -> None:
    """Removes what killed processes left of `write_aside` in a folder.

    Args:
        folder: a folder that no other process writes to now; it may be missing.

    Raises:
        OSError: the folder is not writable.
    """
    for path in Path(folder).glob(".*.tmp"):
        if re.fullmatch(r"\..+\.\d+\.tmp", path.name):
            path.unlink()
