"""What lies on a table: wooden boards, trays, cards, and raised pieces with their shadows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

from gonzaga_env.render.palette import ink_on, mixed
from gonzaga_env.render.shapes import Circle, Label, Line, Paint, Point, Polygon, Shape, translated

_GRAIN = 11.0  # pixels between lines of it


def rounded(
    left: float, top: float, right: float, bottom: float, radius: float = 8.0
) -> tuple[Point, ...]:
    """Returns the corners of a rectangle with round corners, clockwise."""
    corners = (right, top, -90), (right, bottom, 0), (left, bottom, 90), (left, top, 180)
    points = []
    for x, y, start in corners:
        cx = x + (radius if x == left else -radius)
        cy = y + (radius if y == top else -radius)
        for degrees in (0, 45, 90):
            angle = math.radians(start + degrees)
            points.append((cx + radius * math.cos(angle), cy + radius * math.sin(angle)))
    return tuple(points)


def plank(left: float, top: float, right: float, bottom: float, color: str) -> Iterator[Shape]:
    """Yields a wooden board with its edge and grain."""
    dark = mixed(color, "#000000", 0.45)
    yield from raised(rounded(left, top, right, bottom), color, 3, dark)
    grain = Paint(stroke=mixed(color, "#000000", 0.09), width=1.3)
    number = int((bottom - top - 8) / _GRAIN)
    for i in range(number):
        y = top + 9 + _GRAIN * i
        start, length = 7 + 37 * (i * 5 % 7), right - left - 14
        waves = (
            (x, y + 1.8 * math.sin((x + 61 * i) / 47)) for x in _steps(left + start % length, right)
        )
        yield Line(tuple(waves), grain)
    rim = rounded(left + 4, top + 4, right - 4, bottom - 4, 6)
    yield Polygon(rim, Paint(stroke=mixed(color, "#ffffff", 0.22), width=1.2))


def _steps(start: float, right: float) -> Iterator[float]:
    while start < right - 7:
        yield start
        start += 26


def tray(
    left: float, top: float, right: float, bottom: float, color: str, text: str = ""
) -> Iterator[Shape]:
    """Yields a tray that is cut into a board of a colour, with what it says at its top."""
    yield from sunk(rounded(left, top, right, bottom, 6), mixed(color, "#000000", 0.2))
    if text:
        at, ink = (left + 8, top + 16), mixed(color, ink_on(mixed(color, "#000000", 0.2)), 0.85)
        yield Label(text, at, 13, ink, anchor="start").within(right - left - 12)


def sunk(points: tuple[Point, ...], color: str) -> Iterator[Shape]:
    """Yields a hollow: dark where the light does not come, bright at the lower edge."""
    light, dark = mixed(color, "#ffffff", 0.3), mixed(color, "#000000", 0.3)
    yield Polygon(translated(points, (0, 1.6)), Paint(fill=light))
    yield Polygon(points, Paint(fill=color, stroke=dark, width=1.4))


def round_hollow(at: Point, radius: float, color: str) -> Iterator[Shape]:
    """Yields a round hollow."""
    edge = mixed(color, "#000000", 0.3)
    yield Circle(at, radius, Paint(fill=color, stroke=edge, width=1.4))


def raised(
    points: tuple[Point, ...], color: str, depth: float, side: str | None = None
) -> Iterator[Shape]:
    """Yields a piece of a thickness: its side, which is a shadow as well, and its face."""
    side = side or mixed(color, "#000000", 0.5)
    yield Polygon(translated(points, (0, depth)), Paint(fill=side, stroke=side, width=1.2))
    yield Polygon(points, Paint(fill=color, stroke=side, width=1.2))


def playing_card(at: Point, height: float, color: str, back: bool = False) -> Iterator[Shape]:
    """Yields a card from its centre, without what it shows; its back has a lattice."""
    x, y, light = height * 0.34, height / 2, "#f7efdc"
    left, top, right, bottom = at[0] - x, at[1] - y, at[0] + x, at[1] + y
    yield from raised(rounded(left, top, right, bottom, height / 12), light, 1.5, "#4a3a2c")
    rim = height / 16
    inner = rounded(left + rim, top + rim, right - rim, bottom - rim, height / 16)
    yield Polygon(inner, Paint(fill=color))
    if not back:
        return
    lattice = Paint(stroke=mixed(color, "#ffffff", 0.35), width=height / 50)
    across, down = x - 2 * rim, y - 2 * rim
    cx, cy = at
    for part in (1.0, 0.5):
        diamond = ((cx, cy - down * part), (cx + across * part, cy), (cx, cy + down * part))
        yield Polygon((*diamond, (cx - across * part, cy)), lattice)


def pile(
    draw: Callable[[Point], Iterable[Shape]], number: int, at: Point, most: int = 5
) -> Iterator[Shape]:
    """Yields a pile of some things, the uppermost at a point; the number says how high it is."""
    height = min(most, -(-number // 4))
    for i in range(height):
        yield from draw((at[0], at[1] + 2.2 * (height - 1 - i)))


def count(text: str, at: Point, radius: float = 11.0) -> Iterator[Shape]:
    """Yields a number on a small disc, beside what it counts."""
    yield Circle(at, radius, Paint(fill="#2b211b", stroke="#f7efdc", width=1.4))
    size = min(radius * 1.35, radius * 2.4 / max(1, len(text)))
    yield Label(text, (at[0], at[1] + size * 0.35), size, "#fffaf0", bold=True)
