"""Files of bounded size, and compressed bytes whose size is known before."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gonzaga_env.tabletop.bounded.text import byte_size
from gonzaga_env.tabletop.errors import GameError


def read_file(path: Path, most: int) -> bytes:
    """Returns a file's content.

    Raises:
        OSError: it cannot be read.
        ValueError: it is larger, or a pipe or device, which may never end.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise ValueError("is not a regular file")
    with path.open("rb") as file:
        there = os.fstat(file.fileno()).st_size  # a buffer of the bound itself would be a waste
        if there > most:
            raise ValueError(f"is larger than {byte_size(most)}")
        return file.read(there)


@contextmanager
def file_errors(place: str | Path, kind: type[GameError]) -> Iterator[None]:
    """Turns what is wrong with a file, or a place of it, into errors of one kind that name it."""
    try:
        yield
    except OSError as error:
        raise kind(f"{place}: can't be read: {error.strerror}") from error
    except ValueError as error:
        raise kind(f"{place}: {error}") from error


def inflate(content: bytes, size: int) -> bytes:
    """Returns what zlib compressed.

    Args:
        content: the compressed bytes.
        size: how many bytes they have to hold; no more are decompressed.

    Raises:
        ValueError: they hold more or fewer, more bytes follow, or they are damaged.
    """
    inflating = zlib.decompressobj()
    try:
        raw = inflating.decompress(content, size + 1)
    except zlib.error as error:
        raise ValueError(f"is damaged: {error}") from error
    if len(raw) != size or not inflating.eof or inflating.unused_data:
        raise ValueError("is damaged: it holds more or less than its header says")
    return raw
