"""The region: three boards of ten hexes side by side, and the 96 ways to join them (M1).

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

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

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
