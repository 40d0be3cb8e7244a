"""Subsets of the games of a batch, and steps of rules that run for them.

Selecting all games, the usual case, copies nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices, Integers

_FEW = 1024  # numbers; `einsum` takes longer to begin, and less for each
_ONES = np.ones(_FEW, np.uint8)

ScalarT = TypeVar("ScalarT", bound=np.generic)
RowKey = slice | NDArray[np.int64]
RowChoice = slice | Integers | NDArray[np.bool_]  # by indices or a mask


@dataclass(slots=True)  # frozen ones take three times as long to make
class Rows:
    """M distinct rows of a batch, one per game.

    Attributes:
        indices: the row numbers, [M].
        key: what indexes the first axis of an array: the indices, or a slice where the rows are
            consecutive (`array[key]` is then a view).
    """

    indices: NDArray[np.int64]
    key: RowKey

    @classmethod
    def some(cls, indices: NDArray[np.int64]) -> Rows:
        """Returns the rows with these numbers [M]."""
        return cls(indices, indices)

    @classmethod
    def all(cls, num_games: int) -> Rows:
        return cls(np.arange(num_games), slice(None))

    def __len__(self) -> int:
        return len(self.indices)

    def __getitem__(self, key: RowKey) -> Rows:
        """Returns a subset, by position among the M rows (see `key_of`)."""
        return self if isinstance(key, slice) else Rows.some(self.indices[key])

    def chunks(self, size: int) -> Iterator[Rows]:
        """Yields the rows in chunks of `size` or less, to bound temporary memory."""
        for start in range(0, len(self), size):
            chunk = slice(start, start + size)
            indices = self.indices[chunk]
            yield Rows(indices, chunk if isinstance(self.key, slice) else indices)

    def seat_rows(self, seats: NDArray[np.int64], num_players: int) -> NDArray[np.int64]:
        """Returns the row of one seat per game [M] in arrays that `merge_seats` returns."""
        return self.indices * num_players + seats


def key_of(mask: NDArray[np.bool_]) -> RowKey:
    """Returns where a mask [M] is True: indices, or a slice if it is True everywhere."""
    places = mask.nonzero()[0]
    return slice(None) if len(places) == len(mask) else places


def merge_seats(array: NDArray[ScalarT]) -> NDArray[ScalarT]:
    """Returns a view [N * P, ...] of an array [N, P, ...]."""
    return array.reshape((-1, *array.shape[2:]))


def row_sums(counts: NDArray[np.integer]) -> NDArray[np.uint8]:
    """Returns the sum of each row of small numbers [M, K]; six times as fast as `sum`."""
    if counts.size < _FEW:
        return counts.dot(_ONES[: counts.shape[1]])
    return np.einsum("ij->i", counts)


def flat_rows(array: NDArray[ScalarT]) -> NDArray[ScalarT]:
    """Returns an array [M, ...] as [M, K], also for M = 0, where numpy cannot find K."""
    return array.reshape(len(array), -1 if array.size else prod(array.shape[1:]))


GamesT = TypeVar("GamesT")
#: Takes the games of an engine, the steps still to run, rows [M], and a number for each.
Step = Callable[[GamesT, "StepQueue[GamesT]", Indices, Integers], None]


class StepQueue(Generic[GamesT]):
    """The games that wait for each step."""

    def __init__(self) -> None:
        self._added: dict[Step[GamesT], list[tuple[Indices, Integers]]] = {}

    def start(
        self,
        order: Sequence[Step[GamesT]],
        first: NDArray[np.integer],
        rows: Indices,
        numbers: Indices,
    ) -> None:
        """Adds games [M], each to its own first step: an index in `order`, [M]."""
        places, start = first.argsort(kind="stable"), 0
        rows, numbers = rows.take(places), numbers.take(places)
        for step, count in zip(order, np.bincount(first).tolist(), strict=False):
            if count:
                some = slice(start, start + count)
                self.add(step, rows[some], numbers[some])
                start += count

    def add(self, step: Step[GamesT], rows: Indices, numbers: Integers | None = None) -> None:
        """Adds games [M] to a step, with a number for each if the step takes numbers."""
        if len(rows):
            self._added.setdefault(step, []).append((rows, rows if numbers is None else numbers))

    def run(self, games: GamesT, order: Sequence[Step[GamesT]]) -> Indices:
        """Runs steps in order; returns the games of the last step that had any."""
        rows: Indices = np.empty(0, np.int64)
        for step in order:
            if added := self._added.pop(step, None):
                rows, numbers = added[0] if len(added) == 1 else _joined(added)
                step(games, self, rows, numbers)
        return rows


def _joined(added: list[tuple[Indices, Integers]]) -> tuple[Indices, Integers]:
    rows, numbers = zip(*added, strict=True)
    joined = np.concatenate(rows)
    return joined, joined if numbers[0] is rows[0] else np.concatenate(numbers)
