"""Files of arrays by name, as numpy's npz: written whole, and safe to read from anybody."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.bounded import Archive, file_errors, parse_array, read_file, short
from gonzaga_env.tabletop.writing import write_aside


def save_arrays(path: Path, arrays: Mapping[str, NDArray[np.floating]]) -> None:
    """Writes arrays to a file, completely or not at all."""
    write_aside(path, arrays_content(arrays))


def arrays_content(arrays: Mapping[str, NDArray[np.floating]]) -> bytes:
    """Returns arrays as the content of a file, the same for equal arrays."""
    content = BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # numpy's stubs take names for options
    return content.getvalue()


def read_arrays(path: Path, most: int) -> dict[str, NDArray[Any]]:
    """Returns the arrays of a file that `save_arrays` wrote.

    Args:
        path: the file.
        most: the most bytes that it may have.

    Raises:
        AgentError: it cannot be read, is larger, or holds numbers that are not finite.
    """
    with file_errors(path, AgentError):
        return parse_arrays(read_file(path, most))


def parse_arrays(content: bytes) -> dict[str, NDArray[Any]]:
    """Returns the arrays of a file's content.

    Raises:
        ValueError: it holds anything else, or numbers that are not finite.
    """
    archive = Archive(content)
    arrays = {name.removesuffix(".npy"): parse_array(archive.read(name)) for name in archive.names}
    for name, array in arrays.items():
        with np.errstate(over="ignore"):
            is_finite = np.isfinite(array.astype(np.float32)).all()
        if not is_finite:
            raise ValueError(f"{short(name)} holds NaN or infinite numbers")
    return arrays
