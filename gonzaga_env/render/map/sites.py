"""The marks and names of cities and harbors."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gonzaga_env.core.editions.edition import Edition, Site
from gonzaga_env.render import icons
from gonzaga_env.render.map.labels import Box
from gonzaga_env.render.map.layout import Layout
from gonzaga_env.render.palette import SYMBOLS, Theme, nth
from gonzaga_env.render.shapes import Label, Shape, text_width

_NAME_SIZE = 0.18  # of a hex's width
_RADIUS = 0.205


def marks(edition: Edition, layout: Layout, inactive: Collection[str] = ()) -> Iterator[Shape]:
    """Yields the marks of cities and harbors, smaller in inactive regions."""
    for site in (*edition.cities, *edition.harbors):
        small = edition.regions.get(edition.mark(site.at)) in inactive
        yield from _mark(edition, layout, site, 0.74 if small else 1.0)


def names(edition: Edition, layout: Layout, theme: Theme) -> Iterator[Shape]:
    """Yields the names of cities and harbors."""
    for site in (*edition.cities, *edition.harbors):
        yield _name(layout, site, theme)


def site_boxes(edition: Edition, layout: Layout) -> Iterator[Box]:
    """Yields the bounding box of each site's mark and name."""
    for site in (*edition.cities, *edition.harbors):
        x, y = layout.center(site.at)
        half = max(_RADIUS * layout.hex_width, text_width(site.name, _name_size(layout, site)) / 2)
        yield x - half, y - 0.38 * layout.hex_width, x + half, y + 0.42 * layout.hex_width


def symbol_color(edition: Edition, name: str) -> str:
    """Returns the colour of a symbol."""
    return nth(SYMBOLS, edition.symbols.index(name))


def _mark(edition: Edition, layout: Layout, site: Site, scale: float) -> Iterator[Shape]:
    at, radius = layout.mark(site.at), _RADIUS * layout.hex_width * scale
    if site.kind == "city":
        yield from icons.symbol(site.group, at, radius, symbol_color(edition, site.group))
    else:
        yield from icons.anchor(at, radius * 0.92)


def _name_size(layout: Layout, site: Site) -> float:
    room = 0.99 * layout.hex_width / text_width(site.name, 1.0)
    return min(_NAME_SIZE * layout.hex_width, room)


def _name(layout: Layout, site: Site, theme: Theme) -> Label:
    x, y = layout.center(site.at)
    return Label(
        site.name,
        (x, y + 0.29 * layout.hex_width),
        _name_size(layout, site),
        theme.site if site.kind == "city" else theme.harbor,
        halo=theme.halo,
        bold=True,
        italic=site.kind == "harbor",
    )
