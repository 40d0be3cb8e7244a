"""The scene of a board: the printed map and the pieces on it.

Layers, lowest first: paper, terrain, map labels, barriers and routes; then the pieces; then marks
and names of the sites, which stay readable on top of pieces; then rings; then title and legend.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gonzaga_env.core.edition import Edition
from gonzaga_env.render import palette, terrain
from gonzaga_env.render.layout import Layout
from gonzaga_env.render.legend import LEGEND_HEIGHT, legend
from gonzaga_env.render.map_labels import Box, LabelPlacer, LabelStyle
from gonzaga_env.render.pieces import PlacedFief, PlacedRing, draw_fief, draw_ring
from gonzaga_env.render.shapes import Label, Line, Paint, Polygon, Scene, Shape
from gonzaga_env.render.sites import site_boxes, sites

HEX_WIDTH = 76.0
MARGIN, TITLE_HEIGHT = 34.0, 80.0
_ANGLES = (0.0, -20.0, 20.0, -40.0, 40.0, -60.0, 60.0, 75.0)
_REGION_STYLE = LabelStyle((40, 34, 29, 25, 21), _ANGLES, "#2e2118", 0.62, bold=True, spacing=0.22)
_SEA_STYLE = LabelStyle((27, 24, 21, 18, 15), _ANGLES, "#123c57", 0.8, italic=True, spacing=0.2)


_fixed_shapes: dict[str, tuple[tuple[Shape, ...], tuple[Shape, ...]]] = {}  # by digest


def edition_scene(
    edition: Edition, fiefs: Iterable[PlacedFief] = (), rings: Iterable[PlacedRing] = ()
) -> Scene:
    """Returns the scene of an edition's board with pieces on it."""
    layout = board_layout(edition)
    if edition.digest not in _fixed_shapes:
        _fixed_shapes[edition.digest] = (
            tuple(_below(edition, layout)),
            tuple(_above(edition, layout)),
        )
    below, above = _fixed_shapes[edition.digest]
    shapes = [*below]
    for fief in fiefs:
        shapes += draw_fief(layout, fief)
    shapes += above
    for ring in rings:
        shapes += draw_ring(layout, ring)
    return Scene(*_size(layout), title=f"Gonzaga: {edition.name}", shapes=tuple(shapes))


def board_layout(edition: Edition) -> Layout:
    """Returns the positions of the hexes in `edition_scene`, in pixels."""
    return Layout.of(edition, HEX_WIDTH, MARGIN, MARGIN + TITLE_HEIGHT)


def _size(layout: Layout) -> tuple[float, float]:
    height = layout.top + layout.height + LEGEND_HEIGHT + MARGIN
    return round(layout.width + 2 * MARGIN), round(height)


def _below(edition: Edition, layout: Layout) -> Iterator[Shape]:
    """Yields the printed shapes under the pieces."""
    yield _box((0, 0, *_size(layout)), Paint(fill=palette.PAPER))
    yield from terrain.hexes(edition, layout)
    yield from _map_labels(edition, layout)
    yield from terrain.routes(edition, layout)
    yield from terrain.barriers(edition, layout)
    yield from _frame(layout)


def _above(edition: Edition, layout: Layout) -> Iterator[Shape]:
    """Yields the printed shapes on top of the pieces, which stay readable."""
    yield from sites(edition, layout)
    yield from _title(edition, layout)
    yield from legend(edition, layout.left, layout.top + layout.height + 36, layout.width)


def _frame(layout: Layout) -> Iterator[Shape]:
    width, height = _size(layout)
    for inset, line in ((10, 3.5), (17, 1.2)):
        frame = (inset, inset, width - inset, height - inset)
        yield _box(frame, Paint(stroke=palette.FRAME, width=line))


def _map_labels(edition: Edition, layout: Layout) -> Iterator[Shape]:
    placer = LabelPlacer(edition, layout, _obstacles(edition, layout))
    for mark, name in edition.regions.items():
        yield from placer.place(mark, name, _REGION_STYLE)
    for mark, name in edition.seas.items():
        yield from placer.place(mark, name, _SEA_STYLE)


def _obstacles(edition: Edition, layout: Layout) -> Iterator[Box]:
    """Yields boxes that map labels should avoid: sites, barriers and routes."""
    yield from site_boxes(edition, layout)
    lines = [line for line in terrain.routes(edition, layout) if isinstance(line, Line)]
    for line in lines:
        yield from ((x - 5, y - 5, x + 5, y + 5) for x, y in line.points)
    for barrier in edition.barriers:
        for edge in barrier.edges:
            (x1, y1), (x2, y2) = layout.side(*edge)
            yield min(x1, x2) - 8, min(y1, y2) - 10, max(x1, x2) + 8, max(y1, y2) + 8


def _title(edition: Edition, layout: Layout) -> Iterator[Shape]:
    middle = layout.left + layout.width / 2
    baseline = MARGIN + 46
    yield Label(
        f"GONZAGA · {edition.name.upper()}", (middle, baseline), 38, palette.FRAME, bold=True,
        spacing=7,
    )  # fmt: skip
    if edition.reconstruction:
        note = "a reconstruction: not the map of the printed game"
        yield Label(note, (middle, baseline + 25), 17, palette.INK, italic=True)


def _box(box: Box, paint: Paint) -> Polygon:
    left, top, right, bottom = box
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)), paint)
