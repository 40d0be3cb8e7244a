"""Pixel positions of the hexes of a map.

Places the names of regions and seas where they fit best between the sites.

The map is sampled every few pixels. A sample costs 0 on free hexes of the region (or sea), and more
off the map, on other hexes and on obstacles. Of all sizes, angles and positions of a name, the one
with the lowest cost wins; large sizes get a small bonus.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.edition import Cell, Edition, offset_neighbors
from gonzaga_env.core.view import PlacedFief, PlacedRing
from gonzaga_env.render import icons
from gonzaga_env.render.icons import charge, crest
from gonzaga_env.render.palette import Theme, mixed, nth
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Line,
    Paint,
    Point,
    Polygon,
    Shape,
    text_width,
    transformed,
)

#: Corners of a hex from the north, clockwise, in units of its width; side i lies between corners
#: i and i + 1, and faces direction `_SIDE_DIRECTIONS[i]` of `core.edition.DIRECTIONS`.
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
        num_cols = max((len(row) for row in edition.marks), default=0)
        return cls(hex_width, left, top, len(edition.marks), num_cols)

    @property
    def width(self) -> float:
        return self.hex_width * (self.num_cols + 0.5)

    @property
    def height(self) -> float:
        return self.hex_width * (ROW_PITCH * (self.num_rows - 1) + 2 * _RADIUS)

    def center(self, cell: Cell) -> Point:
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
        """Returns a hex's six neighbours, and the sides shared with them, drawn clockwise."""
        corners, around = self.corners(cell), offset_neighbors(*cell)
        return [
            (around[direction], (corners[i], corners[(i + 1) % 6]))
            for i, direction in enumerate(_SIDE_DIRECTIONS)
        ]

    def side(self, cell: Cell, other: Cell) -> tuple[Point, Point]:
        return dict(self.sides(cell))[other]


STEP = 8.0  # pixels between samples
_STRIDE = 8  # parts of a name whose costs are added up one after the other
_OUTSIDE, _FOREIGN, _TAKEN = 6, 3, 5
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class LabelStyle:
    """The style of a kind of label: sizes and angles to try, and the look of the letters."""

    sizes: tuple[float, ...]
    angles: tuple[float, ...]
    color: str
    opacity: float
    italic: bool = False
    bold: bool = False
    spacing: float = 0.2  # in units of the size


class LabelPlacer:
    """The sampled map and the samples that are taken."""

    def __init__(self, edition: Edition, layout: Layout, boxes: Iterable[Box]) -> None:
        self._edition, self._layout = edition, layout
        self._marks = _sample_marks(edition, layout)
        self._taken = np.zeros(self._marks.shape, dtype=np.int64)
        for box in boxes:
            self.take(box)

    def take(self, box: Box) -> None:
        left, top, right, bottom = (
            max(0, math.floor((value - start) / STEP))
            for value, start in zip(box, (self._layout.left, self._layout.top) * 2, strict=True)
        )
        self._taken[top : bottom + 1, left : right + 1] = _TAKEN

    def place(self, mark: str, name: str, style: LabelStyle) -> list[Label]:
        """Places a name on the hexes with a mark, if any; returns its labels, one per line."""
        if not (self._marks == mark).any():
            return []
        cost = np.where(self._marks == mark, 0, _FOREIGN)
        cost = np.where(self._marks == ".", _OUTSIDE, cost) + self._taken
        home, best = _Home(cost, self._marks == mark), math.inf
        for lines in _line_breaks(name.upper()):
            for size in style.sizes:
                for angle in style.angles:
                    bonus = 0.002 * abs(angle) - 0.012 * size
                    if bonus + home.nearest >= best:
                        continue
                    found = home.best_place(_samples(lines, size, angle, style), bonus, best)
                    if found is not None:
                        best, (row, col) = found
                        chosen = lines, size, angle
        lines, size, angle = chosen
        at = (self._layout.left + col * STEP, self._layout.top + row * STEP)
        labels = list(_labels(lines, at, size, angle, style))
        for x, y in _samples(lines, size, angle, style).tolist():
            self.take((at[0] + x, at[1] + y, at[0] + x, at[1] + y))
        return labels


class _Home:
    """The positions to try for the centre of a name: the bounding box of its region's samples.

    Elsewhere most letters would be off the region.
    """

    def __init__(self, cost: NDArray[np.integer], home: NDArray[np.bool_]) -> None:
        rows, cols = np.nonzero(home)
        self._top, self._left = int(rows.min()), int(cols.min())
        shape = int(np.ptp(rows)) + 1, int(np.ptp(cols)) + 1
        self._pad = max(cost.shape)
        padded = np.pad(cost.astype(np.int16), self._pad, constant_values=_OUTSIDE)
        self._width, self._cost = padded.shape[1], padded.reshape(-1)
        row, col = np.indices(shape).reshape(2, -1)
        self._places = (self._top + self._pad + row) * self._width + self._left + self._pad + col
        away = np.hypot(row - (rows.mean() - self._top), col - (cols.mean() - self._left))
        self._away = 0.004 * away
        self.nearest = float(self._away.min())  # what any position costs at least
        self._shape = shape

    def _sum_everywhere(self, offsets: list[int]) -> NDArray[np.integer]:
        """Returns the cost of some samples at all positions; slices are faster than indices."""
        height, width = self._shape
        total = np.zeros((height, width), np.int16)
        cost = self._cost.reshape(-1, self._width)
        first = int(self._places[0])
        for offset in offsets:
            row, col = divmod(first + offset, self._width)
            total += cost[row : row + height, col : col + width]
        return total.reshape(-1)

    def best_place(
        self, samples: NDArray[np.float64], bonus: float, limit: float
    ) -> tuple[float, tuple[int, int]] | None:
        """Returns the penalty of the best position for the letters, and its sample.

        The penalty is the mean cost, `bonus`, and a little for the distance from the middle of the
        region. Costs are added up for a few samples at a time; positions that are already as bad
        as the limit are not followed further. None if no position is better than the limit.
        """
        steps = np.rint(samples / STEP).clip(-self._pad, self._pad).astype(np.int64)
        offsets = steps[:, 1] * self._width + steps[:, 0]
        places, away = self._places, self._away + bonus
        total = self._sum_everywhere(offsets[::_STRIDE].tolist())
        for start in range(1, _STRIDE):
            alive = (total / len(samples) + away < limit).nonzero()[0]
            places, away, total = places[alive], away[alive], total[alive]
            if not len(alive):
                return None
            more = offsets[start::_STRIDE, None] + places
            total = total + self._cost.take(more).sum(axis=0)
        penalty = total / len(samples) + away
        if not len(penalty) or penalty.min() >= limit:
            return None
        best = int(penalty.argmin())
        row, col = divmod(int(places[best]), self._width)
        return float(penalty[best]), (row - self._pad, col - self._pad)


def _sample_marks(edition: Edition, layout: Layout) -> NDArray[np.str_]:
    ys = np.arange(0, layout.height, STEP) / layout.hex_width
    xs = np.arange(0, layout.width, STEP) / layout.hex_width
    rows = np.clip(np.rint((ys - 1 / math.sqrt(3)) / ROW_PITCH), 0, layout.num_rows - 1)
    longest = max(len(mark) for row in edition.marks for mark in row)
    padded = np.full((layout.num_rows, layout.num_cols), ".", dtype=f"U{longest}")
    for row, marks in enumerate(edition.marks):
        padded[row, : len(marks)] = marks
    cols = np.rint(xs[None, :] - 0.5 - 0.5 * (rows[:, None] % 2)).astype(int)
    inside = (cols >= 0) & (cols < layout.num_cols)
    found = padded[rows.astype(int)[:, None], np.clip(cols, 0, layout.num_cols - 1)]
    return np.where(inside, found, ".")


def _line_breaks(name: str) -> list[tuple[str, ...]]:
    """Returns a name in one line and, if it has several words, all splits in two lines."""
    words = name.split()
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return [(name,), *cuts]


def _samples(
    lines: tuple[str, ...], size: float, angle: float, style: LabelStyle
) -> NDArray[np.float64]:
    """Returns points that cover the letters, relative to their centre, [n, 2]."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    heights = np.array([-0.55 * size, 0.0, 0.55 * size])
    found = []
    for text, drop in zip(lines, _drops(lines, size), strict=True):
        width = text_width(text, size, style.spacing * size)
        steps = max(2, round(width / STEP))
        x = (width * np.arange(steps + 1) / steps - width / 2).repeat(len(heights))
        y = np.tile(drop + heights, steps + 1)
        found.append(np.stack([x * cos - y * sin, x * sin + y * cos], axis=1))
    return np.concatenate(found)


def _drops(lines: tuple[str, ...], size: float) -> list[float]:
    return [1.25 * size * (i - (len(lines) - 1) / 2) for i in range(len(lines))]


def _labels(
    lines: tuple[str, ...], at: Point, size: float, angle: float, style: LabelStyle
) -> Iterator[Label]:
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    for text, drop in zip(lines, _drops(lines, size), strict=True):
        # Letter spacing also follows the last letter; half of it is added to centre the text.
        x, y = style.spacing * size / 2, drop + 0.36 * size
        yield Label(
            text,
            (at[0] + x * cos - y * sin, at[1] + x * sin + y * cos),
            size,
            style.color,
            bold=style.bold,
            italic=style.italic,
            spacing=style.spacing * size,
            angle=angle,
            opacity=style.opacity,
        )


def _hatch(degrees: int) -> tuple[Point, ...]:
    """Returns lines across a hex, joined along its edge, so that they are one shape."""
    angle, points = math.radians(degrees), list[Point]()
    (ux, uy), normals = (math.cos(angle), math.sin(angle)), [math.radians(60 * i) for i in range(3)]
    for i, off in enumerate((-0.36, -0.12, 0.12, 0.36)):
        x, y, far = -off * uy, off * ux, [math.inf, math.inf]
        for normal in normals:
            along = ux * math.cos(normal) + uy * math.sin(normal)
            at = x * math.cos(normal) + y * math.sin(normal)
            if abs(along) > 1e-9:
                ends = sorted(((0.48 - at) / along, (-0.48 - at) / along))
                far = [min(far[0], -ends[0]), min(far[1], ends[1])]
        pair = [(x - far[0] * ux, y - far[0] * uy), (x + far[1] * ux, y + far[1] * uy)]
        points += pair[:: 1 - 2 * (i % 2)]
    return tuple(points)


#: The texture of each seat's fiefs, as heralds hatch red, blue and green.
_HATCHES = tuple(map(_hatch, (90, 0, 60, 120)))


def draw_fief(
    layout: Layout, fief: PlacedFief, theme: Theme, sites: Collection[Cell] = ()
) -> Iterator[Shape]:
    """Yields a fief: opaque hexes with its crest's charge on each, an edge, and its castles.

    On hexes of sites, whose marks are drawn on top later, charge and castle make room for them.
    """
    color, width = nth(theme.players, fief.seat), layout.hex_width
    joint = mixed(color, theme.on_piece, 0.3)
    for cell in fief.cells:
        yield Polygon(layout.corners(cell), Paint(fill=color, stroke=joint, width=1.2))
    cloth = Paint(stroke=mixed(color, theme.on_piece, 0.17), width=2.2)
    for cell in fief.cells:
        yield Line(transformed(_HATCHES[fief.seat % 4], layout.center(cell), width), cloth)
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
    return round(point[0], 3), round(point[1], 3)
