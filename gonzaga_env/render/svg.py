"""Converts scenes to SVG text, without dependencies; equal scenes give equal bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape  # `xml.sax.saxutils` would load an HTTP client
from weakref import WeakKeyDictionary

from gonzaga_env.kernel.messages import printable
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Layer,
    Line,
    Paint,
    Point,
    Polygon,
    Scene,
    Shape,
    text_width,
)

FONT = "Georgia, 'Times New Roman', 'DejaVu Serif', serif"


#: Texts of layers, kept for as long as the layers are: those of the map are drawn again and again.
_texts: WeakKeyDictionary[Layer, str] = WeakKeyDictionary()


def to_svg(scene: Scene) -> str:
    size = f'width="{number(scene.width)}" height="{number(scene.height)}"'
    box = f'viewBox="0 0 {number(scene.width)} {number(scene.height)}"'
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} font-family="{FONT}">',
        f"<title>{_escaped(scene.title)}</title>",
    ]
    return "\n".join([*head, elements(scene.layers), "</svg>", ""])


def elements(layers: Iterable[Layer]) -> str:
    """Returns layers as SVG elements, for pages that put them into a document of their own."""
    return "\n".join(filter(None, map(layer_svg, layers)))


def layer_svg(layer: Layer) -> str:
    """Returns the elements of a layer, one per line."""
    if layer not in _texts:
        _texts[layer] = "\n".join(map(element, layer.shapes))
    return _texts[layer]


def element(shape: Shape) -> str:
    match shape:
        case Polygon():
            return f'<polygon points="{points_text(shape.points)}"{paint_attributes(shape.paint)}/>'
        case Line():
            look = f'{paint_attributes(shape.paint)} stroke-linecap="round" stroke-linejoin="round"'
            return f'<polyline points="{points_text(shape.points)}"{look}/>'
        case Circle():
            x, y = map(number, shape.center)
            radius = number(shape.radius)
            return f'<circle cx="{x}" cy="{y}" r="{radius}"{paint_attributes(shape.paint)}/>'
        case Label():
            return labels_element([shape])


def paint_attributes(paint: Paint) -> str:
    """Returns the attributes of a paint, with a space before each."""
    parts = [f' fill="{paint.fill or "none"}"']
    if paint.stroke:
        parts.append(f' stroke="{paint.stroke}" stroke-width="{number(paint.width)}"')
    if paint.dash:
        parts.append(f' stroke-dasharray="{" ".join(map(number, paint.dash))}"')
    if paint.opacity < 1:
        parts.append(f' opacity="{number(paint.opacity)}"')
    return "".join(parts)


def labels_element(labels: Sequence[Label]) -> str:
    """Returns a text, or as one element several that look the same and have one letter each."""
    label = labels[0]
    x, y = (" ".join(number(other.at[i]) for other in labels) for i in (0, 1))
    parts = [f'x="{x}" y="{y}" font-size="{number(label.size)}" fill="{label.color}"']
    parts.append(f'text-anchor="{label.anchor}"')
    if label.bold:
        parts.append('font-weight="bold"')
    if label.italic:
        parts.append('font-style="italic"')
    if label.spacing:
        parts.append(f'letter-spacing="{number(label.spacing)}"')
    if label.halo:
        halo = f'stroke="{label.halo}" stroke-width="{number(label.size / 4)}"'
        parts.append(f'{halo} stroke-linejoin="round" paint-order="stroke"')
    if label.angle:
        parts.append(f'transform="rotate({number(label.angle)} {x} {y})"')
    if label.opacity < 1:
        parts.append(f'opacity="{number(label.opacity)}"')
    return f"<text {' '.join(parts)}>{_escaped(''.join(other.text for other in labels))}</text>"


def _escaped(text: str) -> str:
    return escape(printable(text), quote=False)


def points_text(points: Iterable[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


@lru_cache(maxsize=1 << 15)  # the corners of a map's hexes come again and again
def number(value: float) -> str:
    """Returns a number with at most two decimals; never "-0"."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# As few elements as show the same: pages count each one, and a table has thousands of shapes. A
# shape joins an earlier one of its look where nothing that it meets is drawn in between.

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
