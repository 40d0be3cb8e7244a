"""Some games out of a batch, chosen so that "all of them", the usual case, copies nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pick = slice | NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Rows:
    """M distinct games.

    Attributes:
        index: their indices, [M].
        pick: what reads and writes their rows of an array: the indices, or a slice where they are
            a run of games in order (then `array[pick]` is no copy).
    """

    index: NDArray[np.int64]
    pick: Pick

    @classmethod
    def some(cls, index: NDArray[np.int64]) -> Rows:
        """Returns games by their indices [M]."""
        return cls(index, index)

    @classmethod
    def all(cls, num_games: int) -> Rows:
        """Returns all games of a batch."""
        return cls(np.arange(num_games), slice(None))

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, at: Pick) -> Rows:
        """Returns those at some places [0, M), which `where` gives."""
        return self if isinstance(at, slice) else Rows.some(self.index[at])

    def parts(self, size: int) -> Iterator[Rows]:
        """Yields them in parts, the last one smaller, so that what is made of each stays small."""
        for start in range(0, len(self), size):
            part = slice(start, start + size)
            index = self.index[part]
            yield Rows(index, part if isinstance(self.pick, slice) else index)

    def slots(self, seats: NDArray[np.int64], num_players: int) -> NDArray[np.int64]:
        """Returns one row a game [M] of arrays [N, P, ...] seen as [N * P, ...] (`by_seat`)."""
        return self.index * num_players + seats


def where(mask: NDArray[np.bool_]) -> Pick:
    """Returns the places where a mask [M] holds, as a slice where it holds everywhere."""
    places = mask.nonzero()[0]
    return slice(None) if len(places) == len(mask) else places


def by_seat(array: NDArray[Any]) -> NDArray[Any]:
    """Returns an array [N, P, ...] as [N * P, ...], without a copy."""
    return array.reshape(-1, *array.shape[2:])
