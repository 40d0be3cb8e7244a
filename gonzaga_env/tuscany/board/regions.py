"""Every region that can be built: 64 triples of boards in 96 layouts, as numpy tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.geometry import (
    BOARD_CELLS,
    LAYOUTS,
    NEIGHBOURS,
    cells_of,
)

NUM_TRIPLES = 64
Cells = NDArray[np.uint32]  # sets of cells, bit i for cell i

_MOST_TOUCHING = 6
#: Numbers of the cells that touch each cell, for each pair of joints, [4, 30, 6]; 30 for none.
_TOUCHING = np.array(
    [
        [(cells_of(cells) + [c.NUM_CELLS] * _MOST_TOUCHING)[:_MOST_TOUCHING] for cells in table]
        for table in NEIGHBOURS
    ]
)
#: The joints of each layout, [96], as index in `JOINTS`.
LAYOUT_JOINTS: NDArray[np.uint8] = np.array([layout.joints for layout in LAYOUTS], np.uint8)
#: The cells that touch each cell, [4 joints, 30] sets.
NEIGHBOUR_CELLS: Cells = np.array(NEIGHBOURS, np.uint32)


@dataclass(frozen=True)
class RegionTables:
    """The regions by triple (16 * A + 4 * B + C, boards from 0) and layout.

    Attributes:
        colours: colour of every cell, [64, 96, 30] uint8.
    """

    colours: NDArray[np.uint8]

    @cached_property
    def colour_cells(self) -> Cells:
        """The cells of every colour, [64, 96, 8] sets."""
        bits = np.uint32(1) << np.arange(c.NUM_CELLS, dtype=np.uint32)
        held = [(self.colours == colour) @ bits for colour in range(c.NUM_COLOURS)]
        return np.stack(held, axis=-1).astype(np.uint32)

    @cached_property
    def colour_counts(self) -> NDArray[np.int64]:
        """Hexes of every colour in the regions of each triple, [64, 8]; equal in all layouts."""
        return np.stack(
            [(self.colours[:, 0] == colour).sum(axis=1) for colour in range(c.NUM_COLOURS)], axis=1
        )

    @cached_property
    def zones(self) -> Cells:
        """The zone of every cell (T7.1), [64, 96, 30] sets.

        Exact for zones of up to four cells, and more than three cells for any larger one.
        """
        # A zone grows from each cell by a step in each turn.
        zones = np.broadcast_to(_BITS, self.colours.shape)
        touching = _TOUCHING[LAYOUT_JOINTS]  # [96, 30, 6]
        layouts = np.arange(c.NUM_LAYOUTS)[:, None]
        padded = np.concatenate([self.colours, np.full_like(self.colours[..., :1], 255)], axis=2)
        for _ in range(3):
            nothing = np.zeros_like(zones[..., :1])
            grown, known = zones.copy(), np.concatenate([zones, nothing], axis=2)
            for i in range(_MOST_TOUCHING):
                other = touching[..., i]
                same = padded[:, layouts, other] == self.colours
                grown |= np.where(same, known[:, layouts, other], np.uint32(0))
            zones = grown
        return zones

    def large_zones(self, most: int) -> Iterator[tuple[int, str]]:
        """Yields each triple that makes a zone of too many cells, with a layout that does."""
        sizes: NDArray[np.uint8] = np.bitwise_count(self.zones)
        large = np.greater(sizes, most).max(axis=2)
        for triple in np.flatnonzero(large.any(axis=1)).tolist():
            yield triple, LAYOUTS[int(large[triple].argmax())].text


_BITS: Cells = np.uint32(1) << np.arange(c.NUM_CELLS, dtype=np.uint32)


@cache
def region_tables(boards: tuple[tuple[int, ...], ...]) -> RegionTables:
    """Returns the regions of twelve boards, ten colours each, A1 to A4, B1 to B4, C1 to C4."""
    printed = np.array(boards, np.uint8).reshape(3, 4, BOARD_CELLS)
    which = np.stack(np.unravel_index(np.arange(NUM_TRIPLES), (4, 4, 4)), axis=1)  # [64, 3]
    cells = np.array([list(layout.cells()) for layout in LAYOUTS])  # [96, 30, (board, hex)]
    board, printed_hex = cells[..., 0], cells[..., 1]
    return RegionTables(printed[board, which[:, board], printed_hex])


@dataclass(frozen=True, eq=False)  # there is one object a region, see `region`
class Region:
    """One region in plain Python; sets of cells are integers.

    Attributes:
        colours: colour of every cell, [30].
        colour_cells: the cells of every colour, [8] sets.
        zones: the zone of every cell, [30] sets.
        neighbours: the cells that touch each cell, [30] sets.
    """

    colours: tuple[int, ...]
    colour_cells: tuple[int, ...]
    zones: tuple[int, ...]
    neighbours: tuple[int, ...]

    def complete(self, colour: int, covered: int) -> bool:
        """Returns whether all hexes of a colour are covered (T7.2)."""
        return not self.colour_cells[colour] & ~covered

    def near(self, covered: int) -> int:
        """Returns the cells that touch a covered one (T6.1), as a set."""
        touched = (cells for i, cells in enumerate(self.neighbours) if covered >> i & 1)
        return reduce(or_, touched, 0)


@cache
def region(boards: tuple[tuple[int, ...], ...], triple: int, layout: int) -> Region:
    """Returns one region of twelve boards, built once."""
    tables = region_tables(boards)
    at = triple, layout
    return Region(
        colours=tuple(tables.colours[at].tolist()),
        colour_cells=tuple(tables.colour_cells[at].tolist()),
        zones=tuple(tables.zones[at].tolist()),
        neighbours=NEIGHBOURS[LAYOUTS[layout].joints],
    )


def region_text(colours: Sequence[int], covered: int) -> str:
    """Returns the letters of a region, L1 to R10, small where covered, as records hold them."""
    letters = (c.COLOURS[colour] for colour in colours)
    return "".join(
        letter.lower() if covered >> i & 1 else letter for i, letter in enumerate(letters)
    )
