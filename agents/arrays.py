"""Arrays: joining, files of them by name, what networks see, and choosing among rows of a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from io import BytesIO
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.bounded import Archive, file_errors, parse_array, read_file
from gonzaga_env.kernel.chance import event_words
from gonzaga_env.kernel.messages import short
from gonzaga_env.kernel.writing import write_aside

Indices = NDArray[np.int64]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Observations = NDArray[np.uint8]
"""Observations of M seats, [M, D]."""
Masks = NDArray[np.bool_]
"""Which actions are legal, [M, A]."""

TIE = 1e-4  # scores that differ by less are equal but for rounding


class Arrays:
    """A base of dataclasses whose fields are arrays [L, ...], or such dataclasses."""

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        def joined(name: str) -> Any:
            columns = [getattr(part, name) for part in parts]
            first = columns[0]
            return (type(first) if isinstance(first, Arrays) else np).concatenate(columns)

        return cls(*(joined(field.name) for field in fields(cls)))  # type: ignore[arg-type]

    def take(self, rows: Indices | slice) -> Self:
        def some(array: Any) -> Any:
            return array.take(rows) if isinstance(array, Arrays) else array[rows]

        columns = (getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]
        return type(self)(*map(some, columns))


class Inputs(Arrays):
    """Inputs of a network: M decisions with at most K choices each; a game adds its arrays."""

    actions: NDArray[np.int16]  # action of each choice, [M, K] int16; -1 for padding

    def __len__(self) -> int:
        return len(self.actions)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]


def best_of_rows(
    rows: NDArray[np.int64], scores: NDArray[np.floating], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns where the `size` best of each row are listed, best first, and their ranks from 0."""
    order = np.lexsort((-scores, rows))
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    top = rank < size
    return order[top], rank[top]


def best_of_each(
    scores: NDArray[np.floating],
    rows: Indices,
    num_rows: int,
    ties: NDArray[np.floating] | None = None,
) -> Indices:
    """Returns the place of the highest score of each row, [M].

    Scores and their rows are [L]; rows ascend, and each of the M rows has one or more. Ties are
    broken by numbers from 0 to 1, [M]; by default a hash of which scores of the row tie, so that a
    position is always played the same way.
    """
    starts = np.searchsorted(rows, np.arange(num_rows + 1))
    best = np.maximum.reduceat(scores, starts[:-1])
    places = (scores >= best[rows] - TIE).nonzero()[0]
    first = np.searchsorted(rows[places], np.arange(num_rows + 1))
    if ties is None:
        sizes = np.diff(starts).astype(np.uint64)
        words = event_words(sizes[rows[places]], places - starts[rows[places]])
        words = event_words(np.add.reduceat(words, first[:-1]), np.zeros(num_rows, np.int64))
        ties = (words >> np.uint64(11)) * 2.0**-53
    return places[first[:-1] + (ties * np.diff(first)).astype(np.int64)]


MOST_WEIGHT = 1e6  # of what is read, so that no network overflows


def save_arrays(path: Path, arrays: Mapping[str, NDArray[np.floating]]) -> None:
    write_aside(path, arrays_content(arrays))


def arrays_content(arrays: Mapping[str, NDArray[np.floating]]) -> bytes:
    """Returns arrays as the content of a file, the same for equal arrays."""
    content = BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # numpy's stubs take names for options
    return content.getvalue()


def read_arrays(path: Path, most: int) -> dict[str, NDArray[Any]]:
    """Returns the arrays of a file that `save_arrays` wrote; AgentError for any other file."""
    with file_errors(path, AgentError):
        return parse_arrays(read_file(path, most))


def parse_arrays(content: bytes) -> dict[str, NDArray[Any]]:
    """Returns the arrays of a file's content; ValueError for any other, or huge numbers."""
    archive = Archive(content)
    arrays = {name.removesuffix(".npy"): parse_array(archive.read(name)) for name in archive.names}
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not (np.abs(array) <= MOST_WEIGHT).all():
            raise ValueError(f"{short(name)} holds NaN or numbers beyond {MOST_WEIGHT:,.0f}")
    return arrays
