"""Pixel positions of the hexes of a map."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gonzaga_env.core.board.edition import Cell, Edition, offset_neighbors
from gonzaga_env.render.shapes import Point

#: Corners of a hex from the north, clockwise, in units of its width; side i lies between corners
#: i and i + 1, and faces direction `_SIDE_DIRECTIONS[i]` of `geometry.DIRECTIONS`.
_RADIUS = 1 / math.sqrt(3)
_CORNERS = tuple(
    (_RADIUS * math.sin(math.radians(60 * i)), -_RADIUS * math.cos(math.radians(60 * i)))
    for i in range(6)
)
_SIDE_DIRECTIONS = (5, 0, 1, 2, 3, 4)  # NE, E, SE, SW, W, NW
ROW_PITCH = math.sqrt(3) / 2
MARK_HEIGHT = -0.13  # of a site's mark, from the hex's centre, in units of its width


@dataclass(frozen=True)
class Layout:
    """Pixel positions of hexes with pointy tops, odd rows shifted half a hex east."""

    hex_width: float  # distance between the western and the eastern side of a hex
    # Corner of the map's bounding box:
    left: float
    top: float
    # Size of the map:
    num_rows: int
    num_cols: int

    @classmethod
    def of(cls, edition: Edition, hex_width: float, left: float, top: float) -> Layout:
        """Returns the layout of an edition's map."""
        num_cols = max((len(row) for row in edition.marks), default=0)
        return cls(hex_width, left, top, len(edition.marks), num_cols)

    @property
    def width(self) -> float:
        """Width of the map's bounding box."""
        return self.hex_width * (self.num_cols + 0.5)

    @property
    def height(self) -> float:
        """Height of the map's bounding box."""
        return self.hex_width * (ROW_PITCH * (self.num_rows - 1) + 2 * _RADIUS)

    def center(self, cell: Cell) -> Point:
        """Returns the centre of a hex."""
        row, col = cell
        x = self.left + self.hex_width * (col + 0.5 + 0.5 * (row & 1))
        return x, self.top + self.hex_width * (_RADIUS + ROW_PITCH * row)

    def mark(self, cell: Cell) -> Point:
        """Returns the centre of a site's mark, which leaves room for the name below."""
        x, y = self.center(cell)
        return x, y + MARK_HEIGHT * self.hex_width

    def corners(self, cell: Cell, scale: float = 1.0) -> tuple[Point, ...]:
        """Returns the six corners of a hex from the north, clockwise."""
        x, y = self.center(cell)
        size = self.hex_width * scale
        return tuple((x + size * dx, y + size * dy) for dx, dy in _CORNERS)

    def sides(self, cell: Cell) -> list[tuple[Cell, tuple[Point, Point]]]:
        """Returns the six neighbours of a hex, on the map or off, and the sides shared with them.

        The ends of a side run clockwise around the hex.
        """
        corners, around = self.corners(cell), offset_neighbors(*cell)
        return [
            (around[direction], (corners[i], corners[(i + 1) % 6]))
            for i, direction in enumerate(_SIDE_DIRECTIONS)
        ]

    def side(self, cell: Cell, other: Cell) -> tuple[Point, Point]:
        """Returns the ends of the side between two neighbouring hexes."""
        return dict(self.sides(cell))[other]
