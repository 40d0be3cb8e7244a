"""Converts scenes to SVG text, without dependencies; equal scenes give equal bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape  # `xml.sax.saxutils` would load an HTTP client
from weakref import WeakKeyDictionary

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
)
from gonzaga_env.tabletop.bounded import printable

FONT = "Georgia, 'Times New Roman', 'DejaVu Serif', serif"


#: Texts of layers, kept for as long as the layers are: those of the map are drawn again and again.
_texts: WeakKeyDictionary[Layer, str] = WeakKeyDictionary()


def to_svg(scene: Scene) -> str:
    """Returns a scene as a complete SVG document."""
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
    """Returns a shape as an SVG element."""
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
    """Returns a text as XML content; characters that XML forbids are replaced."""
    return escape(printable(text), quote=False)


def points_text(points: Iterable[Point]) -> str:
    """Returns points as SVG's lists of them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


@lru_cache(maxsize=1 << 15)  # the corners of a map's hexes come again and again
def number(value: float) -> str:
    """Returns a number with at most two decimals; never "-0"."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
