"""Every region that can be built: 64 triples of boards in 96 layouts, as numpy tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.geometry import BOARD_CELLS, LAYOUTS, NEIGHBOURS

NUM_TRIPLES = 64
#: Number of the first region that is not built: one for each triple of boards follows.
NOT_BUILT = NUM_TRIPLES * c.NUM_LAYOUTS
Cells = NDArray[np.uint32]  # sets of cells, bit i for cell i

#: The joints of each layout, [96], as index in `JOINTS`.
LAYOUT_JOINTS: NDArray[np.uint8] = np.array([layout.joints for layout in LAYOUTS], np.uint8)
#: Each cell alone, [30] sets.
CELL_BITS: Cells = np.uint32(1) << np.arange(c.NUM_CELLS, dtype=np.uint32)


@dataclass(frozen=True)
class RegionTables:
    """All regions by number (see `region_numbers`); those that are not built have no cells."""

    colours: NDArray[np.uint8]  # colour of every cell, [R, 30]
    colour_cells: Cells  # the cells of every colour, [R, 8] sets
    zones: Cells  # the zone of every cell (T7.1), [R, 30] sets
    neighbours: Cells  # the cells that touch each cell, [R, 30] sets


def region_numbers(boards: NDArray[np.integer], layout: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Returns the numbers of regions: 96 * triple + layout, or `NOT_BUILT` + triple.

    Args:
        boards: triples of boards, 16 * A + 4 * B + C counted from 0.
        layout: how they are joined, or NO_LAYOUT; of the same shape.
    """
    triple = boards.astype(np.int64)
    built = layout != c.NO_LAYOUT
    return np.where(built, triple * c.NUM_LAYOUTS + layout, NOT_BUILT + triple)


@lru_cache(maxsize=16)
def region_tables(boards: tuple[tuple[int, ...], ...]) -> RegionTables:
    """Returns the regions of twelve boards, ten colours each, A1 to A4, B1 to B4, C1 to C4."""
    printed = np.array(boards, np.uint8).reshape(3, 4, BOARD_CELLS)
    which = np.stack(np.unravel_index(np.arange(NUM_TRIPLES), (4, 4, 4)), axis=1)  # [64, 3]
    cells = np.array([list(layout.cells()) for layout in LAYOUTS])  # [96, 30, (board, hex)]
    board, printed_hex = cells[..., 0], cells[..., 1]
    colours = printed[board, which[:, board], printed_hex]  # [64, 96, 30]
    held = [(colours == colour) @ CELL_BITS for colour in range(c.NUM_COLOURS)]
    colour_cells = np.stack(held, axis=-1).astype(np.uint32)
    touching = np.array(NEIGHBOURS, np.uint32)[LAYOUT_JOINTS]
    neighbours = np.broadcast_to(touching, colours.shape)
    zones = _zones(np.take_along_axis(colour_cells, colours.astype(np.int64), axis=2), touching)
    return RegionTables(*map(_flat, (colours, colour_cells, zones, neighbours)))


def _zones(own: Cells, touching: Cells) -> Cells:
    """Returns the zone of every cell (T7.1), [64, 96, 30] sets.

    Exact for zones of up to four cells, and more than three cells for any larger one.

    Args:
        own: the cells of each cell's colour, [64, 96, 30] sets.
        touching: the cells that touch each cell, [96, 30] sets.
    """
    zones = np.broadcast_to(CELL_BITS, own.shape).copy()
    for _ in range(3):  # a zone grows from each cell by a step or more in each turn
        for cell in range(c.NUM_CELLS):
            zones |= own & np.where(zones & CELL_BITS[cell], touching[:, cell, None], np.uint32(0))
    return zones


def _flat(table: NDArray[Any]) -> NDArray[Any]:
    """Returns a table [64, 96, K] by the number of the region, [R, K]."""
    return np.pad(table.reshape(NOT_BUILT, -1), ((0, NUM_TRIPLES), (0, 0)))


@dataclass(frozen=True, eq=False)  # there is one object a region, see `region`
class Region:
    """One region in plain Python; sets of cells are integers."""

    colours: tuple[int, ...]  # colour of every cell, [30]
    colour_cells: tuple[int, ...]  # the cells of every colour, [8] sets
    zones: tuple[int, ...]  # the zone of every cell, [30] sets
    neighbours: tuple[int, ...]  # the cells that touch each cell, [30] sets

    def complete(self, colour: int, covered: int) -> bool:
        """Returns whether all hexes of a colour are covered (T7.2)."""
        return not self.colour_cells[colour] & ~covered

    def near(self, covered: int) -> int:
        """Returns the cells that touch a covered one (T6.1), as a set."""
        touched = (cells for i, cells in enumerate(self.neighbours) if covered >> i & 1)
        return reduce(or_, touched, 0)


@lru_cache(maxsize=1 << 14)
def region(boards: tuple[tuple[int, ...], ...], triple: int, layout: int) -> Region:
    """Returns one region of twelve boards, built once."""
    tables, number = region_tables(boards), c.NUM_LAYOUTS * triple + layout
    names = ("colours", "colour_cells", "zones", "neighbours")
    return Region(*(tuple(getattr(tables, name)[number].tolist()) for name in names))


def region_text(colours: Sequence[int], covered: int) -> str:
    """Returns the letters of a region, L1 to R10, small where covered, as records hold them."""
    letters = (c.COLOURS[colour] for colour in colours)
    return "".join(
        letter.lower() if covered >> i & 1 else letter for i, letter in enumerate(letters)
    )
