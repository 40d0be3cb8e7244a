"""Fiefs and rings on a map, in the colours and with the crests of their players."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gonzaga_env.core.board.edition import Cell
from gonzaga_env.core.view.game_view import PlacedFief, PlacedRing
from gonzaga_env.render import icons
from gonzaga_env.render.gonzaga.layout import Layout
from gonzaga_env.render.icons import charge, crest
from gonzaga_env.render.palette import Theme, mixed, nth
from gonzaga_env.render.shapes import Circle, Line, Paint, Point, Polygon, Shape


def draw_fief(
    layout: Layout, fief: PlacedFief, theme: Theme, sites: Collection[Cell] = ()
) -> Iterator[Shape]:
    """Yields a fief: opaque hexes with its crest's charge on each, an edge, and its castles.

    Args:
        layout: positions of the hexes.
        fief: the fief.
        theme: the colours.
        sites: hexes of cities and harbors, whose marks are drawn on top later; charge and castle
            make room for them.
    """
    color, width = nth(theme.players, fief.seat), layout.hex_width
    joint = mixed(color, theme.on_piece, 0.3)
    for cell in fief.cells:
        yield Polygon(layout.corners(cell), Paint(fill=color, stroke=joint, width=1.2))
    for line in outlines(layout, fief.cells):
        yield Line(line, Paint(stroke=theme.on_piece, width=4.4))
        yield Line(line, Paint(stroke=color, width=1.6))
    for cell in fief.cells:
        x, y = layout.center(cell)
        if cell in sites:
            corner = (x - 0.34 * width, y - 0.19 * width)
            yield from charge(fief.seat, corner, width * 0.1, mixed(color, theme.on_piece, 0.75))
        elif cell not in fief.castles:
            yield from charge(fief.seat, (x, y), width * 0.24, mixed(color, theme.on_piece, 0.42))
    for cell in fief.castles:
        x, y = layout.center(cell)
        at, size = (
            ((x, y), 0.26) if cell not in sites else ((x + 0.33 * width, y - 0.18 * width), 0.11)
        )
        yield from icons.castle(at, width * size, theme.on_piece, color)


def draw_ring(layout: Layout, ring: PlacedRing, theme: Theme) -> Iterator[Shape]:
    """Yields a ring around the hex's mark, with its player's crest."""
    center, radius = layout.mark(ring.cell), 0.27 * layout.hex_width
    color = nth(theme.players, ring.seat)
    for stroke, width in ((theme.on_piece, 10.0), (color, 7.0)):
        yield Circle(center, radius, Paint(stroke=stroke, width=width))
    at = (center[0], center[1] - radius)
    yield from crest(ring.seat, at, layout.hex_width * 0.12, theme)


def draw_wanted(layout: Layout, cell: Cell, theme: Theme) -> Iterator[Shape]:
    """Yields a dashed circle around a city of the viewer's own objective."""
    center, radius = layout.mark(cell), 0.262 * layout.hex_width
    yield Circle(center, radius, Paint(stroke=theme.on_mark, width=4.6))
    yield Circle(center, radius, Paint(stroke=theme.mark, width=2.8, dash=(5, 3)))


def draw_mark(layout: Layout, cells: Collection[Cell], theme: Theme) -> Iterator[Shape]:
    """Yields the mark of the last move: a bold line around its hexes."""
    for line in outlines(layout, cells):
        yield Line(line, Paint(stroke=theme.on_mark, width=10))
        yield Line(line, Paint(stroke=theme.mark, width=6))


def outlines(layout: Layout, cells: Collection[Cell]) -> Iterator[tuple[Point, ...]]:
    """Yields the closed lines around some hexes, joined from sides that run clockwise."""
    after = {
        _rounded(start): end
        for cell in cells
        for other, (start, end) in layout.sides(cell)
        if other not in cells
    }
    while after:
        line = [next(iter(after))]
        while (point := _rounded(line[-1])) in after:
            line.append(after.pop(point))
        yield tuple(line)


def _rounded(point: Point) -> Point:
    """Returns a point that is equal for all hexes that share it."""
    return round(point[0], 3), round(point[1], 3)
