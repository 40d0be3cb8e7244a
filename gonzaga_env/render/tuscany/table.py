"""The table and the players' panels: what lies on each, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import count
from typing import Any, cast

from gonzaga_env.kernel.sentences import third_person
from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import Theme, ink_on, mixed, nth
from gonzaga_env.render.panels import (
    INSET,
    bar,
    by_parts,
    cached_layer,
    drawn_layer,
    ground,
    head,
    key,
    part_title,
    turns,
    viewer_words,
)
from gonzaga_env.render.shapes import Label, Layer, Line, Paint, Point, Polygon, Shape, box, fitted
from gonzaga_env.render.tuscany.pieces import (
    RegionPlaces,
    card,
    colour_icon,
    corners,
    printed_board,
    region,
    tile,
    tile_color,
    token_icon,
)
from gonzaga_env.tuscany.constants import BONUS_TYPES, COLOURS, DISPLAY_SIZE, NUM_ROUNDS, STACK_SIZE
from gonzaga_env.tuscany.edition import Edition
from gonzaga_env.tuscany.view import (
    COLOUR_NAMES,
    GameView,
    PlayerView,
    action_words,
    end_words,
    stage_words,
)

TABLE_WIDTH = 470.0
_TEXT, _LANE = 17.0, 19.0
TILE_RADIUS = 47.0  # of the tiles on display
_LEAST_TRACK = 50  # points, the length of the printed track


def table_height(num_players: int) -> float:
    """Returns the height of what `table` draws."""
    return 792.0 + 2 * (num_players * _LANE + 34)


def table(
    edition: Edition, view: GameView, at: Point, height: float, theme: Theme
) -> Iterator[Layer]:
    """Yields the table; what is more than `table_height` goes between its parts."""
    left, y = at
    gap, track = ((height - table_height(len(view.players))) / 6, len(view.players) * _LANE + 34)
    yield Layer(tuple(_head(view, left, y, theme)))
    yield drawn_layer(display, view.display, left, y := y + 182 + gap, theme)
    yield drawn_layer(piles, pile_words(view), left, y := y + 206 + gap, theme)
    yield drawn_layer(stock, view.bonus_stock, left, y := y + 104 + gap, theme)
    green, red = (tuple(getattr(p, name) for p in view.players) for name in ("green", "red"))
    yield drawn_layer(_track, "green", green, theme.green, left, y := y + 98 + gap, theme)
    yield drawn_layer(_track, "red", red, theme.red, left, y := y + track, theme)
    y += track + 8 + gap
    yield drawn_layer(colours, view.colour_points, finishers(view), left, y, theme)
    yield drawn_layer(key, PARTS, (left, y + 162 + gap), 158, 3, theme)


def _head(view: GameView, left: float, top: float, theme: Theme) -> Iterator[Shape]:
    stage, end = stage_words(view), end_words(view)
    yield Label(stage, (left, top + 26), 28, theme.frame, bold=True, anchor="start").within(
        TABLE_WIDTH
    )
    yield Label(end, (left, top + 56), 19, theme.ink, anchor="start").within(300)
    right = left + TABLE_WIDTH
    yield Label(viewer_words(view), (right, top + 56), 15, theme.muted, italic=True, anchor="end")
    over = view.to_act is None
    shown = [player.seat for player in view.players if player.won or not over]
    name = "won by" if over else "turn"
    yield Label(name, (left, top + 96), _TEXT, theme.muted, anchor="start")
    yield from turns(shown, view.to_act, (left + 96, top + 90), theme, arrows=False)
    if view.second_action:
        yield Label("second action", (right, top + 96), 15, theme.muted, italic=True, anchor="end")
    yield Label("last", (left, top + 138), _TEXT, theme.muted, anchor="start")
    if view.last is not None:
        yield from crest(view.last.seat, (left + 96, top + 132), 12, theme)
        words = third_person(action_words(view.last.action, view))
        size = fitted(words, _TEXT, TABLE_WIDTH - 120)
        yield Label(words, (left + 120, top + 138), size, theme.ink, anchor="start")


def display_place(i: int, left: float, top: float) -> Point:
    return left + 60 + 117 * (i % 4), top + 54 + 88 * (i // 4)


def display(tiles: tuple[str, ...], left: float, top: float, theme: Theme) -> Iterator[Shape]:
    yield part_title("display", (left, top), theme)
    for i in range(DISPLAY_SIZE):
        at = display_place(i, left, top)
        if i < len(tiles):
            yield from tile(tiles[i], at, TILE_RADIUS, theme)
        else:
            paint = Paint(stroke=theme.muted, width=1.4, dash=(5, 5))
            yield Polygon(corners(at, TILE_RADIUS * 0.9), paint)


def pile_words(view: GameView) -> tuple[tuple[str, str], ...]:
    """Returns the names of the piles, with what is left of them."""
    aside = [f"{view.aside.count(kind)} {kind}" for kind in dict.fromkeys(view.aside)]
    return (
        ("region cards", f"{view.deck} face down, {view.discards} discarded"),
        ("yield cards", f"{view.yields} face down"),
        ("neutral tiles", f"{view.neutral} face down; set aside: {', '.join(aside) or 'none'}"),
    )


def piles(
    words: tuple[tuple[str, str], ...], left: float, top: float, theme: Theme
) -> Iterator[Shape]:
    """Yields the piles (`pile_words`), a line each."""
    for i, (name, text) in enumerate(words):
        y = top + 12 + 25 * i
        yield Label(name, (left, y), _TEXT, theme.muted, anchor="start")
        yield Label(text, (left + 130, y), _TEXT, theme.ink, anchor="start").within(
            TABLE_WIDTH - 130
        )


def stock(numbers: tuple[int, ...], left: float, top: float, theme: Theme) -> Iterator[Shape]:
    yield part_title("bonus tiles in stock", (left, top), theme)
    yield from bonus_tiles(numbers, left, top + 14, theme)


def _track(
    name: str, points: tuple[int, ...], color: str, left: float, top: float, theme: Theme
) -> Iterator[Shape]:
    """Yields a track as lanes, one for each player, with the crest where the marker is."""
    length = next(n for n in count(_LEAST_TRACK, 10) if n >= max(points))
    scale = (TABLE_WIDTH - 116) / length
    start, bottom = left + 80, top + len(points) * _LANE
    yield part_title(name, (left, top + 14), theme)
    for tens in range(0, length + 1, 10):
        x = start + tens * scale
        yield Line(((x, top - 2), (x, bottom)), Paint(stroke=theme.line, width=1.2))
        if length <= 80 or tens % 20 == 0:
            yield Label(str(tens), (x, bottom + 15), 13.5, theme.muted)
    for seat, value in enumerate(points):
        x, y = start + value * scale, top + _LANE * (seat + 0.5)
        yield box(start, y - 4, x, y + 4, Paint(fill=color))
        yield from crest(seat, (x, y), 9, theme)
        yield Label(str(value), (x + 13, y + 6), 15, theme.ink, bold=True, anchor="start")


def finishers(view: GameView) -> tuple[tuple[int, ...], ...]:
    """Returns the seats that have completed each colour (T7.2)."""
    return tuple(
        tuple(p.seat for p in view.players if p.region and letter not in p.region)
        for letter in COLOURS
    )


def colours(
    bonus: tuple[tuple[int, int], ...],
    done: tuple[tuple[int, ...], ...],
    left: float,
    top: float,
    theme: Theme,
) -> Iterator[Shape]:
    """Yields the key of colours, with the points for who completes them and who has (T7.2)."""
    for i, (letter, name) in enumerate(zip(COLOURS, COLOUR_NAMES, strict=True)):
        x, y = left + 238 * (i // 4), top + 14 + 34 * (i % 4)
        color = tile_color(letter, theme)
        at = x + 15, y
        yield Polygon(corners(at, 15), Paint(fill=color, stroke=theme.hex_line, width=1.2))
        yield from colour_icon(letter, at, 8.5, ink_on(color), color)
        yield Label(letter, (x + 38, y + 6), _TEXT, theme.ink, bold=True, anchor="start")
        yield Label(name, (x + 64, y + 6), _TEXT, theme.ink, anchor="start")
        for k, seat in enumerate(done[i]):
            yield from crest(seat, (x + 190 - 17 * k, y), 8, theme)
        left_over = bonus[i][len(done[i]) :]
        text = "/".join(map(str, left_over)) or "-"
        yield Label(text, (x + 226, y + 6), _TEXT, theme.muted, anchor="end")


HEX_RADIUS = 39.0  # of a region's hexes
BOARD_RADIUS = 0.9 * HEX_RADIUS  # of those of boards that are not joined yet
STRIP_HEIGHT = 106.0
PANEL_WIDTH, PANEL_HEIGHT = 950.0, STRIP_HEIGHT + RegionPlaces.size(HEX_RADIUS)[1] + 34
SIDE, SIDE_HEIGHT = 346.0, 350.0  # of what lies beside the region
#: Red points as the bar shows them: the first source of each part, and its name.
PARTS = ("round 1", "round 2", "round 3", "yields", "full storage", "end")
STARTS = (5, 6, 7, 8, 9, 10, 15)


def strip(view: GameView, seat: int, at: Point, width: float, theme: Theme) -> Iterator[Shape]:
    """Yields crest, name and points of a player, and the red points by source."""
    player, x, y = view.players[seat], at[0] + INSET, at[1] + 44
    inner = width - 2 * INSET
    note = "winner" if player.won else "starts" if seat == view.start else ""
    yield from head(player, note, (x, y), inner, 240, theme)
    for text, color, end in (
        (f"red {player.red}", theme.red, x + inner),
        (f"green {player.green}", theme.green, x + inner - 112),
    ):
        yield Label(text, (end, y), 25, color, bold=True, anchor="end")
    yield from bar(view, by_parts(player.scores, STARTS), (x, at[1] + 66), inner, theme)


def player_panel(
    edition: Edition,
    view: GameView,
    seat: int,
    at: Point,
    theme: Theme,
    show_coordinates: bool = True,
) -> Iterator[Layer]:
    """Yields the panel of a player (arguments: `pieces.region`)."""
    player, (left, top) = view.players[seat], at
    paper = ground(view, seat, at, (PANEL_WIDTH, PANEL_HEIGHT), theme)
    yield cached_layer((*paper, *strip(view, seat, at, PANEL_WIDTH, theme)))
    x, y = left + INSET, top + STRIP_HEIGHT
    pending = view.cell if view.to_act == seat else None
    laid = region_of(player)
    yield drawn_layer(player_region, edition, laid, pending, (x, y), theme, show_coordinates)
    yield drawn_layer(holdings, held_by(player), left + PANEL_WIDTH - INSET - SIDE, y, theme)


def region_of(player: PlayerView) -> PlayerView:
    """Returns of a player what `player_region` draws: equal pictures have equal values."""
    return _only(player, ("boards", "layout", "region", "wooden", "crops"))


def held_by(player: PlayerView) -> PlayerView:
    """Returns of a player what `holdings` draws."""
    held = "hand", "hand_size", "storage", "space", "marble", "workers", "bonus", "turned"
    return _only(player, ("seat", "boards", "layout", *held))


def _only(player: PlayerView, names: tuple[str, ...]) -> PlayerView:
    unknown = {field.name: None for field in fields(player) if field.name not in names}
    return replace(player, **cast(dict[str, Any], unknown))


def region_places(player: PlayerView, at: Point) -> RegionPlaces:
    """Returns where the hexes of a player's region lie in the panel at a point."""
    return RegionPlaces.of(player.layout, at[0] + INSET, at[1] + STRIP_HEIGHT, HEX_RADIUS)


def player_region(
    edition: Edition, player: PlayerView, pending: str | None, at: Point, theme: Theme, names: bool
) -> Iterator[Shape]:
    """Yields a player's region, or the boards that are not joined yet, if they are known."""
    x, y = at
    if player.layout:
        places = RegionPlaces.of(player.layout, x, y, HEX_RADIUS)
        yield from region(player, places, pending, theme, names)
    for i, name in enumerate(() if player.layout else player.boards):  # not joined yet (T2.4)
        yield from printed_board(edition, name, *board_place(i, x, y), BOARD_RADIUS, theme)
    if not player.boards:
        middle = x + 7 * HEX_RADIUS, y + RegionPlaces.size(HEX_RADIUS)[1] / 2
        yield Label("boards hidden until all are joined", middle, 20, theme.muted, italic=True)


def board_place(i: int, x: float, y: float) -> Point:
    """Returns the corner of a board that is not joined yet, in a region that begins at a point."""
    return x + 183 * i, y + 34


def holdings(player: PlayerView, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    number = f"{player.hand_size} card{'s' * (player.hand_size != 1)}"
    hand = number if player.hand is not None else f"{number}, hidden"
    storage = f"storage, {len(player.storage)} of {player.space}"
    texts = (hand, 0.0), (storage, 104.0), ("bonus tiles", 194.0), ("own stacks", 292.0)
    for text, down in texts:
        yield Label(text, (x, y + down + 12), _TEXT, theme.muted, anchor="start")
    yield from _hand(player, x, y + 48, theme)
    yield from _storage(player, x, y, theme)
    yield from _tokens(player, x + 216, y + 104, theme)
    yield from bonus_tiles(player.bonus, x, y + 216, theme)
    yield from _stacks(player, x + 118, y + 298, theme)
    if player.layout:
        text = f"boards {' '.join(player.boards)}, joined as {player.layout}"
        yield Label(text, (x, y + 342), 14, theme.muted, anchor="start")


def _hand(player: PlayerView, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Yields a hand, one card a colour with its number; backs if it is not known."""
    if player.hand is None:
        step = min(26.0, (SIDE - 40) / max(1, player.hand_size))
        for i in range(player.hand_size):
            yield from card("", (x + 18 + step * i, y), 50, theme)
        return
    held = [letter for letter in COLOURS if letter in player.hand]
    for i, letter in enumerate(held):
        at = card_place(i, x, y - 48)
        yield from card(letter, at, 50, theme)
        count = str(player.hand.count(letter))
        yield Label(count, (at[0], y + 42), 17, theme.ink, bold=True)


def card_place(i: int, x: float, y: float) -> Point:
    return x + 18 + 43 * i, y + 48


def storage_place(i: int, x: float, y: float) -> Point:
    return x + 21 + 44 * i, y + 144


def _storage(player: PlayerView, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    for i in range(player.space):
        at = storage_place(i, x, y)
        if i < len(player.storage):
            yield from tile(player.storage[i], at, 23, theme)
        else:
            paint = Paint(fill=theme.paper, stroke=theme.muted, width=1.4, dash=(4, 4))
            yield Polygon(corners(at, 20), paint)


def _tokens(player: PlayerView, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    for i, (name, number) in enumerate((("marble", player.marble), ("worker", player.workers))):
        at = x + 18 + 68 * i
        yield Label(name if name == "marble" else "workers", (at, y + 12), _TEXT * 0.9, theme.muted)
        light, ink = theme.on_piece if number else theme.panel, theme.ink
        yield from token_icon(name, (at - 10, y + 38), 15, ink if number else theme.line, light)
        yield Label(str(number), (at + 16, y + 46), 22, theme.ink, bold=True)


def bonus_tiles(numbers: tuple[int, ...], x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Yields a square for each type of bonus tile, with its number; pale where there is none."""
    for i, (name, number) in enumerate(zip(BONUS_TYPES, numbers, strict=True)):
        left = x + 69 * i
        fill = mixed(theme.frame, theme.panel, 0.55 if number else 0.9)
        yield box(left, y, left + 62, y + 36, Paint(fill=fill, stroke=theme.line, width=1.4))
        ink = theme.ink if number else theme.line
        yield from token_icon(name, (left + 19, y + 18), 13, ink, theme.panel)
        yield Label(str(number), (left + 46, y + 25), 20, ink, bold=True)
        yield Label(name, (left + 31, y + 53), 13.5, theme.muted)


def _stacks(player: PlayerView, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Yields the three stacks of own tiles, with what is left of each (T5.3)."""
    for i in range(NUM_ROUNDS):
        rest = STACK_SIZE - min(max(player.turned - STACK_SIZE * i, 0), STACK_SIZE)
        at = x + 22 + 74 * i
        paint = Paint(
            fill=nth(theme.players, player.seat) if rest else theme.paper,
            stroke=theme.muted,
            width=1.4,
            dash=() if rest else (4, 4),
        )
        yield Polygon(corners((at, y), 20), paint)
        if rest:
            yield Label(str(rest), (at, y + 7), 20, theme.on_piece, bold=True)
