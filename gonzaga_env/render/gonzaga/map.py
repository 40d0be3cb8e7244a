"""The printed map: its layers, which a game's pieces go between, and its own scene.

Layers, lowest first: paper; terrain with names, routes and barriers; frame; marks of the sites;
names of the sites; title and legend. Fiefs go below the marks, rings below the names, which stay
readable.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from gonzaga_env.core.edition import Cell, Edition, Fief, Site, offset_neighbors, to_offset
from gonzaga_env.render import icons
from gonzaga_env.render.gonzaga.pieces import (
    MARK_HEIGHT,
    ROW_PITCH,
    Box,
    LabelPlacer,
    LabelStyle,
    Layout,
)
from gonzaga_env.render.palette import LIGHT, SYMBOLS, Theme, mixed, nth
from gonzaga_env.render.panels import title
from gonzaga_env.render.shapes import (
    Label,
    Layer,
    Line,
    Paint,
    Point,
    Polygon,
    Scene,
    Shape,
    fitted,
    page,
    text_width,
    transformed,
    translated,
)

_PEAK = ((-0.6, 0.42), (-0.08, -0.62), (0.12, -0.28), (0.2, -0.36), (0.68, 0.42))
_SNOW = ((-0.25, -0.22), (-0.08, -0.62), (0.12, -0.28), (0.02, -0.12), (-0.1, -0.26))
#: Part of an inactive region's colour that is paper.
FADED = 0.66
_FOREIGN_SEA_COST = 3  # routes prefer their own sea
_BELOW_NAME = 0.4  # of a hex's width, from its centre


def hexes(
    edition: Edition, layout: Layout, theme: Theme, inactive: Collection[str] = ()
) -> Iterator[Shape]:
    """Yields the hexes, surf along the coasts, and borders of regions and seas."""
    sea = [cell for cell in edition.grid.cells if not _is_land(edition, cell)]
    land = [cell for cell in edition.grid.cells if _is_land(edition, cell)]
    for cell in sea:
        fill = nth(theme.seas, list(edition.seas).index(edition.mark(cell)))
        yield Polygon(layout.corners(cell), Paint(fill=fill, stroke=theme.sea_line, width=0.9))
    yield from _borders(edition, layout, sea, Paint(stroke=theme.sea_border, width=2, dash=(2, 5)))
    coast = [
        layout.side(cell, other)
        for cell, other in _sides(edition, edition.grid.cells)
        if _is_land(edition, cell) != _is_land(edition, other)
    ]
    for width, opacity in ((20, 0.35), (11, 0.6)):
        surf = Paint(stroke=theme.surf, width=width, opacity=opacity)
        yield from (Line(side, surf) for side in coast)
    yield from _surroundings(edition, layout, theme)
    for cell in land:
        fill = region_color(edition, theme, edition.mark(cell), inactive)
        yield Polygon(layout.corners(cell), Paint(fill=fill, stroke=theme.hex_line, width=0.9))
    border = Paint(stroke=theme.region_border, width=3, dash=(7, 5))
    yield from _borders(edition, layout, land, border)
    yield from (Line(side, Paint(stroke=theme.coast, width=2.6)) for side in coast)


def barriers(edition: Edition, layout: Layout, theme: Theme) -> Iterator[Shape]:
    """Yields every barrier as a mountain ridge with two peaks per hex side."""
    sides = [layout.side(*edge) for barrier in edition.barriers for edge in barrier.edges]
    yield from ridge(sides, layout.hex_width, theme)


def ridge(sides: list[tuple[Point, Point]], width: float, theme: Theme) -> Iterator[Shape]:
    """Yields a ridge along lines on hexes of a width; southern peaks are in front."""
    yield from (Line(side, Paint(stroke=theme.ridge, width=width / 9)) for side in sides)
    peaks = sorted(
        (y1 + t * (y2 - y1), x1 + t * (x2 - x1))
        for (x1, y1), (x2, y2) in sides
        for t in (0.25, 0.75)
    )
    for y, x in peaks:
        rock = Paint(fill=theme.rock, stroke=theme.ridge, width=1.4)
        yield Polygon(transformed(_PEAK, (x, y), width / 5.2), rock)
        yield Polygon(transformed(_SNOW, (x, y), width / 5.2), Paint(fill=theme.snow))


def routes(edition: Edition, layout: Layout, theme: Theme) -> Iterator[Line]:
    """Yields the red lines that join the harbors of each sea league."""
    for name in edition.seas.values():
        for path in sea_route(edition, name):
            first, last = (_end(edition, layout, *two) for two in (path[:2], path[:-3:-1]))
            points = _smooth([first, *map(layout.center, path[1:-1]), last])
            yield Line(points, Paint(stroke=theme.route_edge, width=4.6, opacity=0.75))
            yield Line(points, Paint(stroke=theme.route, width=2.8, dash=(9, 6)))


def _end(edition: Edition, layout: Layout, cell: Cell, towards: Cell) -> Point:
    """Returns where a route ends: in the anchor or, coming from the south, below the name."""
    x, y = layout.center(cell)
    if _is_land(edition, cell):
        y += (_BELOW_NAME if towards[0] > cell[0] else MARK_HEIGHT) * layout.hex_width
    return x, y


def sea_route(edition: Edition, sea: str) -> list[list[Cell]]:
    """Returns paths of hexes that connect all harbors of a sea, over sea if possible."""
    waiting = [harbor.at for harbor in edition.harbors if harbor.group == sea]
    if not waiting:
        return []
    joined = {waiting.pop(0)}
    paths = []
    while waiting:
        path = _cheapest(edition, sea, joined, waiting)
        waiting.remove(path[-1])
        joined |= set(path)
        paths.append(path)
    return paths


def _cheapest(edition: Edition, sea: str, sources: set[Cell], targets: list[Cell]) -> list[Cell]:
    """Returns the cheapest path over sea from a source to a target, or a straight line if none."""
    queue = [(0, [cell]) for cell in sorted(sources)]
    done: set[Cell] = set()
    while queue:
        cost, path = heapq.heappop(queue)
        if path[-1] in targets:
            return path
        if path[-1] in done:
            continue
        done.add(path[-1])
        for cell in offset_neighbors(*path[-1]):
            step = _route_cost(edition, sea, path[-1], cell, targets)
            if step:
                heapq.heappush(queue, (cost + step, [*path, cell]))
    return [min(sources), targets[0]]


def _route_cost(edition: Edition, sea: str, start: Cell, cell: Cell, targets: list[Cell]) -> int:
    """Returns the cost of a step; 0 if it is forbidden: between land hexes, or onto other land."""
    if cell not in edition.grid.index:
        return 0
    if cell in targets:
        return 0 if _is_land(edition, start) else 1
    name = edition.seas.get(edition.mark(cell))
    return 0 if name is None else 1 if name == sea else _FOREIGN_SEA_COST


def _smooth(points: list[Point]) -> tuple[Point, ...]:
    """Returns a curve through the first and last point, rounded at the points between."""
    if len(points) < 3:
        return tuple(points)
    middles = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in pairwise(points)]
    curve = [points[0]]
    for (ax, ay), (bx, by), (cx, cy) in zip(middles, points[1:], middles[1:], strict=False):
        for t in (0.0, 0.25, 0.5, 0.75, 1.0):
            u, v, w = (1 - t) ** 2, 2 * t * (1 - t), t * t
            curve.append((u * ax + v * bx + w * cx, u * ay + v * by + w * cy))
    return (*curve, points[-1])


def region_color(edition: Edition, theme: Theme, mark: str, inactive: Collection[str] = ()) -> str:
    fill = nth(theme.regions, list(edition.regions).index(mark))
    return mixed(fill, theme.paper, FADED) if edition.regions[mark] in inactive else fill


def _surroundings(edition: Edition, layout: Layout, theme: Theme) -> Iterator[Shape]:
    """Yields blank hexes around the map, which hide surf beyond its edge."""
    on_map = edition.grid.index
    around = {other for cell in on_map for other in offset_neighbors(*cell)} - set(on_map)
    for cell in sorted(around):
        yield Polygon(layout.corners(cell), Paint(fill=theme.paper))


def _is_land(edition: Edition, cell: Cell) -> bool:
    return edition.mark(cell) in edition.regions


def _borders(edition: Edition, layout: Layout, cells: list[Cell], paint: Paint) -> Iterator[Shape]:
    for cell, other in _sides(edition, cells):
        if edition.mark(cell) != edition.mark(other):
            yield Line(layout.side(cell, other), paint)


def _sides(edition: Edition, cells: tuple[Cell, ...] | list[Cell]) -> Iterator[tuple[Cell, Cell]]:
    among = set(cells)
    for cell in cells:
        for other in offset_neighbors(*cell):
            if other in among and cell < other:
                yield cell, other


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
        yield from ridge([((x - 15 * scale, foot), (x + 15 * scale, foot))], 76 * scale, theme)


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
    for site in (*edition.cities, *edition.harbors):
        yield _name(edition, layout, site, theme)


def site_boxes(edition: Edition, layout: Layout) -> Iterator[Box]:
    for site in (*edition.cities, *edition.harbors):
        x, y = layout.center(site.at)
        half = max(
            _RADIUS * layout.hex_width, text_width(site.name, _name_size(edition, layout, site)) / 2
        )
        yield x - half, y - 0.38 * layout.hex_width, x + half, y + 0.42 * layout.hex_width


def symbol_color(edition: Edition, name: str) -> str:
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
    room = min(_NAME_ROOM, 0.82 * apart) * layout.hex_width
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


HEX_WIDTH = 76.0
MARGIN, TITLE_HEIGHT, LEGEND_GAP = 34.0, 80.0, 36.0
_NUMBER_SIZE = 15.0
_ANGLES = (0.0, -20.0, 20.0, -40.0, 40.0, -60.0, 60.0, 75.0)
_REGION_STYLE = LabelStyle(
    (40, 34, 29, 25, 21), _ANGLES, LIGHT.region_label, 0.62, bold=True, spacing=0.22
)
_SEA_STYLE = LabelStyle(
    (27, 24, 21, 18, 15), _ANGLES, LIGHT.sea_label, 0.8, italic=True, spacing=0.2
)


@dataclass(frozen=True)
class PrintedMap:
    """The layers of a page with a map, which stay the same while a game is played."""

    ground: Layer  # paper, land and sea
    lines: Layer  # names of regions and seas, routes, barriers, title, legend and coordinates
    marks: Layer  # symbols of cities and anchors of harbors, above fiefs
    names: Layer  # names of cities and harbors, above rings


def edition_scene(edition: Edition, theme: Theme = LIGHT) -> Scene:
    layout = board_layout(edition)
    size = map_size(layout)
    printed = printed_map(edition, layout, size, theme)
    layers = printed.ground, printed.lines, printed.marks, printed.names
    return Scene(*size, f"Gonzaga: {edition.name}", layers)


def board_layout(
    edition: Edition, left: float = MARGIN, top: float = MARGIN + TITLE_HEIGHT
) -> Layout:
    return Layout.of(edition, HEX_WIDTH, left, top)


def map_size(layout: Layout) -> tuple[float, float]:
    height = layout.top + layout.height + LEGEND_HEIGHT + MARGIN
    return round(layout.width + 2 * layout.left), round(height)


@lru_cache(maxsize=16)
def printed_map(
    edition: Edition,
    layout: Layout,
    size: tuple[float, float],
    theme: Theme,
    inactive: tuple[str, ...] = (),
    gap: float = LEGEND_GAP,
    show_coordinates: bool = False,
) -> PrintedMap:
    """Returns a map on a page; those used last are kept."""
    bottom = layout.top + layout.height + gap
    paper, frame = page(*size, theme)
    note = "a reconstruction: not the map of the printed game" * edition.reconstruction
    middle = layout.left + layout.width / 2
    lines = (
        *_lines(edition, layout, theme, inactive),
        *frame.shapes,
        *title(f"Gonzaga · {edition.name}", note, middle, MARGIN + 46, theme),
        *legend(edition, layout.left, bottom, layout.width, theme),
        *(coordinates(layout, theme) if show_coordinates else ()),
    )
    return PrintedMap(
        ground=Layer((*paper.shapes, *hexes(edition, layout, theme, inactive))),
        lines=Layer(lines),
        marks=Layer(tuple(marks(edition, layout, inactive))),
        names=Layer(tuple(names(edition, layout, theme))),
    )


def _lines(
    edition: Edition, layout: Layout, theme: Theme, inactive: tuple[str, ...]
) -> Iterator[Shape]:
    faded = mixed(theme.region_label, theme.paper, 0.4)
    for kind, name, label in _map_labels(edition):
        color = theme.sea_label
        if kind == "region":
            color = faded if name in inactive else theme.region_label
        at = label.at[0] + layout.left, label.at[1] + layout.top
        yield replace(label, at=at, color=color)
    yield from routes(edition, layout, theme)
    yield from barriers(edition, layout, theme)


@lru_cache(maxsize=8)
def _map_labels(edition: Edition) -> tuple[tuple[str, str, Label], ...]:
    """Returns kind, name and labels of regions and seas, relative to the map's corner."""
    layout = board_layout(edition)
    placer = LabelPlacer(edition, layout, _obstacles(edition, layout))
    found = []
    for kind, printed, style in (
        ("region", edition.regions, _REGION_STYLE),
        ("sea", edition.seas, _SEA_STYLE),
    ):
        for mark, name in printed.items():
            for label in placer.place(mark, name, style):
                at = label.at[0] - layout.left, label.at[1] - layout.top
                found.append((kind, name, replace(label, at=at)))
    return tuple(found)


def _obstacles(edition: Edition, layout: Layout) -> Iterator[Box]:
    """Yields boxes that map labels should avoid: sites, barriers and routes."""
    yield from site_boxes(edition, layout)
    for line in routes(edition, layout, LIGHT):
        for (x1, y1), (x2, y2) in pairwise(line.points):
            for part in (0.0, 0.25, 0.5, 0.75, 1.0):
                x, y = x1 + part * (x2 - x1), y1 + part * (y2 - y1)
                yield x - 5, y - 5, x + 5, y + 5
    for barrier in edition.barriers:
        for edge in barrier.edges:
            (x1, y1), (x2, y2) = layout.side(*edge)
            yield min(x1, x2) - 8, min(y1, y2) - 10, max(x1, x2) + 8, max(y1, y2) + 8


def coordinates(layout: Layout, theme: Theme) -> Iterator[Shape]:
    """Yields the rows' numbers on both sides of a map and the columns' above and below it."""
    right = layout.left + layout.width
    for row in range(layout.num_rows):
        y = layout.center((row, 0))[1] + 0.36 * _NUMBER_SIZE
        yield _number(row, (layout.left - 9, y), theme, "end")
        yield _number(row, (right + 9, y), theme, "start")
    last = layout.num_rows - 1
    for col in range(layout.num_cols):
        x, y = layout.center((0, col))
        yield _number(col, (x, y - 0.64 * layout.hex_width), theme)
        x, y = layout.center((last, col))
        yield _number(col, (x, y + (ROW_PITCH - 0.04) * layout.hex_width), theme)


def _number(value: int, at: tuple[float, float], theme: Theme, anchor: str = "middle") -> Label:
    return Label(str(value), at, _NUMBER_SIZE, theme.muted, anchor=anchor)
