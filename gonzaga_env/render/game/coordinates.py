"""Rows and columns along the edges of a map, as actions and editions count them."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render.map.layout import ROW_PITCH, Layout
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.shapes import Label, Shape

_SIZE = 15.0


def coordinates(layout: Layout, theme: Theme) -> Iterator[Shape]:
    """Yields the rows' numbers on both sides of a map and the columns' above and below it.

    Columns are numbered over the first and under the last row, where they are.
    """
    right = layout.left + layout.width
    for row in range(layout.num_rows):
        y = layout.center((row, 0))[1] + 0.36 * _SIZE
        yield _number(row, (layout.left - 9, y), theme, "end")
        yield _number(row, (right + 9, y), theme, "start")
    last = layout.num_rows - 1
    for col in range(layout.num_cols):
        x, y = layout.center((0, col))
        yield _number(col, (x, y - 0.64 * layout.hex_width), theme)
        x, y = layout.center((last, col))
        yield _number(col, (x, y + (ROW_PITCH - 0.04) * layout.hex_width), theme)


def _number(value: int, at: tuple[float, float], theme: Theme, anchor: str = "middle") -> Label:
    return Label(str(value), at, _SIZE, theme.muted, anchor=anchor)
