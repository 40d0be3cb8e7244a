"""Fiefs and rings on a board, in the colours of their players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gonzaga_env.core.edition import Cell
from gonzaga_env.core.geometry import offset_neighbors
from gonzaga_env.render import icons, palette
from gonzaga_env.render.layout import Layout
from gonzaga_env.render.shapes import Circle, Line, Paint, Polygon, Shape


@dataclass(frozen=True)
class PlacedFief:
    """A fief on the board: the hexes that it covers, and its castle hexes."""

    seat: int
    cells: tuple[Cell, ...]
    castles: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class PlacedRing:
    """A ring on the board."""

    seat: int
    cell: Cell


def draw_fief(layout: Layout, fief: PlacedFief) -> Iterator[Shape]:
    """Yields a fief: translucent hexes with a bold outline, and its castles."""
    color = palette.nth(palette.PLAYERS, fief.seat)
    for cell in fief.cells:
        yield Polygon(layout.corners(cell), Paint(fill=color, opacity=0.55))
    outline = [
        layout.side(cell, other)
        for cell in fief.cells
        for other in offset_neighbors(*cell)
        if other not in fief.cells
    ]
    yield from (Line(side, Paint(stroke="#ffffff", width=6, opacity=0.9)) for side in outline)
    yield from (Line(side, Paint(stroke=color, width=3.6)) for side in outline)
    for cell in fief.castles:
        x, y = layout.center(cell)
        at = (x + 0.34 * layout.hex_width, y - 0.2 * layout.hex_width)
        yield from icons.castle(at, layout.hex_width / 9, "#fffaf0", color)


def draw_ring(layout: Layout, ring: PlacedRing) -> Iterator[Shape]:
    """Yields a ring around the hex's mark, in the player's colour with light edges."""
    center, radius = layout.mark(ring.cell), 0.28 * layout.hex_width
    for color, width in (
        (palette.INK, 10.0),
        ("#ffffff", 8.0),
        (palette.nth(palette.PLAYERS, ring.seat), 5.0),
    ):
        yield Circle(center, radius, Paint(stroke=color, width=width))
