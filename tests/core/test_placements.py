"""The tables of placements against naive look-ups on the map (R4.3 to R4.5, R5.2)."""

import dataclasses

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.placements import (
    PlacementFault,
    Placements,
    build_placements,
)
from gonzaga_env.core.edition import NUM_ROTATIONS, Edition

NUM_WEDDINGS = 4  # one ring, or two in three directions, at each hex


@pytest.fixture(scope="module")
def num_hexes() -> int:
    return Engine(1, 2).tables.num_hexes


@pytest.fixture(scope="module")
def placements() -> Placements:
    return Engine(1, 2).tables.placements


def test_halos_are_the_neighbors_that_a_placement_does_not_cover(
    placements: Placements, num_hexes: int
) -> None:
    neighbors = Engine(1, 2).edition.grid.neighbors
    sizes = set()
    for row in range(0, len(placements.cells), 97):
        own = set(placements.cells[row].tolist()) - {num_hexes}
        around = {int(cell) for here in own for cell in neighbors[here]} - own - {num_hexes}
        halo = placements.halo[row].tolist()
        assert sorted(cell for cell in halo if cell < num_hexes) == sorted(around)
        assert set(np.flatnonzero(bits.unpack(placements.halo_bits[row], num_hexes))) == around
        sizes.add(len(around))
    assert max(sizes) == 12


def test_numbers_count_the_possible_placements_of_each_fief(placements: Placements) -> None:
    per_fief = len(placements.number[:-1]) // (12 * NUM_ROTATIONS + NUM_WEDDINGS) * NUM_ROTATIONS
    for fief in range(12):
        rows = slice(fief * per_fief, (fief + 1) * per_fief)
        possible = np.flatnonzero(placements.fault[rows] == PlacementFault.NONE)
        number = placements.number[rows]
        assert number[possible].tolist() == list(range(len(possible)))
        assert (np.delete(number, possible) == -1).all()
        assert placements.spatial[fief, : len(possible)].tolist() == possible.tolist()
        assert not placements.spatial[fief, len(possible) :].any()
    assert (placements.number[12 * per_fief :] == -1).all()


def test_conflicts_are_the_placements_that_cover_a_hex(
    placements: Placements, num_hexes: int
) -> None:
    per_fief = NUM_ROTATIONS * num_hexes
    held = bits.unpack(placements.bits, num_hexes) == 1
    for cell in range(0, num_hexes, 13):
        for fief in range(12):
            rows = slice(fief * per_fief, (fief + 1) * per_fief)
            numbers = placements.number[rows][held[rows, cell]]
            conflicts = bits.unpack(placements.fief_conflicts[cell, fief], 64 * 30)
            assert np.flatnonzero(conflicts).tolist() == sorted(numbers[numbers >= 0].tolist())
        weddings = held[12 * per_fief : -1, cell] & (placements.fault[12 * per_fief : -1] == 0)
        conflicts = bits.unpack(placements.ring_conflicts[cell], NUM_WEDDINGS * num_hexes)
        assert np.flatnonzero(conflicts).tolist() == np.flatnonzero(weddings).tolist()
    assert not placements.fief_conflicts[num_hexes].any()
    assert not placements.ring_conflicts[num_hexes].any()


def test_two_rings_need_two_hexes_and_one_ring_one(europe: Edition) -> None:
    """R5.2, on a map whose first hex has no hex to the east too."""
    row, col = europe.grid.cells[0]
    marks = [list(line) for line in europe.marks]
    marks[row][col + 1] = "."
    islet = dataclasses.replace(europe, marks=tuple(map(tuple, marks)))
    for edition in (europe, islet):
        placements, num_hexes = build_placements(edition), len(edition.grid)
        weddings = slice(12 * NUM_ROTATIONS * num_hexes, -1)
        cells, fault = placements.cells[weddings], placements.fault[weddings]
        assert (cells[:, 2:] == num_hexes).all()
        assert (fault[:num_hexes] == PlacementFault.NONE).all()
        alone = cells[num_hexes:, 1] == num_hexes
        assert ((fault[num_hexes:] == PlacementFault.OFF_MAP) == alone).all()
        assert alone[-1]
        assert alone[0] == (edition is islet)
