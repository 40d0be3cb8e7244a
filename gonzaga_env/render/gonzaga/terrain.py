"""The lowest layers of a board: sea, land, borders, barriers and routes of the sea leagues."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator
from itertools import pairwise

from gonzaga_env.core.board.edition import Cell, Edition, offset_neighbors
from gonzaga_env.render.gonzaga.layout import MARK_HEIGHT, Layout
from gonzaga_env.render.palette import Theme, mixed, nth
from gonzaga_env.render.shapes import Line, Paint, Point, Polygon, Shape, transformed

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
    coast = list(_coast(edition, layout))
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
    """Returns the colour of a region's hexes, by its mark on the map."""
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


def _coast(edition: Edition, layout: Layout) -> Iterator[tuple[Point, Point]]:
    for cell, other in _sides(edition, edition.grid.cells):
        if _is_land(edition, cell) != _is_land(edition, other):
            yield layout.side(cell, other)


def _borders(edition: Edition, layout: Layout, cells: list[Cell], paint: Paint) -> Iterator[Shape]:
    for cell, other in _sides(edition, cells):
        if edition.mark(cell) != edition.mark(other):
            yield Line(layout.side(cell, other), paint)


def _sides(edition: Edition, cells: tuple[Cell, ...] | list[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Yields each pair of neighbouring hexes once."""
    among = set(cells)
    for cell in cells:
        for other in offset_neighbors(*cell):
            if other in among and cell < other:
                yield cell, other
