"""The marks and names of cities and harbors, and the legend that explains them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gonzaga_env.core.board.edition import Edition, Fief, Site, to_offset
from gonzaga_env.render import icons
from gonzaga_env.render.gonzaga import terrain
from gonzaga_env.render.gonzaga.labels import Box
from gonzaga_env.render.gonzaga.layout import Layout
from gonzaga_env.render.palette import SYMBOLS, Theme, nth
from gonzaga_env.render.shapes import (
    Label,
    Line,
    Paint,
    Point,
    Polygon,
    Shape,
    fitted,
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
        size, line = min(_FIEF_HEX, 0.24 * room), theme.legend_line
        yield from draw_shape(fief, (x, y), size, theme.fief, line, theme.castle, line)
        yield Label(str(fief.number), (x, y + 56), _TEXT, theme.ink)


def _keys(edition: Edition, left: float, y: float, width: float, theme: Theme) -> Iterator[Shape]:
    items = [*edition.symbols, "harbor", "sea league", "barrier"]
    widths = [44 + text_width(item, _TEXT) for item in items]
    scale = min(1.0, width / sum(widths))  # on a small map
    gap = (width - scale * sum(widths)) / max(1, len(items) - 1)
    x = left
    for item, own in zip(items, widths, strict=True):
        yield from _key(edition, item, (x + 15 * scale, y), scale, theme)
        at = x + 36 * scale, y + 6 * scale
        yield Label(item, at, _TEXT * scale, theme.ink, anchor="start")
        x += own * scale + gap


def _key(edition: Edition, item: str, at: Point, scale: float, theme: Theme) -> Iterator[Shape]:
    x, y = at
    if item in edition.symbols:
        yield from icons.symbol(item, at, 15 * scale, symbol_color(edition, item))
    elif item == "harbor":
        yield from icons.anchor(at, 13 * scale)
    elif item == "sea league":
        route = Paint(stroke=theme.route, width=2.8, dash=(9, 6))
        yield Line(((x - 15 * scale, y), (x + 15 * scale, y)), route)
    else:
        foot = y + 4 * scale
        yield from terrain.ridge(
            [((x - 15 * scale, foot), (x + 15 * scale, foot))], 76 * scale, theme
        )


def draw_shape(
    fief: Fief, at: Point, hex_width: float, fill: str, line: str, castle: str, gate: str
) -> Iterator[Shape]:
    """Yields an unrotated fief with its castles, centred on a point."""
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


_NAME_SIZE, _NAME_ROOM = 0.25, 1.9  # of a hex's width, at most
_RADIUS = 0.205


def marks(edition: Edition, layout: Layout, inactive: Collection[str] = ()) -> Iterator[Shape]:
    """Yields the marks of cities and harbors, smaller in inactive regions."""
    for site in (*edition.cities, *edition.harbors):
        small = edition.regions.get(edition.mark(site.at)) in inactive
        yield from _mark(edition, layout, site, 0.74 if small else 1.0)


def names(edition: Edition, layout: Layout, theme: Theme) -> Iterator[Shape]:
    """Yields the names of cities and harbors."""
    for site in (*edition.cities, *edition.harbors):
        yield _name(edition, layout, site, theme)


def site_boxes(edition: Edition, layout: Layout) -> Iterator[Box]:
    """Yields the bounding box of each site's mark and name."""
    for site in (*edition.cities, *edition.harbors):
        x, y = layout.center(site.at)
        half = max(
            _RADIUS * layout.hex_width, text_width(site.name, _name_size(edition, layout, site)) / 2
        )
        yield x - half, y - 0.38 * layout.hex_width, x + half, y + 0.42 * layout.hex_width


def symbol_color(edition: Edition, name: str) -> str:
    """Returns the colour of a symbol."""
    return nth(SYMBOLS, edition.symbols.index(name))


def _mark(edition: Edition, layout: Layout, site: Site, scale: float) -> Iterator[Shape]:
    at, radius = layout.mark(site.at), _RADIUS * layout.hex_width * scale
    if site.kind == "city":
        yield from icons.symbol(site.group, at, radius, symbol_color(edition, site.group))
    else:
        yield from icons.anchor(at, radius * 0.92)


def _name_size(edition: Edition, layout: Layout, site: Site) -> float:
    """Returns the size at which a name keeps clear of those in its row."""
    row, col = site.at
    others = (other.at for other in (*edition.cities, *edition.harbors))
    apart = min((abs(c - col) for r, c in others if r == row and c != col), default=2)
    room = min(_NAME_ROOM, 0.94 * apart) * layout.hex_width
    return fitted(site.name, _NAME_SIZE * layout.hex_width, room)


def _name(edition: Edition, layout: Layout, site: Site, theme: Theme) -> Label:
    x, y = layout.center(site.at)
    return Label(
        site.name,
        (x, y + 0.29 * layout.hex_width),
        _name_size(edition, layout, site),
        theme.site if site.kind == "city" else theme.harbor,
        halo=theme.halo,
        bold=True,
        italic=site.kind == "harbor",
    )
