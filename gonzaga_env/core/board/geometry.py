r"""The hex grid: odd-r offset coordinates for maps, axial coordinates for pieces.

Odd rows of a map are shifted half a hex east::

    row 0:   (0,0) (0,1) (0,2)            NW  NE
    row 1:      (1,0) (1,1) (1,2)       W  hex  E
    row 2:   (2,0) (2,1) (2,2)            SW  SE

In axial coordinates (q, r) a step east is (1, 0) and a step south-east is (0, 1) in every row. So a
piece is a set of offsets, and a rotation by 60 degrees clockwise maps (q, r) to (-r, q + r).
See https://www.redblobgames.com/grids/hexagons/.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

#: Axial steps, clockwise from east; the opposite of direction d is (d + 3) % 6.
DIRECTIONS: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
NUM_ROTATIONS = 6


def to_axial(row: int, col: int) -> tuple[int, int]:
    """Returns (q, r) of the hex at a row and column."""
    return col - (row - (row & 1)) // 2, row


def to_offset(q: int, r: int) -> tuple[int, int]:
    """Returns (row, col) of an axial hex; the inverse of `to_axial`."""
    return r, q + (r - (r & 1)) // 2


def rotate(cells: Iterable[tuple[int, int]], times: int) -> tuple[tuple[int, int], ...]:
    """Returns axial cells rotated clockwise about (0, 0) by `times` x 60 degrees, in order."""
    turned = tuple(cells)
    for _ in range(times % NUM_ROTATIONS):
        turned = tuple((-r, q + r) for q, r in turned)
    return turned


def axial_neighbors(q: int, r: int) -> tuple[tuple[int, int], ...]:
    """Returns the six axial hexes around one, in the order of `DIRECTIONS`."""
    return tuple((q + dq, r + dr) for dq, dr in DIRECTIONS)


def offset_neighbors(row: int, col: int) -> tuple[tuple[int, int], ...]:
    """Returns (row, col) of the six hexes around one, in the order of `DIRECTIONS`."""
    return tuple(to_offset(q, r) for q, r in axial_neighbors(*to_axial(row, col)))


class Grid:
    """The H hexes of a map, numbered row by row.

    Attributes:
        cells: (row, col) of every hex, in the order of the numbers.
        index: (row, col) -> number.
    """

    def __init__(self, cells: Iterable[tuple[int, int]]) -> None:
        self.cells: tuple[tuple[int, int], ...] = tuple(sorted(cells))
        self.index: Mapping[tuple[int, int], int] = {cell: i for i, cell in enumerate(self.cells)}
        self._shifted: dict[tuple[int, int], NDArray[np.int64]] = {}

    def __len__(self) -> int:
        return len(self.cells)

    def __repr__(self) -> str:
        return f"<Grid, {len(self)} hexes>"

    @cached_property
    def axial(self) -> NDArray[np.int64]:
        """Axial coordinates, [H, 2]."""
        return np.array([to_axial(*cell) for cell in self.cells], dtype=np.int64).reshape(-1, 2)

    @cached_property
    def neighbors(self) -> NDArray[np.int64]:
        """Number of each hex's neighbor in each direction, [H, 6]; H if it is off the map."""
        return np.stack([self.shifted(q, r) for q, r in DIRECTIONS], axis=1)

    def shifted(self, q: int, r: int) -> NDArray[np.int64]:
        """Returns the number of the hex at an axial offset from each hex, [H]; H if off the map."""
        if (q, r) not in self._shifted:
            around = (to_offset(a + q, b + r) for a, b in self.axial.tolist())
            numbers = [self.index.get(cell, len(self)) for cell in around]
            self._shifted[q, r] = np.array(numbers, dtype=np.int64)
        return self._shifted[q, r]
