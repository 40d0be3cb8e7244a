"""Places the names of regions and seas where they fit best between the sites.

The map is sampled every few pixels. A sample costs 0 on free hexes of the region (or sea), and more
off the map, on other hexes and on obstacles. Of all sizes, angles and positions of a name, the one
with the lowest cost wins; large sizes get a small bonus.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.render.gonzaga.layout import ROW_PITCH, Layout
from gonzaga_env.render.shapes import Label, Point, text_width

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
        """Marks a box of pixels as taken."""
        left, top, right, bottom = (
            max(0, math.floor((value - start) / STEP))
            for value, start in zip(box, (self._layout.left, self._layout.top) * 2, strict=True)
        )
        self._taken[top : bottom + 1, left : right + 1] = _TAKEN

    def place(self, mark: str, name: str, style: LabelStyle) -> list[Label]:
        """Places a name on the hexes with a mark and returns its labels, one per line.

        There are none where no hex has the mark, as on small maps.
        """
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
    """Returns the map's mark at every sample, "." off the map."""
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
    """Returns the vertical offset of each line's centre from the centre of all lines."""
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
