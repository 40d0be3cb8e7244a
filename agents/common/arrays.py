"""Joining arrays, what networks see of decisions, and choosing among the rows of a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]
Floats = NDArray[np.float32]
Observations = NDArray[np.uint8]
"""What M seats see, [M, D]."""
Masks = NDArray[np.bool_]
"""Which actions are legal, [M, A]."""

TIE = 1e-4  # scores that differ by less are equal but for rounding


class Arrays:
    """A base of dataclasses whose fields are arrays [L, ...], or such dataclasses."""

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Returns one or more parts, joined in order."""

        def joined(name: str) -> Any:
            columns = [getattr(part, name) for part in parts]
            first = columns[0]
            return (type(first) if isinstance(first, Arrays) else np).concatenate(columns)

        return cls(*(joined(field.name) for field in fields(cls)))  # type: ignore[arg-type]

    def take(self, rows: Indices | slice) -> Self:
        """Returns some of the rows."""

        def some(array: Any) -> Any:
            return array.take(rows) if isinstance(array, Arrays) else array[rows]

        columns = (getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]
        return type(self)(*map(some, columns))


class Inputs(Arrays):
    """What a network sees of M decisions with at most K choices each; a game adds its arrays."""

    actions: NDArray[np.int16]  # action of each choice, [M, K] int16; -1 for padding

    def __len__(self) -> int:
        return len(self.actions)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Returns the arrays by name."""
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
    luck: np.random.Generator | NDArray[np.floating],
) -> Indices:
    """Returns the place of the highest score of each row, [M]; ties are broken at random.

    Args:
        scores: [L].
        rows: the row of each score, [L], ascending; each of the M rows has one or more.
        num_rows: M.
        luck: breaks ties, or numbers from 0 to 1 that do, [M].
    """
    best = np.maximum.reduceat(scores, np.searchsorted(rows, np.arange(num_rows)))
    places = (scores >= best[rows] - TIE).nonzero()[0]
    first = np.searchsorted(rows[places], np.arange(num_rows + 1))
    numbers = luck.random(num_rows) if isinstance(luck, np.random.Generator) else luck
    drawn = (numbers * np.diff(first)).astype(np.int64)
    return places[first[:-1] + drawn]
