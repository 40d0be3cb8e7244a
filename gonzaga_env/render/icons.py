"""Icons in a unit circle: symbols of cities, an anchor, a castle, and the players' crests.

A crest is a shield in the player's colour with its own charge, so that players can be told
apart without colours.

A symbol without an icon is shown by its first letter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache

from gonzaga_env.render.palette import Theme, nth
from gonzaga_env.render.shapes import Circle, Label, Line, Paint, Point, Polygon, Shape, transformed

Icon = Callable[[Point, float, str, str], Iterator[Shape]]  # at, radius, light, dark


def symbol(
    name: str, at: Point, radius: float, color: str, ring: str = "#ffffff", ink: str = "#fffaf0"
) -> Iterator[Shape]:
    """Yields a city's symbol: a disc of its colour with a white icon."""
    yield Circle(at, radius, Paint(fill=color, stroke=ring, width=radius / 7))
    yield Circle(at, radius * 1.09, Paint(stroke="#2b211b", width=radius / 12))
    icon = _ICONS.get(name)
    if icon is None:
        yield Label(
            name[:1].upper(), (at[0], at[1] + radius * 0.45), radius * 1.3, "#ffffff", bold=True
        )
    else:
        yield from icon(at, radius * 0.78, ink, color)


def anchor(at: Point, radius: float) -> Iterator[Shape]:
    """Yields a harbor's mark: an anchor on a light diamond."""
    corners = ((0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0))
    yield Polygon(
        transformed(corners, at, radius), Paint(fill="#fdf8ec", stroke="#1f3f57", width=radius / 6)
    )
    iron = Paint(stroke="#1f3f57", width=radius / 5.5)
    yield Line(transformed(((0, -0.3), (0, 0.72)), at, radius), iron)
    yield Line(transformed(((-0.34, -0.1), (0.34, -0.1)), at, radius), iron)
    yield Line(transformed(_arc(0.0, 0.12, 0.6, 10, 170), at, radius), iron)
    yield Circle((at[0], at[1] - radius * 0.48), radius * 0.16, iron)


def castle(at: Point, radius: float, light: str, dark: str) -> Iterator[Shape]:
    yield Polygon(transformed(_TOWER, at, radius), Paint(fill=light, stroke=dark, width=radius / 6))
    yield Polygon(transformed(_GATE, at, radius), Paint(fill=dark))


_TOWER = (
    (-0.75, 0.85), (-0.6, 0.1), (-0.6, -0.2), (-0.8, -0.2), (-0.8, -0.85), (-0.45, -0.85),
    (-0.45, -0.55), (-0.18, -0.55), (-0.18, -0.85), (0.18, -0.85), (0.18, -0.55), (0.45, -0.55),
    (0.45, -0.85), (0.8, -0.85), (0.8, -0.2), (0.6, -0.2), (0.6, 0.1), (0.75, 0.85),
)  # fmt: skip
_GATE = ((-0.22, 0.86), (-0.22, 0.4), (-0.1, 0.2), (0.1, 0.2), (0.22, 0.4), (0.22, 0.86))
_CROWN = (
    (-0.72, 0.6), (-0.9, -0.42), (-0.45, -0.02), (0.0, -0.75), (0.45, -0.02), (0.9, -0.42),
    (0.72, 0.6),
)  # fmt: skip
_EAGLE = (  # the right half, from the head down
    (0.0, -0.62), (0.1, -0.5), (0.16, -0.28), (0.42, -0.42), (0.62, -0.8), (0.72, -0.5),
    (0.9, -0.5), (0.84, -0.22), (0.98, -0.12), (0.8, 0.1), (0.84, 0.3), (0.58, 0.3),
    (0.52, 0.5), (0.24, 0.3), (0.2, 0.52), (0.36, 0.84), (0.12, 0.76), (0.0, 0.98),
)  # fmt: skip
_LILY_MIDDLE = (
    (0.0, -0.98), (0.24, -0.55), (0.22, -0.2), (0.1, 0.12), (-0.1, 0.12), (-0.22, -0.2),
    (-0.24, -0.55),
)  # fmt: skip
_LILY_SIDE = (
    (0.14, 0.12), (0.34, -0.3), (0.6, -0.5), (0.86, -0.36), (0.88, -0.08), (0.7, 0.12),
    (0.66, -0.1), (0.52, -0.14), (0.38, 0.12),
)  # fmt: skip
_LILY_FOOT = (
    (-0.1, 0.34), (0.1, 0.34), (0.16, 0.56), (0.4, 0.7), (0.14, 0.72), (0.0, 0.96),
    (-0.14, 0.72), (-0.4, 0.7), (-0.16, 0.56),
)  # fmt: skip
_BAND = ((-0.5, 0.16), (0.5, 0.16), (0.5, 0.32), (-0.5, 0.32))


def _crown(at: Point, radius: float, light: str, dark: str) -> Iterator[Shape]:
    yield Polygon(transformed(_CROWN, at, radius), Paint(fill=light))
    for x, y in transformed(((-0.9, -0.5), (0.0, -0.82), (0.9, -0.5)), at, radius):
        yield Circle((x, y), radius * 0.14, Paint(fill=light))
    yield Line(
        transformed(((-0.66, 0.32), (0.66, 0.32)), at, radius),
        Paint(stroke=dark, width=radius * 0.1),
    )


def _eagle(at: Point, radius: float, light: str, dark: str) -> Iterator[Shape]:
    both = (*_EAGLE, *mirrored(_EAGLE)[::-1])
    yield Polygon(transformed(both, at, radius), Paint(fill=light))
    head = (at[0], at[1] - radius * 0.66)
    yield Circle(head, radius * 0.2, Paint(fill=light))
    beak = ((-0.1, -0.78), (-0.44, -0.64), (-0.1, -0.56))
    yield Polygon(transformed(beak, at, radius), Paint(fill=light))
    yield Circle(
        (head[0] - radius * 0.04, head[1] - radius * 0.03), radius * 0.07, Paint(fill=dark)
    )


def _lily(at: Point, radius: float, light: str, dark: str) -> Iterator[Shape]:
    for part in (_LILY_MIDDLE, _LILY_SIDE, mirrored(_LILY_SIDE), _LILY_FOOT, _BAND):
        yield Polygon(transformed(part, at, radius), Paint(fill=light))


def _lion(at: Point, radius: float, light: str, dark: str) -> Iterator[Shape]:
    mane = spikes(11, 0.98, 0.74)
    yield Polygon(transformed(mane, at, radius), Paint(fill=light))
    yield Circle(at, radius * 0.54, Paint(fill=dark))
    yield Circle(at, radius * 0.46, Paint(fill=light))
    for x, y in transformed(((-0.18, -0.1), (0.18, -0.1)), at, radius):
        yield Circle((x, y), radius * 0.075, Paint(fill=dark))
    nose = ((-0.14, 0.08), (0.14, 0.08), (0.0, 0.22))
    yield Polygon(transformed(nose, at, radius), Paint(fill=dark))
    mouth = ((-0.18, 0.3), (0.0, 0.22), (0.18, 0.3))
    yield Line(transformed(mouth, at, radius), Paint(stroke=dark, width=radius * 0.07))


def _rose(at: Point, radius: float, light: str, dark: str) -> Iterator[Shape]:
    for angle in range(0, 360, 72):
        (petal,) = transformed(((0.0, -0.54),), at, radius, angle)
        yield Circle(petal, radius * 0.42, Paint(fill=light, stroke=dark, width=radius * 0.07))
    yield Circle(at, radius * 0.28, Paint(fill=light, stroke=dark, width=radius * 0.1))
    yield Circle(at, radius * 0.1, Paint(fill=dark))


def _star(at: Point, radius: float, light: str, dark: str) -> Iterator[Shape]:
    yield Polygon(transformed(spikes(5, 1.0, 0.42), at, radius), Paint(fill=light))


def _sun(at: Point, radius: float, light: str, dark: str) -> Iterator[Shape]:
    yield Polygon(transformed(spikes(12, 1.0, 0.56), at, radius), Paint(fill=light))
    yield Circle(at, radius * 0.5, Paint(fill=light, stroke=dark, width=radius * 0.1))


def _tower(at: Point, radius: float, light: str, dark: str) -> Iterator[Shape]:
    yield Polygon(transformed(_TOWER, at, radius), Paint(fill=light))
    yield Polygon(transformed(_GATE, at, radius), Paint(fill=dark))


def spikes(number: int, outer: float, inner: float) -> tuple[Point, ...]:
    angles = [math.pi * i / number for i in range(2 * number)]
    radii = [inner if i % 2 else outer for i in range(2 * number)]
    return tuple((r * math.sin(a), -r * math.cos(a)) for r, a in zip(radii, angles, strict=True))


def _arc(x: float, y: float, radius: float, start: int, stop: int) -> tuple[Point, ...]:
    """Returns points of an arc; angles are in degrees, clockwise from east."""
    angles = [math.radians(start + (stop - start) * i / 12) for i in range(13)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)


def mirrored(points: tuple[Point, ...]) -> tuple[Point, ...]:
    return tuple((-x, y) for x, y in points)


_ICONS: dict[str, Icon] = {
    "crown": _crown,
    "eagle": _eagle,
    "lily": _lily,
    "lion": _lion,
    "rose": _rose,
    "star": _star,
    "sun": _sun,
    "tower": _tower,
}


#: Buildings and such: of each part its tone or colour, and its corners, two of a rectangle.
_LANDMARKS = {
    "village": (
        "wall .12,.2 .8,.78; roof .02,.24 .46,-.2 .92,.24; wall -.78,0 .18,.78; roof -.92,.04 "
        "-.3,-.66 .32,.04; cut -.44,.3 -.14,.78; cut .38,.38 .6,.6"
    ),
    "monastery": (
        "wall -.86,.15 .3,.8; roof -.96,.2 -.76,-.2 .26,-.2 .3,.2; wall .22,-.3 .76,.8; roof "
        ".12,-.26 .49,-.72 .86,-.26; cut .44,-1.05 .54,-.6; cut .32,-.95 .66,-.86; cut "
        "-.46,.42 -.2,.8; cut .4,-.06 .58,.2"
    ),
    "quarry": (
        "#f3f1ea -.9,.14 -.04,.74; #cfcac0 .04,.14 .9,.74; #e4e0d6 -.46,-.5 .42,.08; #ffffff "
        "-.46,-.5 -.22,-.74 .62,-.74 .42,-.5; #b5b0a4 .42,.08 .42,-.5 .62,-.74 .62,-.1"
    ),
    "city": (
        "wall -.4,-.45 .1,.3; roof -.5,-.42 -.15,-.9 .2,-.42; wall .26,-.15 .66,.3; roof "
        ".18,-.12 .46,-.5 .74,-.12; #e9d9b8 -.92,.78 -.92,0 -.64,0 -.64,.16 -.38,.16 -.38,0 "
        "-.12,0 -.12,.16 .14,.16 .14,0 .4,0 .4,.16 .66,.16 .66,0 .92,0 .92,.78; cut -.2,.78 "
        "-.2,.46 0,.3 .2,.46 .2,.78; cut -.22,-.28 -.08,-.06"
    ),
    "inn": (
        "wood .3,-.3 .86,.5; cut .3,-.08 .64,.28; wood -.62,-.5 .4,-.5 .34,.8 -.56,.8; #fffaf0 "
        "-.74,-.42 -.74,-.68 -.5,-.82 -.26,-.7 -.08,-.9 .16,-.74 .42,-.8 .52,-.56 .42,-.4 "
        "-.5,-.36; cut -.38,-.16 -.28,.58; cut .02,-.16 .12,.58"
    ),
    "wagon": (
        "wall -.78,-.2 -.74,-.62 -.4,-.86 .1,-.86 .5,-.66 .62,-.2; wood -.92,-.22 .96,-.22 "
        ".78,.24 -.8,.24"
    ),
}
_DARK = "#2b2a1c"
_TONES = {"wall": "#f8eed9", "roof": "#a8452c", "wood": "#a06a35"}


@lru_cache(maxsize=16)
def _parts(name: str) -> tuple[tuple[str, tuple[Point, ...]], ...]:
    """Returns the parts of a landmark; what is cut out has no colour."""
    parts = []
    for text in filter(None, _LANDMARKS.get(name, "").split("; ")):
        tone, *points = text.split()
        corners = [(float(x), float(y)) for x, y in (point.split(",") for point in points)]
        if len(corners) == 2:
            (left, top), (right, bottom) = corners
            corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        parts.append(("" if tone == "cut" else _TONES.get(tone, tone), tuple(corners)))
    return tuple(parts)


def landmark(
    name: str, at: Point, radius: float, ink: str, ground: str, drawn: bool = False
) -> Iterator[Shape]:
    """Yields a building, a wagon or such: in one ink, or `drawn` in its own colours."""
    if name == "castle":
        yield from castle(at, radius * 0.95, ink, ground)
    line, width = (_DARK, 0.07) if drawn else (ground, 0.05)
    for tone, points in _parts(name):
        fill = line if not tone else tone if drawn else ink
        paint = Paint(fill=fill, stroke=line, width=radius * width)
        yield Polygon(transformed(points, at, radius), paint)
    if name == "wagon":
        rim = _DARK if drawn else ink
        for hub in transformed(((-0.42, 0.42), (0.42, 0.42)), at, radius):
            yield Circle(hub, radius * 0.32, Paint(fill=ground, stroke=rim, width=radius * 0.14))
            yield Circle(hub, radius * 0.08, Paint(fill=rim))


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
        yield Polygon(transformed(_CROSS, at, radius), Paint(fill=color))
    elif seat == 1:
        yield Polygon(transformed(_CHEVRON, at, radius), Paint(fill=color))
    elif seat == 2:
        yield Circle((at[0], at[1] - radius * 0.1), radius * 0.46, Paint(fill=color))
    else:
        for bar in _BARS:
            yield Polygon(transformed(bar, at, radius), Paint(fill=color))


def crest(seat: int, at: Point, radius: float, theme: Theme) -> Iterator[Shape]:
    paint = Paint(fill=nth(theme.players, seat), stroke=theme.on_piece, width=max(1.5, radius / 8))
    yield Polygon(transformed(_SHIELD, at, radius), paint)
    yield from charge(seat, at, radius * 0.86, theme.on_piece)
