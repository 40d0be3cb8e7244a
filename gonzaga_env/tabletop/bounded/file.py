"""Files of bounded size."""

from __future__ import annotations

import os
from pathlib import Path

from gonzaga_env.tabletop.bounded.text import byte_size


def read_file(path: Path, most: int) -> bytes:
    """Returns a file's content.

    Args:
        path: the file.
        most: the most bytes that it may have.

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
