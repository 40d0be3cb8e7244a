"""A player's board: columns with dice and helpers, careers, rows of shields, brides."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.render.icons import charge
from gonzaga_env.render.palette import Theme, ink_on, mixed, nth
from gonzaga_env.render.panels import INSET, bar, by_parts, ground, head, kept, kept_layer
from gonzaga_env.render.shapes import Circle, Label, Layer, Paint, Point, Shape, box
from gonzaga_env.render.signorie import icons
from gonzaga_env.signorie.constants import FEMALE, MALE, NUM_CAREERS, NUM_COLORS
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view import GameView, PlayerView, RowView

#: VP as the bar shows them: the first source of each part, and its name.
PARTS = ("missions", "marriages", "initiative", "effects", "weddings", "end")
STARTS = (0, 1, 2, 3, 6, 7, 9)
STRIP_HEIGHT = 100.0
WIDTH = 1010.0
COLUMN, SLOT = 112.0, 46.0  # width of a column, height of its helper slots
_STEP = COLUMN + 8
_TOP = 54.0  # of the columns, below what the player holds
_TEXT = 16.0
_BRIDE = "#d38fb0"


def columns_height(helpers: int) -> float:
    """Returns the height of a column with a number of helper slots."""
    return 96 + SLOT * helpers


def board_size(edition: Edition) -> Point:
    """Returns width and height of `board`."""
    return WIDTH - 2 * INSET, _TOP + columns_height(edition.num_helper_slots) + 124


def panel_size(edition: Edition) -> Point:
    """Returns width and height of `player_panel`."""
    return WIDTH, STRIP_HEIGHT + board_size(edition)[1] + 8


def column_place(color: int, at: Point) -> Point:
    """Returns the left upper corner of a column of a board."""
    return at[0] + _STEP * color, at[1] + _TOP


def career_place(
    helpers: int, slots: int, career: int, slot: int, at: Point
) -> tuple[float, float, float, float]:
    """Returns left, top, width and height of a career slot, from 1, of a board."""
    width = (WIDTH - 2 * INSET - _STEP * NUM_COLORS - 16) / slots
    height = columns_height(helpers) / NUM_CAREERS
    left, top = at[0] + _STEP * NUM_COLORS + 12, at[1] + _TOP + height * career
    return left + width * (slot - 1), top + 20, width - 3, height - 26


def row_place(helpers: int, row: int, at: Point) -> Point:
    """Returns the left upper corner of a row of shields of a board."""
    top = at[1] + _TOP + columns_height(helpers) + 12
    return at[0] + 480 * (row % 2), top + 56 * (row // 2)


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
    edition: Edition, view: GameView, seat: int, at: Point, theme: Theme, names: bool = True
) -> Iterator[Layer]:
    """Yields the panel of a player, of `panel_size`; no place has a name."""
    player, (x, y) = view.players[seat], (at[0] + INSET, at[1] + STRIP_HEIGHT)
    paper = ground(view, seat, at, panel_size(edition), theme)
    yield kept((*paper, *strip(view, seat, at, WIDTH, theme)))
    yield from board(edition, player, (x, y), theme)


def board(edition: Edition, player: PlayerView, at: Point, theme: Theme) -> Iterator[Layer]:
    """Yields a player's board, of `board_size`, and what lies beside it."""
    helpers, seat = edition.num_helper_slots, player.seat
    yield kept(tuple(_holdings(edition, player, at[0], at[1] + 24, theme)))
    for color in range(NUM_COLORS):
        own, place = (player.dice[color], player.helpers[color]), column_place(color, at)
        yield kept_layer(column, edition, color, seat, *own, place, theme)
    yield kept_layer(careers, edition, seat, player.careers, at, theme)
    for i, (name, row) in enumerate(zip(row_names(edition), player.rows, strict=True)):
        yield kept_layer(shields, edition, name, row, row_place(helpers, i, at), theme)


def row_names(edition: Edition) -> tuple[str, ...]:
    """Returns what the four rows of shields are called."""
    return (*edition.careers, "marriage")


def _holdings(
    edition: Edition, player: PlayerView, x: float, y: float, theme: Theme
) -> Iterator[Shape]:
    """Yields Florins, meeples, and the dice against the threshold (S11.3)."""
    yield from icons.coin(str(player.florins), (x + 18, y), 17)
    color = nth(theme.players, player.seat)
    for name, start, numbers in (("available", 60, player.supply), ("in stock", 268, player.stock)):
        yield Label(name, (x + start, y + 6), _TEXT, theme.muted, anchor="start")
        for sex, number in enumerate(numbers):
            middle = x + start + 92 + 56 * sex
            yield from icons.meeple(sex, (middle, y), 14, color if number else theme.line)
            beside = middle + 14, y + 7
            yield Label(str(number), beside, 18, theme.ink, bold=True, anchor="start")
    threshold = edition.threshold + edition.threshold_step * sum(player.threshold)
    text = f"dice {sum(player.dice)} of at most {threshold}"
    yield Label(text, (x + 478, y + 6), _TEXT, theme.muted, anchor="start")
    yield Label("brides", (x + 690, y + 6), _TEXT, theme.muted, anchor="start")
    for i, number in enumerate(edition.bride_vp):
        at = x + 762 + 42 * i, y
        if i < player.brides:
            yield from icons.meeple(FEMALE, at, 16, _BRIDE)
        else:
            yield Circle(at, 16, Paint(stroke=theme.muted, width=1.4, dash=(4, 4)))
            yield Label(f"+{number}", (at[0], y + 6), 15, theme.muted)


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
    pale = mixed(ground_color, theme.panel, 0.72)
    yield box(left, top, left + COLUMN, bottom, Paint(fill=pale, stroke=theme.line))
    yield from icons.band(edition.colors[color], ground_color, left, top, COLUMN)
    middle = top + 62
    if value:
        yield from icons.die(value, (left + 28, middle), 19, ground_color)
    else:
        yield from icons.empty_die(str(edition.costs[color]), (left + 28, middle), 19, theme)
    yield from icons.effect(edition, color, (left + 80, middle), 14, 56, theme)
    for slot, price in enumerate(edition.helper_prices[color]):
        y = top + 94 + SLOT * slot
        yield box(left + 4, y, left + COLUMN - 4, y + SLOT - 5, Paint(fill=theme.panel))
        if helpers[slot]:
            disc = Paint(fill=nth(theme.players, seat), stroke=theme.on_piece, width=2)
            yield Circle((left + 25, y + 20), 16, disc)
            yield from charge(seat, (left + 25, y + 20), 11, theme.on_piece)
        else:
            yield Circle((left + 25, y + 20), 15, Paint(stroke=theme.muted, width=1.2, dash=(4, 4)))
            yield Label(str(price), (left + 25, y + 26), 16, theme.muted)
        index = NUM_COLORS + edition.num_helper_slots * color + slot
        yield from icons.effect(edition, index, (left + 76, y + 20), 13, 60, theme)


def careers(
    edition: Edition, seat: int, males: tuple[tuple[int, ...], ...], at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields the three careers, from left to right, with the males on their slots (S9)."""
    slots = edition.num_career_slots
    for i, name in enumerate(edition.careers):
        for slot, (vp, rank) in enumerate(zip(edition.slot_vp, edition.ranks, strict=True)):
            x, y, width, height = career_place(edition.num_helper_slots, slots, i, slot + 1, at)
            if not slot:
                yield Label(name, (x, y - 7), _TEXT, theme.muted, anchor="start")
            fill = mixed(theme.tiles[2], theme.panel, 0.85 - 0.2 * rank)
            paint, ink = Paint(fill=fill, stroke=theme.line, width=1.2), ink_on(fill)
            yield box(x, y, x + width, y + height, paint)
            yield Label(str(vp), (x + width - 5, y + height - 5), 13, ink, anchor="end")
            numeral = "I" * rank if rank < 4 else "IV"
            yield Label(numeral, (x + 4, y + 13), 12, ink, anchor="start")
            if number := males[i][slot]:
                middle = x + width / 2, y + height / 2 + 1
                yield from icons.meeple(MALE, middle, 15, nth(theme.players, seat))
                if number > 1:
                    label = middle[0], middle[1] + 12
                    yield Label(str(number), label, 15, theme.on_piece, bold=True)


def shields(edition: Edition, name: str, row: RowView, at: Point, theme: Theme) -> Iterator[Shape]:
    """Yields a row of shields: held Houses, those still missing pale, and its VP (S10)."""
    left, y = at[0], at[1] + 24
    yield Label(name, (left, y + 6), _TEXT, theme.muted, anchor="start")
    held = list(row.held)
    for i, shield in enumerate(row.shields):
        place = left + 100 + 39 * i, y
        if shield in held:
            held.remove(shield)
            yield Circle(place, 18.5, Paint(fill=theme.mark, stroke=theme.on_mark, width=1.5))
            yield from icons.house(edition, shield, place, 15)
        else:
            yield from icons.house(edition, shield, place, 15, theme)
    for i in range(row.face_down):
        place = left + 106 + 39 * len(row.shields) + 13 * i, y
        yield Circle(place, 14, Paint(fill=theme.wood, stroke=theme.panel, width=1.5))
    if total := row.vp + row.face_down:
        yield from icons.points(str(total), (left + 440, y), 15)
