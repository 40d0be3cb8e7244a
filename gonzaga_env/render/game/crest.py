"""Crests: a shield in each player's colour with a charge of its own, so that players can be told
apart without colours.
"""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render.palette import Theme, nth
from gonzaga_env.render.shapes import Circle, Paint, Point, Polygon, Shape, transformed

_SHIELD = (
    (-0.82, -0.95), (0.82, -0.95), (0.82, 0.05), (0.7, 0.42), (0.42, 0.74), (0.0, 1.02),
    (-0.42, 0.74), (-0.7, 0.42), (-0.82, 0.05),
)  # fmt: skip
_CROSS = (
    (-0.17, -0.72), (0.17, -0.72), (0.17, -0.3), (0.58, -0.3), (0.58, 0.04), (0.17, 0.04),
    (0.17, 0.7), (-0.17, 0.7), (-0.17, 0.04), (-0.58, 0.04), (-0.58, -0.3), (-0.17, -0.3),
)  # fmt: skip
_CHEVRON = ((0.0, -0.42), (0.62, 0.2), (0.62, 0.62), (0.0, 0.0), (-0.62, 0.62), (-0.62, 0.2))
_BARS = (
    ((-0.6, -0.68), (0.6, -0.68), (0.6, -0.34), (-0.6, -0.34)),
    ((-0.6, 0.0), (0.6, 0.0), (0.56, 0.34), (-0.56, 0.34)),
)


def charge(seat: int, at: Point, radius: float, color: str) -> Iterator[Shape]:
    """Yields the charge of a seat: a cross, a chevron, a disc or two bars."""
    if seat == 0:
        yield Polygon(tuple(transformed(_CROSS, at, radius)), Paint(fill=color))
    elif seat == 1:
        yield Polygon(tuple(transformed(_CHEVRON, at, radius)), Paint(fill=color))
    elif seat == 2:
        yield Circle((at[0], at[1] - radius * 0.1), radius * 0.46, Paint(fill=color))
    else:
        for bar in _BARS:
            yield Polygon(tuple(transformed(bar, at, radius)), Paint(fill=color))


def crest(seat: int, at: Point, radius: float, theme: Theme) -> Iterator[Shape]:
    """Yields the shield of a seat with its charge."""
    paint = Paint(fill=nth(theme.players, seat), stroke=theme.on_piece, width=max(1.5, radius / 8))
    yield Polygon(tuple(transformed(_SHIELD, at, radius)), paint)
    yield from charge(seat, at, radius * 0.86, theme.on_piece)
