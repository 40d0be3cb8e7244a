"""The marks and names of cities and harbors."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.core.edition import Edition, Site
from gonzaga_env.render import icons, palette
from gonzaga_env.render.layout import Layout
from gonzaga_env.render.map_labels import Box
from gonzaga_env.render.shapes import Label, Shape, text_width

_NAME_SIZE = 0.18  # of a hex's width
_RADIUS = 0.205


def sites(edition: Edition, layout: Layout) -> Iterator[Shape]:
    """Yields marks first, then names, so that no mark hides a name."""
    both = (*edition.cities, *edition.harbors)
    for site in both:
        yield from _mark(edition, layout, site)
    yield from (_name(layout, site) for site in both)


def site_boxes(edition: Edition, layout: Layout) -> Iterator[Box]:
    """Yields the bounding box of each site's mark and name."""
    for site in (*edition.cities, *edition.harbors):
        x, y = layout.center(site.at)
        half = max(_RADIUS * layout.hex_width, text_width(site.name, _name(layout, site).size) / 2)
        yield x - half, y - 0.38 * layout.hex_width, x + half, y + 0.42 * layout.hex_width


def symbol_color(edition: Edition, name: str) -> str:
    """Returns the colour of a symbol."""
    return palette.nth(palette.SYMBOLS, edition.symbols.index(name))


def _mark(edition: Edition, layout: Layout, site: Site) -> Iterator[Shape]:
    at, radius = layout.mark(site.at), _RADIUS * layout.hex_width
    if site.kind == "city":
        yield from icons.symbol(site.group, at, radius, symbol_color(edition, site.group))
    else:
        yield from icons.anchor(at, radius * 0.92)


def _name(layout: Layout, site: Site) -> Label:
    x, y = layout.center(site.at)
    room = 0.99 * layout.hex_width / text_width(site.name, 1.0)
    size = min(_NAME_SIZE * layout.hex_width, room)
    return Label(
        site.name,
        (x, y + 0.29 * layout.hex_width),
        size,
        palette.INK if site.kind == "city" else "#12364f",
        halo="#fdf8ec",
        bold=True,
        italic=site.kind == "harbor",
    )
