"""The axes of a chart: where values lie in pixels, and grid lines with numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, takewhile

from gonzaga_env.render.palette import Theme
from gonzaga_env.render.shapes import Label, Line, Paint, Point, Shape

_SIZE = 16.0  # of the numbers
_NUM_TICKS = 8  # at most, up to rounding


@dataclass(frozen=True)
class Axes:
    """A rectangle in which steps run from left to right and values from bottom to top.

    Attributes:
        left, top, right, bottom: the rectangle in pixels.
        last_step: the step at the right edge; the left edge is step 0.
        low, high: the values at the bottom and at the top.
    """

    left: float
    top: float
    right: float
    bottom: float
    last_step: float
    low: float
    high: float

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


def grid(axes: Axes, x_step: float, x_title: str, y_title: str, theme: Theme) -> Iterator[Shape]:
    """Yields grid lines with their numbers, the line of value 0, and titles.

    Args:
        axes: the axes.
        x_step: steps from one vertical line to the next.
        x_title: what steps count.
        y_title: what values count.
        theme: the colours.
    """
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
        yield Label(f"{value:g}".replace("-", "\u2212"), at, _SIZE, theme.muted, anchor="end")
    zero = axes.y(0)
    yield Line(((axes.left, zero), (axes.right, zero)), Paint(stroke=theme.muted, width=1.8))
    below = axes.bottom + 2.9 * _SIZE
    yield Label(x_title, (axes.right, below), _SIZE, theme.muted, italic=True, anchor="end")
    above = axes.left, axes.top - 0.8 * _SIZE
    yield Label(y_title, above, _SIZE, theme.muted, italic=True, anchor="start")
