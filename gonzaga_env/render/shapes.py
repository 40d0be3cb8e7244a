"""The shapes of a drawing, in pixels and in drawing order, for any back end.

Pixel coordinates: x grows east, y south. Colours are "#rrggbb"; None paints nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from gonzaga_env.render.palette import Theme

Point = tuple[float, float]


@dataclass(frozen=True)
class Paint:
    """Fill and stroke of a shape."""

    fill: str | None = None  #: colour inside
    stroke: str | None = None  #: colour of the outline
    width: float = 1.0  #: width of the outline in pixels
    dash: tuple[float, ...] = ()  #: lengths of dashes and gaps; empty for a solid line
    opacity: float = 1.0  #: opacity of the whole shape, 0 to 1


@dataclass(frozen=True)
class Polygon:
    """A closed area."""

    points: tuple[Point, ...]
    paint: Paint


@dataclass(frozen=True)
class Line:
    """An open line through points."""

    points: tuple[Point, ...]
    paint: Paint


@dataclass(frozen=True)
class Circle:
    """A circle."""

    center: Point
    radius: float
    paint: Paint


@dataclass(frozen=True)
class Label:
    """A line of text, anchored at a point of its baseline."""

    text: str  #: the text
    at: Point  #: the anchor point
    size: float  #: font size in pixels
    color: str  #: colour of the letters
    halo: str | None = None  #: colour around the letters, or None
    bold: bool = False  #: whether the letters are bold
    italic: bool = False  #: whether they are slanted
    spacing: float = 0.0  #: extra pixels between letters
    angle: float = 0.0  #: degrees clockwise about `at`
    opacity: float = 1.0  #: 0 to 1
    anchor: str = "middle"  #: the part of the text at `at`, "middle", "start" or "end"

    def within(self, room: float) -> Label:
        """Returns the label, in smaller letters if it would not fit into `room` pixels."""
        return replace(self, size=fitted(self.text, self.size, room))


Shape = Polygon | Line | Circle | Label


@dataclass(frozen=True, eq=False)
class Layer:
    """Shapes that are drawn together.

    A layer that stays the same from one scene to the next should be the same object, so that back
    ends can keep what they made of it.
    """

    shapes: tuple[Shape, ...]

    def __repr__(self) -> str:
        return f"<Layer of {len(self.shapes)} shapes>"


@dataclass(frozen=True)
class Scene:
    """A complete drawing: its size in pixels, a title for screen readers, and its layers."""

    width: float
    height: float
    title: str
    layers: tuple[Layer, ...]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes of all layers, in drawing order."""
        return tuple(shape for layer in self.layers for shape in layer.shapes)

    def __repr__(self) -> str:
        return f"<Scene {self.width:g} x {self.height:g}, {self.title}>"


def box(left: float, top: float, right: float, bottom: float, paint: Paint) -> Polygon:
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)), paint)


def rectangle(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    """Returns the corners of a rectangle, clockwise."""
    right, bottom = left + width, top + height
    return (left, top), (right, top), (right, bottom), (left, bottom)


def fitted(text: str, size: float, room: float) -> float:
    """Returns a font size of at most `size` at which a text fits into `room` pixels."""
    return min(size, room / max(text_width(text, 1.0), 0.01))


def text_width(text: str, size: float, spacing: float = 0.0) -> float:
    """Returns a generous estimate of a text's width, since fonts differ between back ends."""
    return sum(_advance(letter) for letter in text) * size + spacing * len(text)


def _advance(letter: str) -> float:
    if letter in " .,'ijlI-":
        return 0.42
    return 1.05 if letter in "mwMW" else 0.82 if letter.isupper() else 0.66


def transformed(
    points: tuple[Point, ...], at: Point, scale: float, angle: float = 0
) -> tuple[Point, ...]:
    """Returns points scaled, rotated clockwise by `angle` degrees and translated to `at`."""
    cos, sin = math.cos(math.radians(angle)) * scale, math.sin(math.radians(angle)) * scale
    return tuple((at[0] + x * cos - y * sin, at[1] + x * sin + y * cos) for x, y in points)


def translated(points: tuple[Point, ...], by: Point) -> tuple[Point, ...]:
    return tuple((x + by[0], y + by[1]) for x, y in points)


def paragraph(
    text: str, at: tuple[float, float], size: float, color: str, width: float, max_lines: int = 3
) -> Iterator[Label]:
    """Yields a text in lines of at most `width` pixels; what does not fit ends in an ellipsis."""
    for number, line in enumerate(_lines(text.split(), size, width, max_lines)):
        yield Label(line, (at[0], at[1] + 1.3 * size * number), size, color, anchor="start")


def _lines(words: Iterable[str], size: float, width: float, max_lines: int) -> list[str]:
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], lines[max_lines - 1] + " …"]
    return lines


@lru_cache(maxsize=16)
def page(width: float, height: float, theme: Theme) -> tuple[Layer, Layer]:
    paper, shapes = box(0, 0, width, height, Paint(fill=theme.paper)), []
    for inset, line in ((10, 3.5), (17, 1.2)):
        paint = Paint(stroke=theme.frame, width=line)
        shapes.append(box(inset, inset, width - inset, height - inset, paint))
    return Layer((paper,)), Layer(tuple(shapes))


def part_of(scene: Scene, left: float, top: float, right: float, bottom: float) -> Scene:
    """Returns the part of a scene in a rectangle: what reaches into it, and texts that fit."""
    layers = (
        Layer(
            tuple(
                _moved(shape, (-left, -top))
                for shape in layer.shapes
                if _is_seen(shape, left, top, right, bottom)
            )
        )
        for layer in scene.layers
    )
    return Scene(right - left, bottom - top, scene.title, tuple(layers))


def _is_seen(shape: Shape, left: float, top: float, right: float, bottom: float) -> bool:
    """Whether a shape reaches into a rectangle; texts must lie in it."""
    match shape:
        case Label(at=(x, y), size=size):
            half = text_width(shape.text, size, shape.spacing) / 2
            return left < x - half and x + half < right and top < y - size and y < bottom
        case Circle(center=(x, y), radius=radius):
            xs, ys = (x - radius, x + radius), (y - radius, y + radius)
        case Polygon() | Line():
            xs, ys = zip(*shape.points, strict=True)
    return min(xs) < right and max(xs) > left and min(ys) < bottom and max(ys) > top


def _moved(shape: Shape, by: Point) -> Shape:
    match shape:
        case Circle():
            return replace(shape, center=translated((shape.center,), by)[0])
        case Label():
            return replace(shape, at=translated((shape.at,), by)[0])
        case Polygon() | Line():
            return replace(shape, points=translated(shape.points, by))
