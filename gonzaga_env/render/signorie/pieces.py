"""Dice, meeples, Houses and effects as icons."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render import icons
from gonzaga_env.render.boards import raised
from gonzaga_env.render.palette import SYMBOLS, Theme, ink_on, mixed, nth
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Line,
    Paint,
    Point,
    Polygon,
    Shape,
    box,
    fitted,
    transformed,
)
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.edition import Edition

_DARK, _LIGHT, _GOLD, _LAUREL = "#2b211b", "#fffaf0", "#d8ad3f", "#8c2f39"
_HOUSES = "crown", "eagle", "lily", "lion", "rose", "tower"
_PIPS = {
    1: ((0.0, 0.0),),
    2: ((-0.5, -0.5), (0.5, 0.5)),
    3: ((-0.5, -0.5), (0.0, 0.0), (0.5, 0.5)),
    4: ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)),
    5: ((-0.5, -0.5), (0.5, -0.5), (0.0, 0.0), (-0.5, 0.5), (0.5, 0.5)),
    6: ((-0.5, -0.55), (0.5, -0.55), (-0.5, 0.0), (0.5, 0.0), (-0.5, 0.55), (0.5, 0.55)),
}
_CORNER = 0.7  # of a die, where its edges are cut
_DIE = (
    *((-_CORNER, -1.0), (_CORNER, -1.0), (1.0, -_CORNER), (1.0, _CORNER)),
    *((_CORNER, 1.0), (-_CORNER, 1.0), (-1.0, _CORNER), (-1.0, -_CORNER)),
)
_EDGE_ABOVE = (-1.0, _CORNER), (-1.0, -_CORNER), (-_CORNER, -1.0), (_CORNER, -1.0)
_MALE = (-0.55, 1.0), (-0.42, -0.1), (-0.2, -0.3), (0.2, -0.3), (0.42, -0.1), (0.55, 1.0)
_FEMALE = (-0.9, 1.0), (-0.18, -0.3), (0.18, -0.3), (0.9, 1.0)
_SHIELD = (-0.75, -0.85), (0.75, -0.85), (0.75, 0.1), (0.0, 0.95), (-0.75, 0.1)
_FLAG = (-0.45, -0.9), (0.8, -0.6), (0.3, -0.25), (0.8, 0.1), (-0.45, 0.05)
_ARROW = (-0.6, 0.1), (0, -0.6), (0.6, 0.1), (0.25, 0.1), (0.25, 0.65), (-0.25, 0.65), (-0.25, 0.1)


def die(value: int, at: Point, half: float, color: str) -> Iterator[Shape]:
    """Yields a die with its pips; `half` is half of its width."""
    yield from raised(transformed(_DIE, at, half), color, half * 0.22)
    light = Paint(stroke=mixed(color, "#ffffff", 0.45), width=half * 0.09)
    yield Line(transformed(_EDGE_ABOVE, at, half * 0.86), light)
    for pip in transformed(_PIPS.get(value, ()), at, half):
        yield Circle(pip, half * 0.17, Paint(fill=ink_on(color)))


def meeple(sex: int, at: Point, radius: float, color: str) -> Iterator[Shape]:
    """Yields a male or a female in a circle of that radius."""
    paint = Paint(fill=color, stroke=mixed(color, "#000000", 0.45), width=radius * 0.14)
    body = _MALE if sex == c.MALE else _FEMALE
    shade = Paint(fill=mixed(color, "#000000", 0.55))
    yield Polygon(transformed(body, (at[0] + radius * 0.16, at[1] + radius * 0.14), radius), shade)
    yield Polygon(transformed(body, at, radius), paint)
    yield Circle((at[0], at[1] - radius * 0.55), radius * 0.4, paint)


def coin(text: str, at: Point, radius: float) -> Iterator[Shape]:
    yield Circle(at, radius, Paint(fill=_GOLD, stroke="#7d5d13", width=radius * 0.16))
    yield _inside(text, at, radius, _DARK)


def points(text: str, at: Point, radius: float) -> Iterator[Shape]:
    """Yields c.VP: a rosette with a number on it."""
    spikes = transformed(icons.spikes(12, 1.0, 0.82), at, radius * 1.08)
    yield Polygon(spikes, Paint(fill=_LAUREL, stroke=_LIGHT, width=radius * 0.08))
    yield _inside(text, at, radius, _LIGHT)


def _inside(text: str, at: Point, radius: float, color: str) -> Label:
    size = fitted(text, radius * 1.25, radius * 1.7)
    return Label(text, (at[0], at[1] + size * 0.36), size, color, bold=True)


def house(
    edition: Edition, name: str, at: Point, radius: float, missing: Theme | None = None
) -> Iterator[Shape]:
    """Yields a House as a disc with its charge; in outlines of a theme if the House is missing."""
    index = edition.houses.index(name)
    name, color = _HOUSES[index], SYMBOLS[index]
    if missing is None:
        return icons.symbol(name, at, radius, color)
    ground, ink = mixed(color, missing.panel, 0.85), mixed(color, missing.ink, 0.45)
    return icons.symbol(name, at, radius, ground, missing.muted, ink)


def tile(edition: Edition, name: str, at: Point, radius: float, theme: Theme) -> Iterator[Shape]:
    """Yields an alliance tile such as "a4", with its c.VP; a dashed place for ""."""
    if not name:
        yield Circle(at, radius, Paint(stroke=theme.muted, width=1.4, dash=(4, 4)))
        return
    yield from house(edition, name[:-1], at, radius)
    corner = at[0] + radius * 0.85, at[1] + radius * 0.75
    yield from points(name[-1], corner, radius * 0.6)


def effect(
    edition: Edition, index: int, at: Point, radius: float, room: float, theme: Theme
) -> Iterator[Shape]:
    """Yields an effect, an index in `Edition.effects`, as a row of icons around a point."""
    parts = edition.effects[index]
    widths = [3.6 if _is_counted(op, n) else 2.4 for op, n in parts]
    radius = min(radius, room / sum(widths))
    x = at[0] - radius * sum(widths) / 2
    for (op, n), width in zip(parts, widths, strict=True):
        yield from part_icon(op, n, (x + radius * 1.2, at[1]), radius, theme)
        if _is_counted(op, n):
            label = (x + radius * 2.9, at[1] + radius * 0.42)
            yield Label(str(n), label, radius * 1.25, theme.ink, bold=True)
        x += radius * width


def _is_counted(op: int, n: int) -> bool:
    return op in (c.TRACKS, c.INITIATIVE) or (op in (c.ADD_MALE, c.ADD_FEMALE, c.TILE) and n > 1)


def part_icon(op: int, n: int, at: Point, r: float, theme: Theme) -> Iterator[Shape]:
    ink = Paint(stroke=theme.ink, width=r * 0.2)
    if op == c.FLORINS:
        yield from coin(str(n), at, r)
    elif op == c.VP:
        yield from points(str(n), at, r)
    elif op in (c.ADD_MALE, c.ADD_FEMALE):
        yield from meeple(op - c.ADD_MALE, at, r, theme.castle)
    elif op in (c.THRESHOLD, c.OFFSPRING, c.HALF_DIE_VP):
        yield from die(3 if op == c.OFFSPRING else 0, at, r * 0.9, _LIGHT)
        if op != c.OFFSPRING:
            yield _inside(f"+{n}" if op == c.THRESHOLD else "½", at, r * 0.8, _DARK)
    elif op == c.TILE:
        yield Polygon(transformed(_SHIELD, at, r), Paint(fill=theme.wood, stroke=_LIGHT))
        yield _inside("?", at, r * 0.9, _LIGHT)
    elif op == c.TRACKS:
        for y in (-0.5, 0.05, 0.6):
            line = transformed(((-0.6, y + 0.3), (0.0, y - 0.3), (0.6, y + 0.3)), at, r)
            yield Line(line, ink)
    elif op == c.INITIATIVE:
        yield Circle(at, r * 0.95, Paint(fill=theme.panel, stroke=theme.ink, width=r * 0.16))
        yield Polygon(transformed(_ARROW, at, r), Paint(fill=theme.ink))
    elif op == c.MISSION_OP:
        yield Line(transformed(((-0.5, -0.95), (-0.5, 0.95)), at, r), ink)
        yield Polygon(transformed(_FLAG, at, r), Paint(fill=_LAUREL))
    elif op == c.MARRIAGE_OP:
        for x in (-0.4, 0.4):
            center = at[0] + x * r, at[1]
            yield Circle(center, r * 0.55, Paint(stroke="#7d5d13", width=r * 0.34))
            yield Circle(center, r * 0.55, Paint(stroke=_GOLD, width=r * 0.2))
    elif op == c.FREE_HELPER_OP:
        yield Circle(at, r * 0.9, Paint(fill=theme.wood, stroke=_LIGHT, width=r * 0.12))
        yield _inside("+", at, r * 1.2, _LIGHT)


def helper(seat: int, at: Point, radius: float, theme: Theme) -> Iterator[Shape]:
    """Yields a player's wooden disc: a helper, or the one on the initiative."""
    color = nth(theme.players, seat)
    side = mixed(color, "#000000", 0.5)
    yield Circle((at[0], at[1] + radius * 0.2), radius, Paint(fill=side, stroke=side, width=1.4))
    yield Circle(at, radius, Paint(fill=color, stroke=side, width=1.4))
    rim = Paint(stroke=mixed(color, "#ffffff", 0.4), width=radius * 0.09)
    yield Circle(at, radius * 0.8, rim)
    yield from icons.charge(seat, at, radius * 0.62, theme.on_piece)


def band(text: str, color: str, left: float, top: float, width: float) -> Iterator[Shape]:
    yield box(left, top, left + width, top + 30.0, Paint(fill=color))
    at = left + 8, top + 21.0
    yield Label(text, at, 17, ink_on(color), bold=True, anchor="start").within(width - 16)
