"""Charts: curves by move, one for each player, with their crests, and the axes they lie on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, takewhile

from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import LIGHT, Theme, nth
from gonzaga_env.render.shapes import (
    Label,
    Layer,
    Line,
    Paint,
    Point,
    Scene,
    Shape,
    fitted,
    page,
    text_width,
)

WIDTH, HEIGHT = 900.0, 440.0
_LEFT, _TOP, _BOTTOM = 88.0, 112.0, 84.0
_NAME, _ROW = 18.0, 30.0  # size of the names at the ends, and the least distance between them
_LEAST_ROOM, _MOST_ROOM = 130.0, 280.0  # for the names
_NUM_CRESTS = 4  # along a curve


def curves_scene(
    series: Sequence[Sequence[float]],
    names: Sequence[str],
    theme: Theme = LIGHT,
    *,
    title: str = "Scores",
    y_title: str = "points",
    x_step: float | None = None,
    at: float | None = None,
    bounds: tuple[float, float] | None = None,
) -> Scene:
    """Returns the scene of one curve for each player, named at its end with its last value.

    The series hold values at steps 0, 1, 2, ... for each seat, NaN where there is none. Grid lines
    stand `x_step` steps apart, such as the moves of a round, and a mark at the step `at`. `bounds`
    are the least and the largest value there can be, both on the axis; from 0 to 1, values are
    shares, written in percent.
    """
    _check(series, names)
    axes = curve_axes(series, names, bounds)
    size = fitted(title, 28, WIDTH - 2 * (_LEFT - 50))
    shapes = (
        Label(title, (_LEFT - 50, 58), size, theme.frame, bold=True, anchor="start"),
        *grid(axes, x_step or max(1.0, tick_step(axes.last_step, 12)), y_title, theme),
    )
    marked = () if at is None else tuple(_marked(axes, at, theme))
    paper, frame = page(WIDTH, HEIGHT, theme)
    curves = Layer(tuple(_curves(axes, series, names, theme)))
    layers = paper, frame, Layer(shapes), Layer(marked), curves
    return Scene(WIDTH, HEIGHT, title, layers)


def curve_axes(
    series: Sequence[Sequence[float]],
    names: Sequence[str],
    bounds: tuple[float, float] | None = None,
) -> Axes:
    """Returns the axes of `curves_scene`, for what else is to be drawn on it."""
    values = [value for curve in series for value in curve if not math.isnan(value)]
    low, high = value_range([*values, *(bounds or ())])
    longest = max(text_width(name, _NAME) for name in names)
    room = min(_MOST_ROOM, max(_LEAST_ROOM, longest + 100))
    last = max(1, len(series[0]) - 1)
    return Axes(_LEFT, _TOP, WIDTH - room, HEIGHT - _BOTTOM, last, low, high, bounds == (0, 1))


def _check(series: Sequence[Sequence[float]], names: Sequence[str]) -> None:
    lengths = {len(curve) for curve in series}
    if len(lengths) != 1 or lengths == {0}:
        raise OptionError(
            f"series have lengths {sorted(lengths)}; they take one length of 1 or more"
        )
    if len(names) != len(series):
        raise OptionError(f"{len(names)} names for {len(series)} series")
    if any(math.isinf(value) for curve in series for value in curve):
        raise OptionError("series hold an infinite value; they take numbers, or NaN for none")


def _marked(axes: Axes, step: float, theme: Theme) -> Iterator[Shape]:
    x = axes.x(min(max(step, 0), axes.last_step))
    line = (x, axes.top - 6), (x, axes.bottom + 6)
    yield Line(line, Paint(stroke=theme.on_mark, width=5))
    yield Line(line, Paint(stroke=theme.mark, width=3))


def _curves(
    axes: Axes, series: Sequence[Sequence[float]], names: Sequence[str], theme: Theme
) -> Iterator[Shape]:
    points = [
        tuple(axes.point(i, value) for i, value in enumerate(curve) if not math.isnan(value))
        for curve in series
    ]
    for seat, line in enumerate(points):
        if len(line) > 1:
            color = nth(theme.players, seat)
            yield Line(line, Paint(stroke=theme.paper, width=5.5))
            yield Line(line, Paint(stroke=color, width=3))
    for seat, line in enumerate(points):  # above all lines, so that no crest is crossed
        for i in _crest_places(len(line), seat, len(series)):
            yield from crest(seat, line[i], 8, theme)
    yield from _ends(axes, points, series, names, theme)


def _crest_places(length: int, seat: int, num_seats: int) -> list[int]:
    """Returns which points bear a crest, at other places for each seat, as curves may meet."""
    step = length / _NUM_CRESTS
    return [
        int(step * (i + (seat + 1) / (num_seats + 1))) for i in range(_NUM_CRESTS if length else 0)
    ]


def _ends(
    axes: Axes,
    points: list[tuple[Point, ...]],
    series: Sequence[Sequence[float]],
    names: Sequence[str],
    theme: Theme,
) -> Iterator[Shape]:
    """Yields crest, name and last value of each curve, apart from each other."""
    seats = [seat for seat, line in enumerate(points) if line]
    heights = dict(zip(seats, _apart([points[seat][-1][1] for seat in seats]), strict=True))
    room = WIDTH - axes.right - 76
    wide = max(axes.high, -axes.low) >= 10  # then one decimal is enough
    for seat, y in heights.items():
        end = points[seat][-1]
        yield Line(
            (end, (axes.right + 8, y), (axes.right + 14, y)),
            Paint(stroke=nth(theme.players, seat), width=1.6, dash=(3, 3)),
        )
        yield from crest(seat, (axes.right + 26, y), 11, theme)
        value = next(v for v in reversed(series[seat]) if not math.isnan(v))
        text = f"{axes.text(value, 1 if wide else 3)}  {names[seat]}"
        at = axes.right + 44, y + 0.36 * _NAME
        yield Label(text, at, _NAME, theme.ink, bold=True, anchor="start").within(room)


def _apart(heights: list[float]) -> list[float]:
    """Returns heights at least `_ROW` apart, in the same order and near to where they were."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    groups: list[tuple[float, int]] = []  # mean height and size of rows that touch
    for i in order:
        groups.append((heights[i], 1))
        while len(groups) > 1:
            (one, m), (other, n) = groups[-2:]
            if other - one >= _ROW * (m + n) / 2:  # they do not touch
                break
            groups[-2:] = [((one * m + other * n) / (m + n), m + n)]
    placed = [mean + _ROW * (k - (n - 1) / 2) for mean, n in groups for k in range(n)]
    return [placed[order.index(i)] for i in range(len(heights))]


_SIZE = 16.0  # of the numbers
_NUM_TICKS = 8  # at most, up to rounding


@dataclass(frozen=True)
class Axes:
    """A rectangle in which steps run from left to right and values from bottom to top."""

    # The rectangle in pixels:
    left: float
    top: float
    right: float
    bottom: float
    last_step: float  # the step at the right edge; the left edge is step 0
    # The values at the bottom and at the top:
    low: float
    high: float
    shares: bool = False  # whether values are shares of 1

    def text(self, value: float, digits: int = 6) -> str:
        """Returns a value in words: a share in percent, other numbers with a true minus."""
        text = f"{100 * value:.0f} %" if self.shares else f"{round(value, digits):g}"
        return text.replace("-", "\u2212")

    def x(self, step: float) -> float:
        """Returns where a step lies, in pixels."""
        return self.left + (self.right - self.left) * step / self.last_step

    def y(self, value: float) -> float:
        """Returns where a value lies, in pixels."""
        part = (value - self.low) / (self.high - self.low)
        return self.bottom + (self.top - self.bottom) * part

    def point(self, step: float, value: float) -> Point:
        """Returns where a value at a step lies, in pixels."""
        return self.x(step), self.y(value)


def value_range(values: list[float]) -> tuple[float, float]:
    """Returns a range of round numbers that holds all values and 0."""
    low, high = min([0.0, *values]), max([0.0, *values])
    if low == high:
        return 0.0, 1.0
    step = tick_step(high - low)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def tick_step(length: float, most: int = _NUM_TICKS) -> float:
    """Returns 1, 2 or 5 times a power of ten, so that a length has about `most` of them."""
    power = 10.0 ** math.floor(math.log10(length / most))
    return next(step for f in (1, 2, 5, 10) if (step := f * power) >= length / most * 0.999)


def grid(axes: Axes, x_step: float, y_title: str, theme: Theme) -> Iterator[Shape]:
    """Yields grid lines with their numbers, the line of value 0, and titles."""
    thin = Paint(stroke=theme.line, width=1)
    for step in takewhile(lambda s: s <= axes.last_step, (i * x_step for i in count())):
        x = axes.x(step)
        yield Line(((x, axes.top), (x, axes.bottom)), thin)
        yield Label(f"{step:g}", (x, axes.bottom + 1.4 * _SIZE), _SIZE, theme.muted)
    y_step = tick_step(axes.high - axes.low)
    for number in range(round((axes.high - axes.low) / y_step) + 1):
        value = axes.low + number * y_step
        value = 0.0 if abs(value) < y_step / 2 else value  # not 1e-17
        y = axes.y(value)
        yield Line(((axes.left, y), (axes.right, y)), thin)
        at = axes.left - 10, y + 0.36 * _SIZE
        yield Label(axes.text(value), at, _SIZE, theme.muted, anchor="end")
    zero = axes.y(0)
    yield Line(((axes.left, zero), (axes.right, zero)), Paint(stroke=theme.muted, width=1.8))
    below = axes.bottom + 2.9 * _SIZE
    yield Label("move", (axes.right, below), _SIZE, theme.muted, italic=True, anchor="end")
    above = axes.left, axes.top - 0.8 * _SIZE
    yield Label(y_title, above, _SIZE, theme.muted, italic=True, anchor="start")
