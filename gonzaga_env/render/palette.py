"""The colours of a drawing: two themes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gonzaga_env.tabletop.errors import OptionError

ThemeName = Literal["light", "dark"]

#: One per symbol, in alphabetical order; dark enough for white icons.
SYMBOLS = (
    "#8c2f39",
    "#2f4b7c",
    "#5f4b8b",
    "#a3541c",
    "#a83a6b",
    "#27666b",
    "#8a6d00",
    "#3f6b35",
)


@dataclass(frozen=True, eq=False)  # themes are constants; caches look them up thousands of times
class Theme:
    """The colours of a theme.

    Attributes:
        paper: the page, and the blank space around the map.
        frame: the frame of the page, and titles.
        ink, muted: texts, and those of less weight.
        coast, region_border, surf, hex_line, sea_line, sea_border: lines on the map.
        route, route_edge: the routes of sea leagues.
        ridge, rock, snow: barriers.
        regions: in the order of the region cards; neighbouring regions differ clearly.
        seas: in the order of the edition.
        region_label, sea_label: names on the map.
        site, harbor, halo: names of cities and harbors, and the edge around them.
        fief, legend_line, castle: fiefs in the legend.
        players: pieces by seat: red, blue, green, yellow; apart from all regions and seas, from
            each other and from what can be chosen on the table's pages, for colour-blind eyes too
            (a test computes the distances).
        on_piece: what is drawn on a piece, and its edge.
        panel, line: a player's panel and its lines.
        heat: what an agent thinks of, from the paper's colour for nothing to this one.
        mark, on_mark: the last move and the seat to act, and what is drawn on that colour.
        sources, on_source: points by source, in the order of `SOURCES`, and the numbers on them.
        tiles, wood: hexes of each colour in Tuscany, in the order of `COLOURS`, and its hexagons.
        green, red: the two tracks of points.
        dice: of each color in Signorie, in the order of its edition.
    """

    paper: str
    frame: str
    ink: str
    muted: str
    coast: str
    region_border: str
    surf: str
    hex_line: str
    sea_line: str
    sea_border: str
    route: str
    route_edge: str
    ridge: str
    rock: str
    snow: str
    regions: tuple[str, ...]
    seas: tuple[str, ...]
    region_label: str
    sea_label: str
    site: str
    harbor: str
    halo: str
    fief: str
    legend_line: str
    castle: str
    players: tuple[str, ...]
    on_piece: str
    panel: str
    line: str
    heat: str
    mark: str
    on_mark: str
    sources: tuple[str, ...]
    on_source: str
    tiles: tuple[str, ...]
    wood: str
    green: str
    red: str
    dice: tuple[str, ...]


LIGHT = Theme(
    paper="#f4ecd8",
    frame="#6b4f3a",
    ink="#33271f",
    muted="#6d5c4c",
    coast="#4d3f36",
    region_border="#33271f",
    surf="#d9ebf0",
    hex_line="#8a7560",
    sea_line="#6f9fb8",
    sea_border="#5d8ca6",
    route="#c22f2a",
    route_edge="#f4ecd8",
    ridge="#4a382b",
    rock="#7d6350",
    snow="#f7f3ea",
    regions=("#eac393", "#c5c6ea", "#e5b2a5", "#b9d5a3", "#f4e5a2", "#dcb8d2"),
    seas=("#9ec4d6", "#8cb5ce", "#a9ccdc", "#92bdcc", "#85afc5", "#b3d2df"),
    region_label="#2e2118",
    sea_label="#123c57",
    site="#33271f",
    harbor="#12364f",
    halo="#fdf8ec",
    fief="#e3cfa6",
    legend_line="#6b4f3a",
    castle="#f4ecd8",
    players=("#b60300", "#0405cf", "#03838d", "#b18a01"),
    on_piece="#fffaf0",
    panel="#fffaf0",
    line="#d9c9a8",
    heat="#a114ff",
    mark="#ffffff",
    on_mark="#33271f",
    sources=("#c8741a", "#2f6f9f", "#3f93ba", "#8d8478", "#2f8f6b", "#a8558a"),
    on_source="#ffffff",
    tiles=("#e08a3c", "#aacb62", "#ddc79a", "#f0cf45", "#a3a19e", "#c4523f", "#6f9fd4", "#3f7350"),
    wood="#8a5a33",
    green="#3d7a3f",
    red="#b3322a",
    dice=("#e6bd3b", "#b9402f", "#7d5aa6", "#9a9a97", "#2f9a98"),
)
DARK = Theme(
    paper="#1d1b1a",
    frame="#c9ab82",
    ink="#f1e8d8",
    muted="#b5a892",
    coast="#0f0d0c",
    region_border="#0f0d0c",
    surf="#35586b",
    hex_line="#2b2621",
    sea_line="#16293a",
    sea_border="#4f7d97",
    route="#ff6f61",
    route_edge="#1d1b1a",
    ridge="#14100d",
    rock="#8b715c",
    snow="#f1ece2",
    regions=("#6b4f2a", "#4a4f7a", "#73463b", "#46603a", "#6a6030", "#65486a"),
    seas=("#1f3a4d", "#1b3447", "#24414f", "#1f3d4a", "#193041", "#284653"),
    region_label="#f6ead4",
    sea_label="#a9d3ea",
    site="#fff8ea",
    harbor="#d6ecfa",
    halo="#171514",
    fief="#a08a62",
    legend_line="#171310",
    castle="#f4ecd8",
    players=("#fe710e", "#3a88b7", "#38ffd5", "#ffef07"),
    on_piece="#1a1512",
    panel="#2a2725",
    line="#4a443e",
    heat="#c400f5",
    mark="#ffffff",
    on_mark="#000000",
    sources=("#e39a4a", "#5c9fd0", "#9bd5ef", "#a59c90", "#57b894", "#d089b6"),
    on_source="#14110f",
    tiles=("#c9742c", "#8fae4c", "#bfa77a", "#d0ae33", "#8b8987", "#b04b3b", "#5a87bb", "#38684a"),
    wood="#7a4f2d",
    green="#7cc47c",
    red="#f0776a",
    dice=("#cfa52e", "#b04b3b", "#8868b0", "#85857f", "#2b8583"),
)
_THEMES = {"light": LIGHT, "dark": DARK}


def theme_of(name: str) -> Theme:
    """Returns a theme by name.

    Raises:
        OptionError: there is no such theme.
    """
    if name not in _THEMES:
        raise OptionError(f"theme is {name!r}; it takes {', '.join(map(repr, _THEMES))}")
    return _THEMES[name]


def nth(colors: tuple[str, ...], index: int) -> str:
    """Returns a colour by index, starting over after the last one."""
    return colors[index % len(colors)]


def mixed(color: str, other: str, part: float) -> str:
    """Returns a colour of which `part` (0 to 1) is another."""
    pairs = zip(_channels(color), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def ink_on(color: str) -> str:
    """Returns the ink that is read best on a colour, dark or light."""
    red, green, blue = _channels(color)
    return "#2b211b" if 0.3 * red + 0.59 * green + 0.11 * blue > 123 else "#fffaf0"


def _channels(color: str) -> list[int]:
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]
