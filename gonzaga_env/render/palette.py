"""The colours of a drawing: two themes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from gonzaga_env.kernel.errors import OptionError

ThemeName = Literal["light", "dark"]

#: One per symbol, in alphabetical order; dark enough for white icons.
SYMBOLS = ("#8c2f39", "#2f4b7c", "#5f4b8b", "#a3541c", "#a83a6b", "#27666b", "#8a6d00", "#3f6b35")


@dataclass(frozen=True, eq=False)  # themes are constants; caches look them up thousands of times
class Theme:
    """The colours of a theme."""

    paper: str  # the page, and the blank space around the map
    frame: str  # the frame of the page, and titles
    # Texts, and those of less weight:
    ink: str
    muted: str
    # Lines on the map:
    coast: str
    region_border: str
    surf: str
    hex_line: str
    sea_line: str
    sea_border: str
    # The routes of sea leagues:
    route: str
    route_edge: str
    # Barriers:
    ridge: str
    rock: str
    snow: str
    # In the order of the region cards; neighbouring regions differ clearly.
    regions: tuple[str, ...]
    seas: tuple[str, ...]  # in the order of the edition
    # Names on the map:
    region_label: str
    sea_label: str
    # Names of cities and harbors, and the edge around them:
    site: str
    harbor: str
    halo: str
    # Fiefs in the legend:
    fief: str
    legend_line: str
    castle: str
    # Pieces by seat: red, blue, green, yellow; apart from all regions and seas, from each other and
    # from what can be chosen on the table's pages, for colour-blind eyes too (a test computes the
    # distances).
    players: tuple[str, ...]
    on_piece: str  # what is drawn on a piece, and its edge
    # A player's panel and its lines:
    panel: str
    line: str
    heat: str  # what an agent thinks of, from the paper's colour for nothing to this one
    # The last move and the seat to act, and what is drawn on that colour:
    mark: str
    on_mark: str
    # Points by source, in the order of `SOURCES`, and the numbers on them:
    sources: tuple[str, ...]
    on_source: str
    # Hexes of each colour in Tuscany, in the order of `COLOURS`, and its hexagons:
    tiles: tuple[str, ...]
    wood: str
    board: str  # the wood of boards that pieces lie on
    # The two tracks of points:
    green: str
    red: str
    dice: tuple[str, ...]  # of each color in Signorie, in the order of its edition


#: Each colour in the light theme and in the dark one.
_COLORS: dict[str, tuple[Any, Any]] = {
    "paper": ("#f4ecd8", "#1d1b1a"),
    "frame": ("#6b4f3a", "#c9ab82"),
    "ink": ("#33271f", "#f1e8d8"),
    "muted": ("#6d5c4c", "#b5a892"),
    "coast": ("#4d3f36", "#0f0d0c"),
    "region_border": ("#33271f", "#0f0d0c"),
    "surf": ("#d9ebf0", "#35586b"),
    "hex_line": ("#8a7560", "#2b2621"),
    "sea_line": ("#6f9fb8", "#16293a"),
    "sea_border": ("#5d8ca6", "#4f7d97"),
    "route": ("#c22f2a", "#ff6f61"),
    "route_edge": ("#f4ecd8", "#1d1b1a"),
    "ridge": ("#4a382b", "#14100d"),
    "rock": ("#7d6350", "#8b715c"),
    "snow": ("#f7f3ea", "#f1ece2"),
    "regions": (
        ("#eac393", "#c5c6ea", "#e5b2a5", "#b9d5a3", "#f4e5a2", "#dcb8d2"),
        ("#6b4f2a", "#4a4f7a", "#73463b", "#46603a", "#6a6030", "#65486a"),
    ),
    "seas": (
        ("#9ec4d6", "#8cb5ce", "#a9ccdc", "#92bdcc", "#85afc5", "#b3d2df"),
        ("#1f3a4d", "#1b3447", "#24414f", "#1f3d4a", "#193041", "#284653"),
    ),
    "region_label": ("#2e2118", "#f6ead4"),
    "sea_label": ("#123c57", "#a9d3ea"),
    "site": ("#33271f", "#fff8ea"),
    "harbor": ("#12364f", "#d6ecfa"),
    "halo": ("#fdf8ec", "#171514"),
    "fief": ("#e3cfa6", "#a08a62"),
    "legend_line": ("#6b4f3a", "#171310"),
    "castle": ("#f4ecd8", "#f4ecd8"),
    "players": (
        ("#991c24", "#283e7f", "#20838e", "#b68621"),
        ("#e67a65", "#6c80c7", "#89faef", "#f7ca43"),
    ),
    "on_piece": ("#fffaf0", "#1a1512"),
    "panel": ("#fffaf0", "#2a2725"),
    "line": ("#d9c9a8", "#4a443e"),
    "heat": ("#a114ff", "#c400f5"),
    "mark": ("#ffffff", "#ffffff"),
    "on_mark": ("#33271f", "#000000"),
    "sources": (
        ("#c8741a", "#2f6f9f", "#3f93ba", "#8d8478", "#2f8f6b", "#a8558a"),
        ("#e39a4a", "#5c9fd0", "#9bd5ef", "#a59c90", "#57b894", "#d089b6"),
    ),
    "on_source": ("#ffffff", "#14110f"),
    "tiles": (
        ("#e08a3c", "#aacb62", "#ddc79a", "#f0cf45", "#a3a19e", "#c4523f", "#6f9fd4", "#3f7350"),
        ("#c9742c", "#8fae4c", "#bfa77a", "#d0ae33", "#8b8987", "#b04b3b", "#5a87bb", "#38684a"),
    ),
    "wood": ("#8a5a33", "#7a4f2d"),
    "board": ("#cfa878", "#4a3726"),
    "green": ("#3d7a3f", "#7cc47c"),
    "red": ("#b3322a", "#f0776a"),
    "dice": (
        ("#e6bd3b", "#b9402f", "#7d5aa6", "#9a9a97", "#2f9a98"),
        ("#cfa52e", "#b04b3b", "#8868b0", "#85857f", "#2b8583"),
    ),
}
LIGHT, DARK = (Theme(**{name: both[i] for name, both in _COLORS.items()}) for i in (0, 1))
_THEMES = {"light": LIGHT, "dark": DARK}


def theme_of(name: str) -> Theme:
    """Returns a theme by name; OptionError if there is none."""
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
