"""The action space: 264 actions, equal for all seats and kinds of decisions, and their texts.

| index | text |
|---|---|
| 0 to 95 | `layout A B C' +-` (see `LAYOUTS`) |
| 96 to 100 | `bonus card`: at the start (T2.4), for a city (T8.2) |
| 101 | `draw` (T4) |
| 102 to 118 | `take AOG` (T5) |
| 119 to 136 | `remove V`, `remove hexagon`: from a full storage (T5.2) |
| 137 to 166 | `tile L4`: a tile's cell, the starting castle's and the castle's too (T6, T8.1) |
| 167 to 196 | `hexagon L4`: a wooden hexagon's cell (T6.3) |
| 197 to 206 | `crop AOG`: which tile of agriculture |
| 207 to 261 | `pay own+worker`, `pay own+VV`: two units (T6.2) |
| 262, 263 | `marble` (T3.2), `end` |

The region: three boards of ten hexes side by side, and the 96 ways to join them (M1).

A board's hexes as it lies, in columns of 3, 4 and 3, and how the right column of one touches the
left column of the next, which lies half a hex lower (`+`) or higher (`-`):

        4                 +              -
      1   8           L8                   M1
        5                 M1          L8
      2   9           L9                   M2
        6                 M2          L9
      3   10          L10                  M3
        7                 M3          L10

Cells are numbered board by board, L1 to L10, M1 to M10 and R1 to R10, and sets of cells are the
bits of one integer. A region turned by half a turn is the same region, so the middle board never
is: 6 orders, 2 x 2 turns and 4 pairs of joints make 96 layouts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations_with_replacement, permutations, product
from operator import or_

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.spaces import ActionTexts
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.constants import NUM_CELLS

BOARD_LETTERS = "ABC"
BOARD_CELLS = 10
_COLUMNS = (3, 4, 3)
CELL_NAMES = tuple(f"{side}{i}" for side in "LMR" for i in range(1, BOARD_CELLS + 1))
#: Whether the middle board lies lower than the left one, and the right lower than the middle.
JOINTS = ((True, True), (True, False), (False, True), (False, False))


@dataclass(frozen=True)
class Layout:
    """A way to join three boards."""

    order: tuple[int, int, int]  # boards from left to right, 0 for A to 2 for C
    turned: tuple[bool, bool, bool]  # whether each lies turned by half a turn; never the middle
    joints: int  # index in `JOINTS`

    @property
    def text(self) -> str:
        """Such as `A B C' +-`."""
        boards = (
            BOARD_LETTERS[board] + "'" * turned
            for board, turned in zip(self.order, self.turned, strict=True)
        )
        signs = "".join("+" if lower else "-" for lower in JOINTS[self.joints])
        return f"{' '.join(boards)} {signs}"

    def cells(self) -> Iterator[tuple[int, int]]:
        """Yields board (0 for A) and printed hex (from 0) of every cell."""
        for board, turned in zip(self.order, self.turned, strict=True):
            for i in range(BOARD_CELLS):
                yield board, BOARD_CELLS - 1 - i if turned else i


#: By number: 16 * order + 8 * left turned + 4 * right turned + joints.
LAYOUTS = tuple(
    Layout((order[0], order[1], order[2]), (left, False, right), joints)
    for order, left, right, joints in product(
        permutations(range(3)), (False, True), (False, True), range(len(JOINTS))
    )
)


def places(joints: int) -> tuple[tuple[int, int], ...]:
    """Returns column and height of every cell, in columns and in half hexes from the top.

    Cells touch if they differ by (0, 2) or (1, 1).
    """
    found, top = [], 0
    for board in range(3):
        if board:
            top += 1 if JOINTS[joints][board - 1] else -1
        for column, rows in enumerate(_COLUMNS):
            shift = column != 1
            found += [(3 * board + column, top + 2 * row + shift) for row in range(rows)]
    return tuple(found)


def _neighbours(joints: int) -> tuple[int, ...]:
    at = places(joints)
    return tuple(
        sum(
            1 << i
            for i, (x2, y2) in enumerate(at)
            if (abs(x - x2), abs(y - y2)) in ((0, 2), (1, 1))
        )
        for x, y in at
    )


#: The cells that touch each cell, as sets: one table for each pair of joints.
NEIGHBOURS = tuple(_neighbours(joints) for joints in range(len(JOINTS)))


def cells_of(cells: int) -> list[int]:
    """Returns the cells in a set, ascending."""
    return [cell for cell in range(NUM_CELLS) if cells >> cell & 1]


#: Version of the space; checkpoints and records of another version are refused.
ACTIONS_VERSION = 1

#: What may be paid: a card of the hex's colour, a worker, or two equal cards of another (T6.2).
UNITS = ("own", "worker", *(colour * 2 for colour in c.COLOURS))
OWN, WORKER, FIRST_PAIR = 0, 1, 2
#: Both units of every payment, the first not after the second.
PAYMENTS: tuple[tuple[int, int], ...] = tuple(combinations_with_replacement(range(len(UNITS)), 2))


class ActionCodec(ActionTexts):
    """The action space with a text for each action: blocks of actions, single ones and the size."""

    layout = slice(0, 96)
    bonus = slice(96, 101)
    draw = 101
    take = slice(102, 119)
    remove = slice(119, 137)
    tile = slice(137, 167)
    hexagon = slice(167, 197)
    crop = slice(197, 207)
    pay = slice(207, 262)
    marble = 262
    end = 263

    def __init__(self) -> None:
        """Writes the texts."""
        examples = "layout A B C ++", "bonus card", "draw", "take AOG", "tile L4", "pay own+own"
        super().__init__(_texts(), examples)


def _texts() -> list[str]:
    blocks: tuple[tuple[str, Iterable[str]], ...] = (
        ("layout", (layout.text for layout in LAYOUTS)),
        ("bonus", c.BONUS_TYPES),
        ("draw", ("",)),
        ("take", c.TILE_KINDS),
        ("remove", c.PIECE_NAMES),
        ("tile", CELL_NAMES),
        ("hexagon", CELL_NAMES),
        ("crop", c.TILE_KINDS[c.FIRST_CROP_KIND :]),
        ("pay", (f"{UNITS[first]}+{UNITS[second]}" for first, second in PAYMENTS)),
        ("marble", ("",)),
        ("end", ("",)),
    )
    return [f"{verb} {what}".rstrip() for verb, whats in blocks for what in whats]


ACTIONS = ActionCodec()


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

    A triple of boards is 16 * A + 4 * B + C, counted from 0; `layout` may be NO_LAYOUT.
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
    tables = (colours, colour_cells, zones, neighbours)
    padding = (0, NUM_TRIPLES), (0, 0)
    return RegionTables(*(np.pad(table.reshape(NOT_BUILT, -1), padding) for table in tables))


def _zones(own: Cells, touching: Cells) -> Cells:
    """Returns the zone of every cell (T7.1), [64, 96, 30] sets, of cells of its colour that touch.

    Exact for zones of up to four cells, and more than three cells for any larger one.
    """
    zones = np.broadcast_to(CELL_BITS, own.shape).copy()
    for _ in range(3):  # a zone grows from each cell by a step or more in each turn
        for cell in range(c.NUM_CELLS):
            zones |= own & np.where(zones & CELL_BITS[cell], touching[:, cell, None], np.uint32(0))
    return zones


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
