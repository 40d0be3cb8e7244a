"""Icons of colours, crops, bonus types and tokens, in a unit circle."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render import icons
from gonzaga_env.render.shapes import (
    Circle,
    Line,
    Paint,
    Point,
    Polygon,
    Shape,
    transformed,
)

Points = tuple[Point, ...]


def _block(left: float, top: float, right: float, bottom: float) -> Points:
    return (left, top), (right, top), (right, bottom), (left, bottom)


_WING = ((-0.85, 0.8), (-0.85, 0.3), (-0.3, 0.05), (-0.3, 0.8))
_LEAF = ((0.0, 0.0), (0.32, -0.18), (0.42, -0.52), (0.1, -0.34))
#: By colour: areas in the icon's own colour, and those cut out of them again.
_AREAS: dict[str, tuple[tuple[Points, ...], tuple[Points, ...]]] = {
    "V": (
        (((-0.78, 0.75), (-0.78, -0.05), (0.0, -0.8), (0.78, -0.05), (0.78, 0.75)),),
        (_block(-0.19, 0.2, 0.19, 0.77),),
    ),
    "M": (
        (
            ((-0.33, 0.8), (-0.33, -0.1), (0.0, -0.5), (0.33, -0.1), (0.33, 0.8)),
            _WING,
            icons.mirrored(_WING),
            _block(-0.06, -1.0, 0.06, -0.4),
            _block(-0.22, -0.84, 0.22, -0.72),
        ),
        (_block(-0.13, 0.35, 0.13, 0.82),),
    ),
    "Q": (
        (
            _block(-0.88, 0.1, -0.05, 0.7),
            _block(0.05, 0.1, 0.88, 0.7),
            _block(-0.42, -0.6, 0.42, 0.0),
        ),
        (),
    ),
    "C": (
        (
            (
                *((-0.9, 0.75), (-0.9, -0.35), (-0.5, -0.35), (-0.5, 0.05), (-0.26, 0.05)),
                *((-0.26, -0.5), (0.0, -0.9), (0.26, -0.5), (0.26, 0.05), (0.5, 0.05)),
                *((0.5, -0.35), (0.9, -0.35), (0.9, 0.75)),
            ),
        ),
        (_block(-0.16, 0.32, 0.16, 0.77), _block(-0.08, -0.35, 0.08, -0.1)),
    ),
    "I": (
        (_block(-0.66, -0.6, 0.34, 0.75),),
        (_block(-0.42, -0.25, -0.32, 0.5), _block(-0.12, -0.25, -0.02, 0.5)),
    ),
}


def colour(letter: str, at: Point, radius: float, ink: str, ground: str) -> Iterator[Shape]:
    """Yields the icon of a colour of hexes (T1.1)."""
    areas, cuts = _AREAS.get(letter, ((), ()))
    for points, color in (*((a, ink) for a in areas), *((c, ground) for c in cuts)):
        yield Polygon(transformed(points, at, radius), Paint(fill=color))
    if letter == "A":
        yield from _ear(at, radius, ink)
    elif letter == "F":
        yield from icons.castle(at, radius * 0.95, ink, ground)
    elif letter == "W":
        yield from _wheel(at, radius, ink)
    elif letter == "I":  # the mug's handle
        handle = (0.34, -0.3), (0.78, -0.3), (0.78, 0.35), (0.34, 0.35)
        yield Line(transformed(handle, at, radius), Paint(stroke=ink, width=radius * 0.2))


def _wheel(at: Point, radius: float, ink: str) -> Iterator[Shape]:
    spoke = Paint(stroke=ink, width=radius * 0.13)
    for angle in (0, 60, 120):
        yield Line(transformed(((-0.7, 0.0), (0.7, 0.0)), at, radius, angle), spoke)
    yield Circle(at, radius * 0.74, Paint(stroke=ink, width=radius * 0.2))
    yield Circle(at, radius * 0.2, Paint(fill=ink))


def _ear(at: Point, radius: float, ink: str) -> Iterator[Shape]:
    """Yields an ear of wheat."""
    stem = Paint(stroke=ink, width=radius * 0.12)
    yield Line(transformed(((0.0, 0.9), (0.0, -0.4)), at, radius), stem)
    for y in (0.45, 0.1, -0.25):
        for leaf in (_LEAF, icons.mirrored(_LEAF)):
            moved = tuple((x, dy + y) for x, dy in leaf)
            yield Polygon(transformed(moved, at, radius), Paint(fill=ink))
    tip = ((0.0, -0.4), (0.16, -0.65), (0.0, -0.95), (-0.16, -0.65))
    yield Polygon(transformed(tip, at, radius), Paint(fill=ink))


_DARK, _OLIVE, _GRAPE, _WHEAT, _WOOL = "#2b2a1c", "#56661f", "#6a3279", "#8a5a06", "#fffaf0"
_GRAPES = (-0.44, -0.2), (0.0, -0.2), (0.44, -0.2), (-0.22, 0.2), (0.22, 0.2), (0.0, 0.6)
_FLEECE = (-0.5, 0.0), (-0.2, -0.3), (0.2, -0.3), (-0.2, 0.2), (0.25, 0.15)


def crop(letter: str, at: Point, radius: float) -> Iterator[Shape]:
    """Yields a crop (T8.4): olives, grapes, wheat or livestock; the same in both themes."""
    stem = Paint(stroke=_DARK, width=radius * 0.13)
    edge = radius * 0.1
    if letter == "W":
        yield from _ear(at, radius, _WHEAT)
    elif letter == "O":
        yield Line(transformed(((-0.4, 0.2), (0.1, -0.8), (0.45, 0.1)), at, radius), stem)
        for x, y in transformed(((-0.42, 0.35), (0.46, 0.25)), at, radius):
            yield Circle((x, y), radius * 0.42, Paint(fill=_OLIVE, stroke=_DARK, width=edge))
    elif letter == "G":
        yield Line(transformed(((0.0, -0.2), (0.12, -0.9)), at, radius), stem)
        for x, y in transformed(_GRAPES, at, radius):
            yield Circle((x, y), radius * 0.27, Paint(fill=_GRAPE, stroke=_WOOL, width=edge / 2))
    else:
        for x in (-0.35, 0.2):
            yield Line(transformed(((x, 0.3), (x, 0.8)), at, radius), stem)
        for x, y in transformed(_FLEECE, at, radius):
            yield Circle((x, y), radius * 0.34, Paint(fill=_WOOL, stroke=_DARK, width=edge))
        yield Circle(at, radius * 0.4, Paint(fill=_WOOL))
        (head,) = transformed(((0.62, -0.2),), at, radius)
        yield Circle(head, radius * 0.27, Paint(fill=_DARK))


def token(name: str, at: Point, radius: float, ink: str, light: str) -> Iterator[Shape]:
    """Yields what a bonus tile is for: a card, a storage space, marble, a worker or a yield."""
    paint = Paint(fill=light, stroke=ink, width=radius * 0.16)
    if name == "worker":
        body = (-0.75, 0.85), (-0.32, -0.1), (0.32, -0.1), (0.75, 0.85)
        yield Polygon(transformed(body, at, radius), paint)
        yield Circle((at[0], at[1] - radius * 0.42), radius * 0.38, paint)
    elif name == "yield":
        yield Circle(at, radius * 0.8, paint)
        yield from _ear(at, radius * 0.62, ink)
    else:
        yield Polygon(transformed(_OUTLINES[name], at, radius), paint)
    if name == "marble":  # the edges of the block
        edges = ((-0.75, -0.35), (0.0, 0.05), (0.75, -0.35)), ((0.0, 0.05), (0.0, 0.85))
        for line in edges:
            yield Line(transformed(line, at, radius), Paint(stroke=ink, width=radius * 0.12))


_OUTLINES: dict[str, Points] = {
    "card": _block(-0.55, -0.85, 0.55, 0.85),
    "storage": (
        (-0.9, 0.0),
        (-0.45, -0.78),
        (0.45, -0.78),
        (0.9, 0.0),
        (0.45, 0.78),
        (-0.45, 0.78),
    ),
    "marble": (
        (0.0, -0.75),
        (0.75, -0.35),
        (0.75, 0.45),
        (0.0, 0.85),
        (-0.75, 0.45),
        (-0.75, -0.35),
    ),
}
