"""A player's panel: points, region, hand, storage, tokens and bonus tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, cast

from gonzaga_env.render.palette import Theme, mixed, nth
from gonzaga_env.render.panels import INSET, bar, by_parts, ground, head, kept, kept_layer
from gonzaga_env.render.shapes import (
    Label,
    Layer,
    Paint,
    Point,
    Polygon,
    Shape,
    box,
)
from gonzaga_env.render.tuscany import icons
from gonzaga_env.render.tuscany.pieces import (
    RegionPlaces,
    card,
    corners,
    printed_board,
    region,
    tile,
)
from gonzaga_env.tuscany.constants import BONUS_TYPES, COLOURS, NUM_ROUNDS, STACK_SIZE
from gonzaga_env.tuscany.edition import Edition
from gonzaga_env.tuscany.view import GameView, PlayerView

RADIUS = 39.0  # of a region's hexes
BOARD_RADIUS = 0.9 * RADIUS  # of those of boards that are not joined yet
STRIP_HEIGHT = 106.0
WIDTH, HEIGHT = 950.0, STRIP_HEIGHT + RegionPlaces.size(RADIUS)[1] + 34
SIDE, SIDE_HEIGHT = 346.0, 350.0  # of what lies beside the region
_TEXT = 17.0
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
    edition: Edition, view: GameView, seat: int, at: Point, theme: Theme, names: bool
) -> Iterator[Layer]:
    """Yields the panel of a player, `WIDTH` by `HEIGHT` (arguments: `pieces.region`)."""
    player, (left, top) = view.players[seat], at
    paper = ground(view, seat, at, (WIDTH, HEIGHT), theme)
    yield kept((*paper, *strip(view, seat, at, WIDTH, theme)))
    x, y = left + INSET, top + STRIP_HEIGHT
    pending = view.cell if view.to_act == seat else None
    laid = region_of(player)
    yield kept_layer(player_region, edition, laid, pending, (x, y), theme, names)
    yield kept_layer(holdings, held_by(player), left + WIDTH - INSET - SIDE, y, theme)


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
    return RegionPlaces.of(player.layout, at[0] + INSET, at[1] + STRIP_HEIGHT, RADIUS)


def player_region(
    edition: Edition, player: PlayerView, pending: str | None, at: Point, theme: Theme, names: bool
) -> Iterator[Shape]:
    """Yields a player's region, or the boards that are not joined yet, if they are known."""
    x, y = at
    if player.layout:
        places = RegionPlaces.of(player.layout, x, y, RADIUS)
        yield from region(player, places, pending, theme, names)
    for i, name in enumerate(() if player.layout else player.boards):  # not joined yet (T2.4)
        yield from printed_board(edition, name, *board_place(i, x, y), BOARD_RADIUS, theme)
    if not player.boards:
        middle = x + 7 * RADIUS, y + RegionPlaces.size(RADIUS)[1] / 2
        yield Label("boards hidden until all are joined", middle, 20, theme.muted, italic=True)


def board_place(i: int, x: float, y: float) -> Point:
    """Returns the corner of a board that is not joined yet, in a region that begins at a point."""
    return x + 183 * i, y + 34


def holdings(player: PlayerView, x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Yields what a player holds, beside the region."""
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
    """Returns the centre of a colour of the hand, in holdings that begin at a point."""
    return x + 18 + 43 * i, y + 48


def storage_place(i: int, x: float, y: float) -> Point:
    """Returns the centre of a storage space, in holdings that begin at a point."""
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
    """Yields marble and workers with their numbers."""
    for i, (name, number) in enumerate((("marble", player.marble), ("worker", player.workers))):
        at = x + 18 + 68 * i
        yield Label(name if name == "marble" else "workers", (at, y + 12), _TEXT * 0.9, theme.muted)
        light, ink = theme.on_piece if number else theme.panel, theme.ink
        yield from icons.token(name, (at - 10, y + 38), 15, ink if number else theme.line, light)
        yield Label(str(number), (at + 16, y + 46), 22, theme.ink, bold=True)


def bonus_tiles(numbers: tuple[int, ...], x: float, y: float, theme: Theme) -> Iterator[Shape]:
    """Yields a square for each type of bonus tile, with its number; pale where there is none."""
    for i, (name, number) in enumerate(zip(BONUS_TYPES, numbers, strict=True)):
        left = x + 69 * i
        fill = mixed(theme.frame, theme.panel, 0.55 if number else 0.9)
        yield box(left, y, left + 62, y + 36, Paint(fill=fill, stroke=theme.line, width=1.4))
        ink = theme.ink if number else theme.line
        yield from icons.token(name, (left + 19, y + 18), 13, ink, theme.panel)
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
