"""The hex grid and its two systems of coordinates."""

from __future__ import annotations

import numpy as np

from gonzaga_env.core.board.geometry import (
    DIRECTIONS,
    Grid,
    axial_neighbors,
    rotate,
    to_axial,
    to_offset,
)

CELLS = [(row, col) for row in range(6) for col in range(7)]


def test_offset_and_axial_are_inverse() -> None:
    assert [to_offset(*to_axial(*cell)) for cell in CELLS] == CELLS


def test_odd_rows_are_shifted_half_a_hex_east() -> None:
    around_even = [to_offset(*hex_) for hex_ in axial_neighbors(*to_axial(2, 3))]
    around_odd = [to_offset(*hex_) for hex_ in axial_neighbors(*to_axial(3, 3))]
    assert around_even == [(2, 4), (3, 3), (3, 2), (2, 2), (1, 2), (1, 3)]
    assert around_odd == [(3, 4), (4, 4), (4, 3), (3, 2), (2, 3), (2, 4)]


def test_a_sixth_turn_takes_each_direction_to_the_next_clockwise() -> None:
    assert rotate(DIRECTIONS, 1) == (*DIRECTIONS[1:], DIRECTIONS[0])
    assert rotate([(2, -1)], 6) == ((2, -1),)


def test_neighbors_are_mutual_and_on_the_map() -> None:
    grid = Grid(CELLS)
    for cell, around in enumerate(grid.neighbors.tolist()):
        for direction, other in enumerate(around):
            expected = to_offset(*np.add(to_axial(*grid.cells[cell]), DIRECTIONS[direction]))
            assert other == grid.index.get(expected, len(grid))
            if other < len(grid):
                assert grid.neighbors[other, (direction + 3) % 6] == cell
