"""Icons, hexes, tiles, wooden hexagons and cards, wherever they lie."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from gonzaga_env.render import icons
from gonzaga_env.render.boards import playing_card, raised, sunk
from gonzaga_env.render.palette import Theme, ink_on, mixed
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Line,
    Paint,
    Point,
    Polygon,
    Shape,
    transformed,
    translated,
)
from gonzaga_env.tuscany.board import BOARD_CELLS, CELL_NAMES, LAYOUTS, places
from gonzaga_env.tuscany.constants import COLOURS
from gonzaga_env.tuscany.edition import BOARD_NAMES, Edition
from gonzaga_env.tuscany.view import COLOUR_NAMES, PlayerView

Points = tuple[Point, ...]


_LEAF = ((0.0, 0.0), (0.32, -0.18), (0.42, -0.52), (0.1, -0.34))
_NAMES = dict(zip(COLOURS, COLOUR_NAMES, strict=True))


def colour_icon(
    letter: str, at: Point, radius: float, ink: str, ground: str, drawn: bool = False
) -> Iterator[Shape]:
    """Yields the icon of a colour of hexes (T1.1): in one ink, or `drawn` in its own colours."""
    if letter == "A":
        yield from _ear(at, radius, _WHEAT if drawn else ink)
    else:
        yield from icons.landmark(_NAMES[letter], at, radius, ink, ground, drawn)


def _ear(at: Point, radius: float, ink: str) -> Iterator[Shape]:
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


def crop_icon(letter: str, at: Point, radius: float) -> Iterator[Shape]:
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


def token_icon(name: str, at: Point, radius: float, ink: str, light: str) -> Iterator[Shape]:
    """Yields what a bonus tile is for: a card, a storage space, marble, a worker or a yield."""
    paint = Paint(fill=light, stroke=ink, width=radius * 0.12)
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
    "card": ((-0.55, -0.85), (0.55, -0.85), (0.55, 0.85), (-0.55, 0.85)),
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


#: Corners of a flat-topped hex from the east, clockwise, in units of its radius.
_CORNERS = tuple((math.cos(math.radians(60 * i)), math.sin(math.radians(60 * i))) for i in range(6))
HALF = math.sqrt(3) / 2  # of a hex's height, in units of its radius
_MOST_HALVES = 10  # height of the tallest region, in half hexes (M1)
_ONE_BOARD = places(0)[:BOARD_CELLS]
_LAYOUTS = {layout.text: layout for layout in LAYOUTS}


def corners(at: Point, radius: float) -> tuple[Point, ...]:
    """Returns the corners of a flat-topped hex."""
    return transformed(_CORNERS, at, radius)


def tile_color(letter: str, theme: Theme) -> str:
    """Returns the colour of a tile by its letter, one of `COLOURS`."""
    return theme.tiles[COLOURS.index(letter)]


def printed_icon(letter: str, name: str, at: Point, radius: float, theme: Theme) -> Iterator[Shape]:
    """Yields what is printed on a hex: the icon of its colour and its name."""
    color = tile_color(letter, theme)
    up = radius * 0.1 if name else 0.0
    ink, ground = mixed(color, theme.ink, 0.42), mixed(color, theme.panel, 0.5)
    yield from colour_icon(letter, (at[0], at[1] - up), radius * 0.42, ink, ground)
    if name:
        below = at[0], at[1] + radius * 0.71
        yield Label(name, below, radius * 0.29, mixed(color, theme.ink, 0.75))


def tile(kind: str, at: Point, radius: float, theme: Theme, crops: str = "") -> Iterator[Shape]:
    """Yields a tile by its colour and `crops`, if its name lacks them, or a wooden hexagon."""
    if kind == "hexagon":
        yield from wooden_hexagon(at, radius * 0.8, theme)
        return
    color, crops = tile_color(kind[0], theme), crops or kind[1:]
    yield from hex_piece(at, radius * 0.93, color)
    apart = radius * 0.33 * (len(crops) > 1)
    for i, letter in enumerate(crops):
        x = at[0] + (2 * i - 1) * apart
        yield from crop_icon(letter, (x, at[1]), radius * (0.34 if apart else 0.5))
    if not crops:
        yield from colour_icon(kind[0], at, radius * 0.56, ink_on(color), color, drawn=True)


def hex_piece(at: Point, radius: float, color: str) -> Iterator[Shape]:
    """Yields a thick hex: the light comes from above."""
    up = at[0], at[1] - radius * 0.03
    yield from raised(corners(up, radius), color, radius * 0.1)
    around = corners(up, radius * 0.88)
    light = Paint(stroke=mixed(color, "#ffffff", 0.55), width=radius * 0.05)
    yield Line((*around[3:], around[0]), light)


def wooden_hexagon(at: Point, radius: float, theme: Theme) -> Iterator[Shape]:
    """Yields a wooden hexagon: the grain of its wood tells it from every tile."""
    yield from hex_piece(at, radius, theme.wood)
    dark = mixed(theme.wood, "#000000", 0.45)
    for y in (-0.45, -0.15, 0.15, 0.45):
        grain = (-0.55, y), (-0.15, y + 0.08), (0.2, y - 0.06), (0.55, y + 0.03)
        yield Line(transformed(grain, at, radius), Paint(stroke=dark, width=radius * 0.055))


def hex_slot(at: Point, radius: float, color: str) -> Iterator[Shape]:
    """Yields an empty place for a tile, cut into a board of a colour."""
    yield from sunk(corners(at, radius), mixed(color, "#000000", 0.32))


def card(letter: str, at: Point, height: float, theme: Theme) -> Iterator[Shape]:
    """Yields a region card from its centre; "" for its back."""
    color = tile_color(letter, theme) if letter else "#7a2f33"
    yield from playing_card(at, height, color, back=not letter)
    if letter:
        light = mixed(color, "#ffffff", 0.72)
        yield Circle(at, height * 0.26, Paint(fill=light))
        yield from colour_icon(letter, at, height * 0.2, _DARK, light, drawn=True)


def board_size(radius: float) -> tuple[float, float]:
    xs, ys = zip(*_ONE_BOARD, strict=True)
    return radius * (2 + 1.5 * max(xs)), HALF * radius * (2 + max(ys))


@dataclass(frozen=True)
class RegionPlaces:
    """Where the hexes of a region lie."""

    centers: tuple[Point, ...]  #: of every cell, in pixels, [30]
    radius: float  #: of a hex

    @classmethod
    def of(cls, layout: str, left: float, top: float, radius: float) -> RegionPlaces:
        """Returns the places of a layout, in the middle of the room that any layout needs."""
        at = places(_LAYOUTS[layout].joints)
        heights = [y for _, y in at]
        spare = (_MOST_HALVES - (max(heights) - min(heights) + 2)) / 2
        down = spare + 1 - min(heights)
        half = HALF * radius
        centers = ((left + radius * (1 + 1.5 * x), top + half * (y + down)) for x, y in at)
        return cls(tuple(centers), radius)

    @staticmethod
    def size(radius: float) -> tuple[float, float]:
        """Returns the width and height that any layout needs."""
        return 14 * radius, _MOST_HALVES * HALF * radius

    def outline(self, board: int) -> tuple[Point, ...]:
        """Returns the corners around one of the three boards, clockwise."""
        sides: dict[tuple[int, int], tuple[Point, Point]] = {}
        for at in self.centers[board * BOARD_CELLS : (board + 1) * BOARD_CELLS]:
            around = corners(at, self.radius)
            for start, end in zip(around, (*around[1:], around[0]), strict=True):
                middle = round(start[0] + end[0]), round(start[1] + end[1])
                if sides.pop(middle, None) is None:  # a side of two hexes lies inside
                    sides[middle] = start, end
        left = [*sides.values()]
        line = [left.pop()[1]]
        while left:
            left.sort(key=lambda side: math.dist(side[0], line[-1]), reverse=True)
            line.append(left.pop()[1])
        return tuple(line)


def region(
    player: PlayerView, at: RegionPlaces, pending: str | None, theme: Theme, names: bool
) -> Iterator[Shape]:
    """Yields a region with what lies on it; `pending` is the cell that is being covered."""
    crops, wooden = dict(player.crops), set(player.wooden)
    cells = sorted(zip(player.region, CELL_NAMES, at.centers, strict=True))
    outlines = [at.outline(board) for board in range(3)]
    for line in outlines:
        yield Polygon(translated(line, (2, 6)), Paint(fill=mixed(theme.board, "#000000", 0.5)))
    for letter, _, center in cells:
        color = tile_color(letter.upper(), theme)
        printed = mixed(color, theme.panel, 0.5) if letter.isupper() else color
        paint = Paint(fill=printed, stroke=theme.hex_line, width=1.2)
        yield Polygon(corners(center, at.radius), paint)
    empty = [cell for cell in cells if cell[0].isupper()]
    yield from _in_turn(
        printed_icon(letter, name if names else "", center, at.radius, theme)
        for letter, name, center in empty
    )
    for line in outlines:
        yield Polygon(line, Paint(stroke=theme.region_border, width=2.4))
    laid = cells[len(empty) :]
    tiles = [cell for cell in laid if cell[1] not in wooden]
    yield from _in_turn(
        tile(letter.upper(), center, at.radius, theme, crops.get(name, ""))
        for letter, name, center in tiles
    )
    for letter, _, center in (cell for cell in laid if cell not in tiles):
        yield from hex_piece(center, at.radius * 0.93, tile_color(letter.upper(), theme))
        yield from wooden_hexagon(center, at.radius * 0.64, theme)
    if pending is not None:
        center = at.centers[CELL_NAMES.index(pending)]
        for color, width in ((theme.on_mark, 8.0), (theme.mark, 5.0)):
            yield Polygon(corners(center, at.radius * 0.9), Paint(stroke=color, width=width))


def _in_turn(pieces: Iterable[Iterable[Shape]]) -> Iterator[Shape]:
    """Yields the first shapes of all pieces, then the second: pages draw equal ones as one."""
    for shapes in zip_longest(*pieces):
        yield from filter(None, shapes)


def printed_board(
    edition: Edition, name: str, left: float, top: float, radius: float, theme: Theme
) -> Iterator[Shape]:
    """Yields a board as it is printed, with its name and the numbers of its hexes (M2)."""
    yield Label(
        name, (left + radius * 0.5, top + radius * 0.6), radius * 0.6, theme.frame, bold=True
    )
    colours = edition.boards[BOARD_NAMES.index(name)]
    for number, (colour, (x, y)) in enumerate(zip(colours, _ONE_BOARD, strict=True), start=1):
        center = left + radius * (1 + 1.5 * x), top + HALF * radius * (y + 1)
        ground = mixed(tile_color(COLOURS[colour], theme), theme.panel, 0.5)
        paint = Paint(fill=ground, stroke=theme.hex_line, width=1.2)
        yield Polygon(corners(center, radius), paint)
        yield from printed_icon(COLOURS[colour], str(number), center, radius, theme)
