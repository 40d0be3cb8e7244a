"""The table and the players' panels: what lies on each, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any, cast

from gonzaga_env.render.boards import (
    count,
    pile,
    plank,
    playing_card,
    raised,
    rounded,
    sunk,
    tray,
)
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
    table_head,
)
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Layer,
    Paint,
    Point,
    Polygon,
    Shape,
)
from gonzaga_env.render.tuscany.pieces import (
    RegionPlaces,
    card,
    colour_icon,
    corners,
    hex_piece,
    hex_slot,
    printed_board,
    region,
    tile,
    tile_color,
    token_icon,
)
from gonzaga_env.tuscany.board import CELL_NAMES
from gonzaga_env.tuscany.constants import BONUS_TYPES, COLOURS, DISPLAY_SIZE, NUM_ROUNDS, STACK_SIZE
from gonzaga_env.tuscany.edition import Edition
from gonzaga_env.tuscany.view import (
    GameView,
    PlayerView,
    action_words,
    end_words,
    stage_words,
)

DISPLAY_WIDTH, DISPLAY_HEIGHT = 400.0, 188.0
SUPPLY_WIDTH, COLOURS_HEIGHT = 252.0, 84.0
TABLE_WIDTH = DISPLAY_WIDTH + 8 + SUPPLY_WIDTH
TILE_RADIUS = 43.0  # of the tiles on display


TABLE_HEIGHT = 156 + DISPLAY_HEIGHT + COLOURS_HEIGHT + 100


def table(
    edition: Edition, view: GameView, at: Point, height: float, theme: Theme
) -> Iterator[Layer]:
    """Yields the table; what is more than `TABLE_HEIGHT` goes between its parts."""
    (left, y), seats = at, len(view.players)
    gap = min(40.0, (height - TABLE_HEIGHT) / 3)
    order = [(view.start + i) % seats for i in range(seats)]
    last = "" if view.last is None else action_words(view.last.action, view)
    note = end_words(view) + "; second action" * view.second_action
    head = table_head(view, stage_words(view), note, order, last, at, TABLE_WIDTH, theme)
    yield Layer(tuple(head))
    y += 156 + gap
    yield drawn_layer(display, view.display, left, y, theme)
    beside = left + DISPLAY_WIDTH + 8
    yield drawn_layer(supply, piles(view), view.bonus_stock, beside, y, theme)
    y += DISPLAY_HEIGHT + 14 + gap
    yield drawn_layer(colours, view.colour_points, finishers(view), left, y, theme)
    yield drawn_layer(key, PARTS, (left, y + COLOURS_HEIGHT + 36 + gap), 200, 3, theme)


def display_place(i: int, left: float, top: float) -> Point:
    return left + 53 + 98 * (i % 4), top + 50 + 86 * (i // 4)


def display(tiles: tuple[str, ...], left: float, top: float, theme: Theme) -> Iterator[Shape]:
    """Yields the market: a board with a slot for each tile (T2.4)."""
    yield from plank(left, top, left + DISPLAY_WIDTH, top + DISPLAY_HEIGHT, theme.board)
    for i in range(DISPLAY_SIZE):
        at = display_place(i, left, top)
        if i < len(tiles):
            yield from tile(tiles[i], at, TILE_RADIUS, theme)
        else:
            yield from hex_slot(at, TILE_RADIUS, theme.board)


def pile_words(view: GameView) -> tuple[tuple[str, str], ...]:
    """Returns the names of the piles, with what is left of them."""
    aside = [f"{view.aside.count(kind)} {kind}" for kind in dict.fromkeys(view.aside)]
    return (
        ("region cards", f"{view.deck} face down, {view.discards} discarded"),
        ("yield cards", f"{view.yields} face down"),
        ("neutral tiles", f"{view.neutral} face down; set aside: {', '.join(aside) or 'none'}"),
    )


def piles(view: GameView) -> tuple[int, int, int, int]:
    """Returns how many region cards, yield cards, neutral tiles and tiles set aside there are."""
    return view.deck, view.yields, view.neutral, len(view.aside)


def pile_place(i: int, left: float, top: float) -> Point:
    return left + 40 + 57 * i, top + 58


def supply(
    numbers: tuple[int, ...], stock: tuple[int, ...], left: float, top: float, theme: Theme
) -> Iterator[Shape]:
    """Yields the piles (`piles`) and the bonus tiles that are left (T8.2)."""
    yield from plank(left, top, left + SUPPLY_WIDTH, top + DISPLAY_HEIGHT, theme.board)
    yield from tray(left + 8, top + 9, left + SUPPLY_WIDTH - 8, top + 108, theme.board)
    ink = ink_on(mixed(theme.board, "#000000", 0.2))
    for i, (number, name) in enumerate(
        zip(numbers, ("cards", "yields", "tiles", "aside"), strict=True)
    ):
        at = pile_place(i, left, top)
        draw = (_region_back, _yield_back, _tile_back, _tile_back)[i]
        yield from pile(partial(draw, theme=theme), number, at)
        if number:
            yield from count(str(number), (at[0] + 15, at[1] + 24), 12)
        yield Label(name, (at[0], top + 24), 13, ink)
    yield from bonus_tiles(stock, left + 8, top + 116, theme)


def _region_back(at: Point, theme: Theme) -> Iterator[Shape]:
    return card("", at, 56, theme)


def _yield_back(at: Point, theme: Theme) -> Iterator[Shape]:
    yield from playing_card(at, 56, "#2f5a4a", back=True)


def _tile_back(at: Point, theme: Theme) -> Iterator[Shape]:
    yield from hex_piece(at, 23, mixed(theme.frame, theme.panel, 0.3))


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
    """Yields a hex of each colour with the points for who completes it, and who has (T7.2)."""
    yield from plank(left, top, left + TABLE_WIDTH, top + COLOURS_HEIGHT, theme.board)
    for i, letter in enumerate(COLOURS):
        x, y = left + 8 + 81 * i, top + 42
        color = tile_color(letter, theme)
        yield from hex_piece((x + 25, y), 23, color)
        yield from colour_icon(letter, (x + 25, y), 14, ink_on(color), color, drawn=True)
        for k, points in enumerate(bonus[i]):
            at = x + 60, y - 15 + 30 * k
            if k < len(done[i]):
                yield from crest(done[i][k], at, 11, theme)
            else:
                yield Circle(at, 12, Paint(fill=theme.green, stroke="#f7efdc", width=1.6))
                yield Label(str(points), (at[0], at[1] + 5.5), 16, theme.on_source, bold=True)


HEX_RADIUS = 39.0  # of a region's hexes
BOARD_RADIUS = 0.9 * HEX_RADIUS  # of those of boards that are not joined yet
STRIP_HEIGHT = 106.0
HELD_WIDTH, HELD_HEIGHT = 574.0, 184.0  # of what lies below the region
FRAME = 14.0  # of wood around a region
_REGION_WIDTH, _REGION_HEIGHT = RegionPlaces.size(HEX_RADIUS)
BOARD_SIZE = _REGION_WIDTH + 2 * FRAME, _REGION_HEIGHT + 2 * FRAME  # of `player_region`
PANEL_WIDTH = HELD_WIDTH + 2 * INSET
PANEL_HEIGHT = STRIP_HEIGHT + BOARD_SIZE[1] + HELD_HEIGHT + 30
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
    last = view.last
    pending = view.cell if view.to_act == seat else None
    laid = region_of(player)
    yield drawn_layer(player_region, edition, laid, pending, (x, y), theme, show_coordinates)
    yield drawn_layer(holdings, held_by(player), x, y + BOARD_SIZE[1] + 10, theme)
    if last is not None and last.seat == seat:
        yield Layer(tuple(_last_move(player, last.action, (x, y), theme)))


def _last_move(player: PlayerView, action: str, at: Point, theme: Theme) -> Iterator[Shape]:
    """Yields an outline around what the last move has covered or taken."""
    verb, _, what = action.partition(" ")
    around: tuple[Point, ...] = ()
    if verb in ("tile", "hexagon") and player.layout:
        places = RegionPlaces.of(player.layout, at[0] + FRAME, at[1] + FRAME, HEX_RADIUS)
        around = corners(places.centers[CELL_NAMES.index(what)], HEX_RADIUS)
    elif verb == "take" and what in player.storage:
        place = storage_place(player.storage.index(what), at[0], at[1] + BOARD_SIZE[1] + 10)
        around = corners(place, 24)
    for color, width in ((theme.on_mark, 7.0), (theme.mark, 4.0)) if around else ():
        yield Polygon(around, Paint(stroke=color, width=width))


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
    left, top = at[0] + INSET + FRAME, at[1] + STRIP_HEIGHT + FRAME
    return RegionPlaces.of(player.layout, left, top, HEX_RADIUS)


def player_region(
    edition: Edition, player: PlayerView, pending: str | None, at: Point, theme: Theme, names: bool
) -> Iterator[Shape]:
    """Yields a player's region, or the boards that are not joined yet, if they are known."""
    yield from plank(at[0], at[1], at[0] + BOARD_SIZE[0], at[1] + BOARD_SIZE[1], theme.board)
    x, y = at[0] + FRAME, at[1] + FRAME
    if player.layout:
        places = RegionPlaces.of(player.layout, x, y, HEX_RADIUS)
        yield from region(player, places, pending, theme, names)
    for i, name in enumerate(() if player.layout else player.boards):  # not joined yet (T2.4)
        yield from printed_board(edition, name, *board_place(i, x, y), BOARD_RADIUS, theme)
    if not player.boards:
        middle = x + _REGION_WIDTH / 2, y + _REGION_HEIGHT / 2
        yield Label("boards hidden until all are joined", middle, 20, theme.ink, italic=True)


def board_place(i: int, x: float, y: float) -> Point:
    """Returns the corner of a board that is not joined yet, in a region that begins at a point."""
    return x + 183 * i, y + 34


def holdings(player: PlayerView, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Yields trays with cards, storage, marble, workers, bonus tiles and own stacks."""
    wood = theme.board
    yield from plank(x, y, x + HELD_WIDTH, y + HELD_HEIGHT, wood)
    number = f"{player.hand_size} card{'s' * (player.hand_size != 1)}"
    storage = f"storage, {len(player.storage)} of {player.space}"
    for text, (left, top, width, height) in zip(
        (number, storage, "marble", "workers", "own stacks"), TRAYS, strict=True
    ):
        yield from tray(x + left, y + top, x + left + width, y + top + height, wood, text)
    yield from _hand(player, x, y, theme)
    for i in range(player.space):
        at = storage_place(i, x, y)
        if i < len(player.storage):
            yield from tile(player.storage[i], at, 23, theme)
        else:
            yield from hex_slot(at, 22, wood)
    for name, number_, left in (("marble", player.marble, 8), ("worker", player.workers, 92)):
        yield from _tokens(name, number_, x + left, y + 142, theme)
    yield from bonus_tiles(player.bonus, x + 174, y + 108, theme)
    for i in range(NUM_ROUNDS):
        rest = STACK_SIZE - min(max(player.turned - STACK_SIZE * i, 0), STACK_SIZE)
        at = x + 445 + 47 * i, y + 148
        draw = partial(hex_piece, radius=20, color=nth(theme.players, player.seat))
        yield from pile(draw, rest, at, 2) if rest else hex_slot(at, 20, wood)
        if rest:
            yield Label(str(rest), (at[0], at[1] + 6), 17, theme.on_piece, bold=True)


#: Left, top, width and height of the trays of cards, storage, marble, workers and stacks.
TRAYS = (
    *((8.0, 9.0, 336.0, 92.0), (350.0, 9.0, 216.0, 92.0)),
    *((8.0, 108.0, 78.0, 68.0), (92.0, 108.0, 78.0, 68.0), (418.0, 108.0, 148.0, 68.0)),
)


def _hand(player: PlayerView, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Yields a hand, a pile a colour with its number; backs if it is not known."""
    if player.hand is None:
        step = min(26.0, 282 / max(1, player.hand_size - 1))
        for i in range(player.hand_size):
            yield from card("", (x + 34 + step * i, y + 60), 58, theme)
        return
    held = [letter for letter in COLOURS if letter in player.hand]
    for i, letter in enumerate(held):
        number = player.hand.count(letter)
        for k in range(min(number, 4)):  # as many as lie there are seen
            lower = min(number, 4) - 1 - k
            left, top = card_place(i, x, y)
            yield from card(letter, (left + 1.5 * lower, top - 2.5 * lower), 58, theme)
        yield from count(str(number), (left + 12, top + 27), 10.5)


def card_place(i: int, x: float, y: float) -> Point:
    return x + 32 + 41 * i, y + 62


def storage_place(i: int, x: float, y: float) -> Point:
    return x + 375 + 41.5 * i, y + 62


def _tokens(name: str, number: int, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Yields marble or workers as pieces in their tray, with their number."""
    for i in range(min(number, 4)):
        color = "#f4f1ea" if name == "marble" else "#dba55c"
        at = x + 18 + 13 * i, y + (3 if i % 2 else 9)
        yield from token_icon(name, at, 14, "#2b211b", color)
    if number:
        yield from count(str(number), (x + 66, y + 24), 10.5)


def bonus_tiles(numbers: tuple[int, ...], x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Yields a square for each type of bonus tile, with its number; hollow where there is none."""
    for i, (name, number) in enumerate(zip(BONUS_TYPES, numbers, strict=True)):
        left = x + BONUS_STEP * i
        face, ink = mixed(theme.frame, theme.panel, 0.72), ink_on(theme.board)
        around = rounded(left + 2, y + 4, left + 44, y + 46, 5)
        middle = left + 23, y + 25
        if number:
            yield from raised(around, face, 3)
            yield from token_icon(name, middle, 14, ink_on(face), theme.panel)
            yield from count(str(number), (left + 40, y + 43), 9)
        else:
            yield from sunk(around, mixed(theme.board, "#000000", 0.18))
            faint = mixed(theme.board, "#000000", 0.4)
            yield from token_icon(name, middle, 14, faint, mixed(theme.board, "#000000", 0.18))
        yield Label(name, (middle[0], y + 64), 12.5, ink).within(BONUS_STEP - 2)


BONUS_STEP = 48.0  # between two types of bonus tiles
