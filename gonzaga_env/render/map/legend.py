"""The legend below a board: the meaning of the marks, and the twelve fiefs of every player."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.core.board.geometry import to_offset
from gonzaga_env.core.editions.edition import Edition, Fief
from gonzaga_env.render import icons
from gonzaga_env.render.map import terrain
from gonzaga_env.render.map.layout import Layout
from gonzaga_env.render.map.sites import symbol_color
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.shapes import (
    Label,
    Line,
    Paint,
    Point,
    Polygon,
    Shape,
    text_width,
    translated,
)

LEGEND_HEIGHT = 176.0
_FIEF_HEX = 25.0  # width of a fief's hexes
_TEXT = 18.0


def legend(
    edition: Edition, left: float, top: float, width: float, theme: Theme
) -> Iterator[Shape]:
    """Yields a row of keys and, below it, a row of fiefs."""
    yield from _keys(edition, left, top, width, theme)
    room = width / max(1, len(edition.fiefs))
    for i, fief in enumerate(edition.fiefs):
        x, y = left + room * (i + 0.5), top + 78
        yield from draw_shape(
            fief, (x, y), _FIEF_HEX, theme.fief, theme.legend_line, theme.castle, theme.legend_line
        )
        yield Label(str(fief.number), (x, y + 56), _TEXT, theme.ink)


def _keys(edition: Edition, left: float, y: float, width: float, theme: Theme) -> Iterator[Shape]:
    items = [*edition.symbols, "harbor", "sea league", "barrier"]
    widths = [44 + text_width(item, _TEXT) for item in items]
    gap = (width - sum(widths)) / max(1, len(items) - 1)
    x = left
    for item, own in zip(items, widths, strict=True):
        yield from _key(edition, item, x + 15, y, theme)
        yield Label(item, (x + 36, y + 6), _TEXT, theme.ink, anchor="start")
        x += own + gap


def _key(edition: Edition, item: str, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    if item in edition.symbols:
        yield from icons.symbol(item, (x, y), 15, symbol_color(edition, item))
    elif item == "harbor":
        yield from icons.anchor((x, y), 13)
    elif item == "sea league":
        route = Paint(stroke=theme.route, width=2.8, dash=(9, 6))
        yield Line(((x - 15, y), (x + 15, y)), route)
    else:
        yield from terrain.ridge([((x - 15, y + 4), (x + 15, y + 4))], 76, theme)


def draw_shape(
    fief: Fief, at: Point, hex_width: float, fill: str, line: str, castle: str, gate: str
) -> Iterator[Shape]:
    """Yields an unrotated fief with its castles, centred on a point.

    Args:
        fief: the fief.
        at: the centre.
        hex_width: width of its hexes in pixels.
        fill: colour of the hexes.
        line: colour of their outlines.
        castle: colour of the castles.
        gate: colour of the castles' gates and outlines.
    """
    layout = Layout(hex_width, 0, 0, 0, 0)
    cells = [to_offset(q, r) for q, r in fief.cells]
    corners = [corner for cell in cells for corner in layout.corners(cell)]
    middle = [(min(v) + max(v)) / 2 for v in zip(*corners, strict=True)]
    by = (at[0] - middle[0], at[1] - middle[1])
    for cell in cells:
        paint = Paint(fill=fill, stroke=line, width=hex_width * 0.072)
        yield Polygon(translated(layout.corners(cell), by), paint)
    for i in fief.castles:
        (center,) = translated((layout.center(cells[i]),), by)
        yield from icons.castle(center, hex_width * 0.29, castle, gate)
