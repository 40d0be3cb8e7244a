"""The legend below a board: the meaning of the marks, and the twelve fiefs of every player."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.core.edition import Edition, Fief
from gonzaga_env.core.geometry import to_offset
from gonzaga_env.render import icons, palette, terrain
from gonzaga_env.render.layout import Layout
from gonzaga_env.render.shapes import (
    Label,
    Line,
    Paint,
    Polygon,
    Shape,
    text_width,
    translated,
)
from gonzaga_env.render.sites import symbol_color

LEGEND_HEIGHT = 176.0
_FIEF_HEX = 25.0  # width of a fief's hexes
_TEXT = 18.0


def legend(edition: Edition, left: float, top: float, width: float) -> Iterator[Shape]:
    """Yields a row of keys and, below it, a row of fiefs."""
    yield from _keys(edition, left, top, width)
    room = width / max(1, len(edition.fiefs))
    for i, fief in enumerate(edition.fiefs):
        yield from _fief(fief, left + room * (i + 0.5), top + 78)


def _keys(edition: Edition, left: float, y: float, width: float) -> Iterator[Shape]:
    items = [*edition.symbols, "harbor", "sea league", "barrier"]
    widths = [44 + text_width(item, _TEXT) for item in items]
    gap = (width - sum(widths)) / max(1, len(items) - 1)
    x = left
    for item, own in zip(items, widths, strict=True):
        yield from _key(edition, item, x + 15, y)
        yield Label(item, (x + 36, y + 6), _TEXT, palette.INK, anchor="start")
        x += own + gap


def _key(edition: Edition, item: str, x: float, y: float) -> Iterator[Shape]:
    if item in edition.symbols:
        yield from icons.symbol(item, (x, y), 15, symbol_color(edition, item))
    elif item == "harbor":
        yield from icons.anchor((x, y), 13)
    elif item == "sea league":
        yield Line(((x - 15, y), (x + 15, y)), Paint(stroke=palette.ROUTE, width=2.8, dash=(9, 6)))
    else:
        yield from terrain.ridge([((x - 15, y + 4), (x + 15, y + 4))], 76)


def _fief(fief: Fief, x: float, y: float) -> Iterator[Shape]:
    """Yields an unrotated fief, centred on a point, with its number below."""
    layout = Layout(_FIEF_HEX, 0, 0, 0, 0)
    cells = [to_offset(q, r) for q, r in fief.cells]
    corners = [corner for cell in cells for corner in layout.corners(cell)]
    middle = [(min(v) + max(v)) / 2 for v in zip(*corners, strict=True)]
    by = (x - middle[0], y - middle[1])
    for cell in cells:
        paint = Paint(fill="#e3cfa6", stroke=palette.FRAME, width=1.8)
        yield Polygon(translated(layout.corners(cell), by), paint)
    for castle in fief.castles:
        (at,) = translated((layout.center(cells[castle]),), by)
        yield from icons.castle(at, _FIEF_HEX * 0.29, palette.PAPER, palette.FRAME)
    yield Label(str(fief.number), (x, y + 56), _TEXT, palette.INK)
