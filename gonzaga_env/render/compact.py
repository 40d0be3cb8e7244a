"""Scenes as few SVG elements: shapes of one paint that are drawn apart become one path.

Pages count every element, and a table of four players has thousands of shapes. What is seen stays
the same: a shape joins an earlier one only where nothing that lies under it is drawn in between.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gonzaga_env.render.shapes import Circle, Label, Line, Polygon, Shape, text_width
from gonzaga_env.render.svg import element, labels_element, number, paint_attributes, points_text

Bounds = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass
class _Group:
    """Shapes that are drawn by one element."""

    look: object  # equal for shapes that can be joined; None for one that stays alone
    shapes: list[Shape]
    bounds: list[Bounds]
    around: Bounds  # of all

    def meets(self, other: Bounds) -> bool:
        return _meet(self.around, other) and any(_meet(own, other) for own in self.bounds)

    def add(self, shape: Shape, bounds: Bounds) -> None:
        self.shapes.append(shape)
        self.bounds.append(bounds)
        (a, b, c, d), (left, top, right, bottom) = self.around, bounds
        self.around = min(a, left), min(b, top), max(c, right), max(d, bottom)


def compact_elements(shapes: Iterable[Shape]) -> str:
    """Returns shapes as SVG elements, as few as show the same."""
    groups: list[_Group] = []
    for shape in shapes:
        look, bounds = _look(shape), _bounds(shape)
        place = len(groups)
        while place and not groups[place - 1].meets(bounds):
            place -= 1
            if look is not None and groups[place].look == look:
                groups[place].add(shape, bounds)
                break
        else:  # as low as it can lie, so that others that look the same can join it
            groups.insert(place, _Group(look, [shape], [bounds], bounds))
    return "\n".join(_joined(group.shapes) for group in groups)


def _look(shape: Shape) -> object:
    match shape:
        case Label():  # one letter: its place can be one of many
            alone = len(shape.text) != 1 or shape.opacity < 1 or shape.angle or shape.spacing
            return None if alone else replace(shape, text="", at=(0, 0))
        case Polygon() | Line() | Circle():
            return None if shape.paint.opacity < 1 else (shape.paint, isinstance(shape, Line))


def _bounds(shape: Shape) -> Bounds:
    """Returns a box that a shape lies in, with its outline."""
    match shape:
        case Label(at=(x, y)):
            reach = text_width(shape.text, shape.size, shape.spacing)  # more than it takes
            if shape.angle:
                return (x - reach, y - reach, x + reach, y + reach)
            left, right = {"start": (0.0, 1.0), "middle": (0.5, 0.5), "end": (1.0, 0.0)}[
                shape.anchor
            ]
            edge = shape.size / 4
            return (
                *(x - left * reach - edge, y - shape.size - edge),
                *(x + right * reach + edge, y + shape.size / 2),
            )
        case Circle(center=(x, y), radius=radius):
            xs, ys = (x - radius, x + radius), (y - radius, y + radius)
        case Polygon() | Line():
            xs, ys = zip(*shape.points, strict=True)
    edge = shape.paint.width if shape.paint.stroke else 0.0
    return min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge


def _meet(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _joined(shapes: list[Shape]) -> str:
    first = shapes[0]
    if len(shapes) == 1:
        return element(first)
    if isinstance(first, Label):
        return labels_element([shape for shape in shapes if isinstance(shape, Label)])
    caps = ' stroke-linecap="round" stroke-linejoin="round"' * isinstance(first, Line)
    return f'<path d="{"".join(map(_path, shapes))}"{paint_attributes(first.paint)}{caps}/>'


def _path(shape: Shape) -> str:
    """Returns a shape as part of a path; a circle begins where SVG's own does, for its dashes."""
    match shape:
        case Circle(center=(x, y), radius=radius):
            arc = f"a{number(radius)},{number(radius)} 0 0 1 "
            width = number(2 * radius)
            return f"M{number(x + radius)},{number(y)}{arc}-{width},0{arc}{width},0Z"
        case Polygon():
            return f"M{points_text(shape.points)}Z"
        case Line():
            return f"M{points_text(shape.points)}"
        case Label():
            raise TypeError("a label is no part of a path")
