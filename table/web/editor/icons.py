"""The pictures' icons as small SVG documents, so that the page need not draw them."""

from __future__ import annotations

from collections.abc import Iterable

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.render import icons
from gonzaga_env.render.gonzaga.marks import symbol_color
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.shapes import Layer, Scene, Shape
from gonzaga_env.render.svg import to_svg

#: Symbols with an icon of their own, offered where an edition has too few.
KNOWN = ("crown", "eagle", "lily", "lion", "rose", "star", "sun", "tower")
_SIZE, _RADIUS, _UNUSED = 48.0, 20.0, "#8d8478"


def symbol_icons(edition: Edition) -> dict[str, str]:
    """Returns an SVG text for each symbol of the cities and each known one, grey if unused."""
    used = {name: symbol_color(edition, name) for name in edition.symbols}
    colors = {**dict.fromkeys(KNOWN, _UNUSED), **used}
    middle = (_SIZE / 2, _SIZE / 2)
    return {
        name: _svg(name, icons.symbol(name, middle, _RADIUS, color))
        for name, color in sorted(colors.items())
    }


def anchor_icon() -> str:
    """Returns the SVG text of a harbor's mark."""
    return _svg("harbor", icons.anchor((_SIZE / 2, _SIZE / 2), 0.92 * _RADIUS))


def castle_icon() -> str:
    """Returns the SVG text of a fief's castle."""
    castle = icons.castle((_SIZE / 2, _SIZE / 2), _RADIUS, LIGHT.castle, LIGHT.legend_line)
    return _svg("castle", castle)


def _svg(title: str, shapes: Iterable[Shape]) -> str:
    return to_svg(Scene(_SIZE, _SIZE, title, (Layer(tuple(shapes)),)))
