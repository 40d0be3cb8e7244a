"""The printed map: its layers, which a game's pieces go between, and its own scene.

Layers, lowest first: paper; terrain with names, routes and barriers; frame; marks of the sites;
names of the sites; title and legend. Fiefs go below the marks, rings below the names, which stay
readable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.render.gonzaga import terrain
from gonzaga_env.render.gonzaga.labels import Box, LabelPlacer, LabelStyle
from gonzaga_env.render.gonzaga.layout import ROW_PITCH, Layout
from gonzaga_env.render.gonzaga.marks import LEGEND_HEIGHT, legend, marks, names, site_boxes
from gonzaga_env.render.palette import LIGHT, Theme, mixed
from gonzaga_env.render.panels import title
from gonzaga_env.render.shapes import Label, Layer, Scene, Shape, page

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
    """Returns the scene of an edition's map, without a game."""
    layout = board_layout(edition)
    size = map_size(layout)
    printed = printed_map(edition, layout, size, theme)
    layers = printed.ground, printed.lines, printed.marks, printed.names
    return Scene(*size, f"Gonzaga: {edition.name}", layers)


def board_layout(
    edition: Edition, left: float = MARGIN, top: float = MARGIN + TITLE_HEIGHT
) -> Layout:
    """Returns the positions of the hexes in a scene, in pixels."""
    return Layout.of(edition, HEX_WIDTH, left, top)


def map_size(layout: Layout) -> tuple[float, float]:
    """Returns the width and height of a page with a map on it."""
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
        ground=Layer((*paper.shapes, *terrain.hexes(edition, layout, theme, inactive))),
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
    yield from terrain.routes(edition, layout, theme)
    yield from terrain.barriers(edition, layout, theme)


@lru_cache(maxsize=8)
def _map_labels(edition: Edition) -> tuple[tuple[str, str, Label], ...]:
    """Returns kind, name and labels of regions and seas, relative to the map's corner.

    Finding their places takes most of the time of a first picture.
    """
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
    for line in terrain.routes(edition, layout, LIGHT):
        for (x1, y1), (x2, y2) in pairwise(line.points):
            for part in (0.0, 0.25, 0.5, 0.75, 1.0):
                x, y = x1 + part * (x2 - x1), y1 + part * (y2 - y1)
                yield x - 5, y - 5, x + 5, y + 5
    for barrier in edition.barriers:
        for edge in barrier.edges:
            (x1, y1), (x2, y2) = layout.side(*edge)
            yield min(x1, x2) - 8, min(y1, y2) - 10, max(x1, x2) + 8, max(y1, y2) + 8


def coordinates(layout: Layout, theme: Theme) -> Iterator[Shape]:
    """Yields the rows' numbers on both sides of a map and the columns' above and below it.

    Columns are numbered over the first and under the last row, where they are.
    """
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
