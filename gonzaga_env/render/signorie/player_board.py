"""The players' boards: columns of helpers, careers and rows of shields, and where they lie."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render.boards import count, plank, raised, round_hollow, rounded, sunk, tray
from gonzaga_env.render.icons import landmark
from gonzaga_env.render.palette import Theme, ink_on, mixed, nth
from gonzaga_env.render.panels import (
    INSET,
    bar,
    by_parts,
    cached_layer,
    drawn_layer,
    ground,
    head,
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
from gonzaga_env.render.signorie.pieces import (
    band,
    coin,
    die,
    effect,
    helper,
    house,
    meeple,
    points,
)
from gonzaga_env.signorie.constants import (
    FEMALE,
    MALE,
    NUM_CAREERS,
    NUM_COLORS,
)
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view import (
    GameView,
    PlayerView,
    RowView,
)

#: VP as the bar shows them: the first source of each part, and its name.
PARTS = ("missions", "marriages", "initiative", "effects", "weddings", "end")
STARTS = (0, 1, 2, 3, 6, 7, 9)
STRIP_HEIGHT = 100.0
PANEL_WIDTH = 1010.0
COLUMN, SLOT = 112.0, 46.0  # width of a column, height of its helper slots
_STEP = COLUMN + 8
_TOP = 54.0  # of the columns, below what the player holds
_SMALL = 16.0
_BRIDE = "#d38fb0"


def columns_height(helpers: int) -> float:
    return 96 + SLOT * helpers


def board_size(edition: Edition) -> Point:
    """Returns width and height of `board`."""
    return PANEL_WIDTH - 2 * INSET, _TOP + columns_height(edition.num_helper_slots) + 118


def panel_size(edition: Edition) -> Point:
    """Returns width and height of `player_panel`."""
    return PANEL_WIDTH, STRIP_HEIGHT + board_size(edition)[1] + 8


def column_place(color: int, at: Point) -> Point:
    return at[0] + 10 + _STEP * color, at[1] + _TOP


def helper_place(slot: int, column: Point) -> tuple[float, float, float, float]:
    """Returns left, top, width and height of a helper slot, from 0, of a column at a point."""
    return column[0] + 4, column[1] + 94 + SLOT * slot, COLUMN - 8, SLOT - 5


def career_place(
    helpers: int, slots: int, career: int, slot: int, at: Point
) -> tuple[float, float, float, float]:
    """Returns left, top, width and height of a career slot, from 1, of a board."""
    width = (PANEL_WIDTH - 2 * INSET - _STEP * NUM_COLORS - 34) / slots
    height = columns_height(helpers) / NUM_CAREERS
    left, top = at[0] + _STEP * NUM_COLORS + 20, at[1] + _TOP + height * career
    return left + width * (slot - 1), top + 20, width - 3, height - 26


def row_place(helpers: int, row: int, at: Point) -> Point:
    top = at[1] + _TOP + columns_height(helpers) + 12
    return at[0] + 14 + 478 * (row % 2), top + 50 * (row // 2)


def strip(view: GameView, seat: int, at: Point, width: float, theme: Theme) -> Iterator[Shape]:
    """Yields crest, name, place and VP of a player, and the VP by source."""
    player, x, inner = view.players[seat], at[0] + INSET, width - 2 * INSET + 8
    place = f"{player.place}. in the turn order" + ", has passed" * player.passed
    note = "winner" if player.won else "" if view.to_act is None else place
    yield from head(player, note, (x, at[1] + 40), inner, 90, theme)
    end = x + inner, at[1] + 43
    yield Label(str(player.score), end, 34, theme.ink, bold=True, anchor="end")
    yield from bar(view, by_parts(player.scores, STARTS), (x, at[1] + 64), inner, theme)


def player_panel(
    edition: Edition,
    view: GameView,
    seat: int,
    at: Point,
    theme: Theme,
    show_coordinates: bool = True,
) -> Iterator[Layer]:
    """Yields the panel of a player, of `panel_size`; no place has a name."""
    player, (x, y) = view.players[seat], (at[0] + INSET, at[1] + STRIP_HEIGHT)
    paper = ground(view, seat, at, panel_size(edition), theme)
    yield cached_layer((*paper, *strip(view, seat, at, PANEL_WIDTH, theme)))
    yield from board(edition, player, (x, y), theme)


def board(edition: Edition, player: PlayerView, at: Point, theme: Theme) -> Iterator[Layer]:
    """Yields a player's board, of `board_size`, and what lies beside it."""
    helpers, seat, (width, height) = edition.num_helper_slots, player.seat, board_size(edition)
    yield drawn_layer(plank, *at, at[0] + width, at[1] + height, theme.board)
    yield cached_layer(tuple(_holdings(edition, player, at[0] + 12, at[1] + 30, theme)))
    for color in range(NUM_COLORS):
        own, place = (player.dice[color], player.helpers[color]), column_place(color, at)
        yield drawn_layer(column, edition, color, seat, *own, place, theme)
    yield drawn_layer(careers, edition, seat, player.careers, at, theme)
    for i, (name, row) in enumerate(zip(row_names(edition), player.rows, strict=True)):
        yield drawn_layer(shields, edition, name, row, row_place(helpers, i, at), theme)


def row_names(edition: Edition) -> tuple[str, ...]:
    return (*edition.careers, "marriage")


def _holdings(
    edition: Edition, player: PlayerView, x: float, y: float, theme: Theme
) -> Iterator[Shape]:
    """Yields Florins, meeples, and the dice against the threshold (S11.3)."""
    yield from coin(str(player.florins), (x + 18, y), 18)
    color = nth(theme.players, player.seat)
    for name, start, numbers in (("family", 48, player.supply), ("stock", 280, player.stock)):
        yield from tray(x + start, y - 20, x + start + 224, y + 21, theme.board, name)
        for sex, number in enumerate(numbers):
            middle = x + start + 72 + 80 * sex
            for k in range(min(number, 4)):
                yield from meeple(sex, (middle + 10 * k, y + 2), 13, color)
            yield from count(str(number), (middle + 52, y + 8), 10)
    threshold = edition.threshold + edition.threshold_step * sum(player.threshold)
    ink = ink_on(theme.board)
    total = f"{sum(player.dice)} of {threshold}"
    yield from die(0, (x + 532, y), 14, "#fffaf0")
    yield Label("\u03a3", (x + 532, y + 7), 18, "#2b211b", bold=True)
    yield Label(total, (x + 554, y + 7), 19, ink, bold=True, anchor="start").within(92)
    yield Label("brides", (x + 668, y + 6), _SMALL, ink, anchor="start")
    for i, number in enumerate(edition.bride_vp):
        at = x + 742 + 46 * i, y
        yield from round_hollow(at, 18, mixed(theme.board, "#000000", 0.2))
        if i < player.brides:
            yield from meeple(FEMALE, at, 16, _BRIDE)
        else:
            yield Label(f"+{number}", (at[0], y + 6), 15, ink)


def column(
    edition: Edition,
    color: int,
    seat: int,
    value: int,
    helpers: tuple[bool, ...],
    at: Point,
    theme: Theme,
) -> Iterator[Shape]:
    """Yields a column: the action slot with its die, the Signoria action and the helpers."""
    (left, top), ground_color = at, nth(theme.dice, color)
    bottom = top + columns_height(edition.num_helper_slots)
    pale = mixed(ground_color, theme.panel, 0.55)
    yield from raised(rounded(left, top, left + COLUMN, bottom, 6), pale, 3)
    yield from band(edition.colors[color], ground_color, left + 1, top + 1, COLUMN - 2)
    middle = left + 28, top + 62
    hollow = rounded(left + 6, top + 40, left + 50, top + 84, 6)
    yield from sunk(hollow, mixed(ground_color, "#000000", 0.35))
    if value:
        yield from die(value, middle, 19, ground_color)
    else:
        number = str(edition.costs[color])
        yield Label(number, (middle[0], middle[1] + 9), 26, "#fffaf0", bold=True)
    yield from effect(edition, color, (left + 80, middle[1]), 14, 56, theme)
    for slot, price in enumerate(edition.helper_prices[color]):
        y = top + 94 + SLOT * slot
        ground = rounded(left + 4, y, left + COLUMN - 4, y + SLOT - 5, 5)
        yield Polygon(ground, Paint(fill=theme.panel, stroke=theme.line))
        center = left + 25, y + 20
        yield from round_hollow(center, 15, mixed(theme.board, theme.panel, 0.3))
        if helpers[slot]:
            yield from helper(seat, center, 15, theme)
        else:
            yield Label(str(price), (center[0], y + 26), 16, ink_on(theme.board))
        index = NUM_COLORS + edition.num_helper_slots * color + slot
        yield from effect(edition, index, (left + 76, y + 20), 13, 60, theme)


def careers(
    edition: Edition, seat: int, males: tuple[tuple[int, ...], ...], at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields the three careers, from left to right, with the males on their slots (S9)."""
    slots, stone = edition.num_career_slots, mixed(theme.panel, theme.muted, 0.25)
    for i, name in enumerate(edition.careers):
        for slot, (vp, rank) in enumerate(zip(edition.slot_vp, edition.ranks, strict=True)):
            x, y, width, height = career_place(edition.num_helper_slots, slots, i, slot + 1, at)
            if not slot:
                building = ("city", "monastery", "castle")[i]
                place = x + 14, y - 3
                yield from landmark(building, place, 14, "#e9d9b8", "#3a2f26", drawn=True)
                ink = ink_on(theme.board)
                yield Label(name, (x + 34, y + 2), _SMALL, ink, anchor="start")
            step = y + 24 - 24 * slot / (slots - 1)
            fill = mixed(stone, theme.board, 0.18 * (rank - 1))
            yield from raised(rounded(x, step, x + width + 1, y + height, 2), fill, 2)
            ink, foot = ink_on(fill), y + height - 5
            yield Label(str(vp), (x + width - 4, foot), 14, ink, bold=True, anchor="end")
            numeral = "I" * rank if rank < 4 else "IV"
            yield Label(numeral, (x + 4, foot), 12, ink, anchor="start")
            for k in range(min(males[i][slot], 3)):
                place = x + width / 2 + 9 * (k - (min(males[i][slot], 3) - 1) / 2), step + 2
                yield from meeple(MALE, place, 14, nth(theme.players, seat))
            if males[i][slot] > 1:
                yield from count(str(males[i][slot]), (x + width - 8, step + 12), 8)


def shields(edition: Edition, name: str, row: RowView, at: Point, theme: Theme) -> Iterator[Shape]:
    """Yields a row of shields: held Houses, those still missing pale, and its VP (S10)."""
    left, y = at[0], at[1] + 24
    yield from tray(left - 4, y - 22, left + 458, y + 22, theme.board)
    ink = ink_on(mixed(theme.board, "#000000", 0.2))
    yield Label(name, (left + 6, y + 6), _SMALL, ink, anchor="start").within(92)
    held = list(row.held)
    for i, shield in enumerate(row.shields):
        place = left + 120 + 40 * i, y
        if shield in held:
            held.remove(shield)
            yield Circle((place[0], y + 3), 18, Paint(fill="#2b211b"))
            yield Circle(place, 18, Paint(fill="#f7efdc"))
            yield from house(edition, shield, place, 15)
        else:
            yield from house(edition, shield, place, 15, theme)
    for i in range(row.face_down):
        place = left + 126 + 40 * len(row.shields) + 13 * i, y
        yield Circle(place, 14, Paint(fill=theme.wood, stroke=theme.panel, width=1.5))
    if total := row.vp + row.face_down:
        yield from points(str(total), (left + 436, y), 16)
