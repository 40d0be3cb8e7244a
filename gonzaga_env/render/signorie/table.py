"""The table and the players' boards: what lies on each, and where."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from gonzaga_env.kernel.sentences import third_person
from gonzaga_env.render.icons import charge, crest
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
from gonzaga_env.render.shapes import Circle, Label, Layer, Paint, Point, Shape, box, fitted
from gonzaga_env.render.signorie.pieces import (
    band,
    coin,
    die,
    effect,
    empty_die,
    house,
    meeple,
    points,
    tile,
)
from gonzaga_env.signorie.constants import (
    BONUS_ROUNDS,
    FEMALE,
    MALE,
    NUM_CAREERS,
    NUM_COLORS,
    SEXES,
)
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view import (
    CityView,
    ColorView,
    GameView,
    PlayerView,
    RowView,
    action_words,
    stage_words,
)

Rows = tuple[tuple[int, ...], ...]
TABLE_SIZE = TABLE_WIDTH, TABLE_HEIGHT = 660.0, 1060.0
TITLE = 14.0  # above a part with a table_title
_TEXT = 17.0
_ABOVE = 168.0  # for the head
_ASSIGNMENT, _CITY = 66.0, 54.0


def table(
    edition: Edition, view: GameView, at: Point, height: float, theme: Theme
) -> Iterator[Layer]:
    """Yields the table; what is more than `TABLE_HEIGHT` goes between its parts."""
    yield Layer(tuple(_head(view, *at, theme)))
    for part, place in part_places(view, at, height):
        yield drawn_layer(part.draw, edition, *part.values, place, theme)
    bottom = at[1] + height - TABLE_HEIGHT + _ABOVE + sum(part.step for part in parts(view))
    yield drawn_layer(key, PARTS, (at[0], bottom), TABLE_WIDTH / 3, 3, theme)


def part_places(view: GameView, at: Point, height: float) -> Iterator[tuple[Part, Point]]:
    """Yields the parts of a table of that height, each with its left upper corner."""
    gap = (height - TABLE_HEIGHT) / 5
    y = at[1] + _ABOVE + gap
    for part in parts(view):
        yield part, (at[0], y)
        y += part.step + gap


class Part(NamedTuple):
    """A part of the table: its drawing, all that it depends on, and its room in pixels."""

    name: str
    draw: Callable[..., Iterable[Shape]]
    values: tuple[Hashable, ...]
    above: float  # what lies above its place, such as a title
    height: float
    step: float  # to the next part


def parts(view: GameView) -> Iterator[Part]:
    yield Part("dice and assignments", dice, (view.colors,), 0, 230, 250)
    there = tuple(player.meeples for player in view.players)
    yield Part("cities", cities, (view.cities, there, view.deck), TITLE, 302, 330)
    discs = tuple((player.initiative, player.height) for player in view.players)
    yield Part("initiative", initiative, (discs, view.helpers_left), TITLE, 138, 150)
    now = 0 if view.to_act is None else view.round
    yield Part("rewards", rewards, (view.bonus_tiles, view.vp_tiles, now), TITLE, 112, 128)


def table_title(text: str, at: Point, theme: Theme, note: str = "") -> Iterator[Shape]:
    yield part_title(text, at, theme)
    yield Label(note, (at[0] + TABLE_WIDTH, at[1]), 15, theme.muted, italic=True, anchor="end")


def _head(view: GameView, left: float, top: float, theme: Theme) -> Iterator[Shape]:
    stage = stage_words(view)
    yield Label(stage, (left, top + 26), 28, theme.frame, bold=True, anchor="start").within(
        TABLE_WIDTH
    )
    end = left + TABLE_WIDTH, top + 54
    yield Label(viewer_words(view), end, 15, theme.muted, italic=True, anchor="end")
    over = view.to_act is None
    shown = tuple(player.seat for player in view.players if player.won) if over else view.order
    text = "won by" if over else "turn order"
    yield Label(text, (left, top + 86), _TEXT, theme.muted, anchor="start")
    yield from turns(shown, view.to_act, (left + 120, top + 80), theme, arrows=not over)
    yield Label("last", (left, top + 134), _TEXT, theme.muted, anchor="start")
    if view.last is not None:
        yield from crest(view.last.seat, (left + 120, top + 128), 12, theme)
        words = third_person(action_words(view.last.action, view))
        size = fitted(words, _TEXT, TABLE_WIDTH - 150)
        yield Label(words, (left + 146, top + 134), size, theme.ink, anchor="start")


def dice(
    edition: Edition, colors: tuple[ColorView, ...], at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields the five areas: the dice to take, and both assignments (S4.2, S4.3)."""
    (left, top), step = at, TABLE_WIDTH / len(colors)
    for i, color in enumerate(colors):
        x, paint = left + step * i, nth(theme.dice, i)
        width = step - 8
        fill = mixed(paint, theme.paper, 0.75)
        yield box(x, top, x + width, top + 84, Paint(fill=fill, stroke=theme.line))
        yield from band(color.name, paint, x, top, width)
        for k, value in enumerate(color.dice):
            yield from die(value, (x + 18 + 30 * k, top + 57), 13, paint)
        for slot, assignment in enumerate(color.assignments):
            y = top + 90 + (_ASSIGNMENT + 4) * slot
            ground = Paint(fill=theme.panel, stroke=theme.line, width=1.2)
            yield box(x, y, x + width, y + _ASSIGNMENT, ground)
            sex = SEXES.index(assignment.sex)
            yield from meeple(sex, (x + 18, y + 24), 13, theme.castle)
            count = x + 18, y + 56
            yield Label(assignment.meeples, count, 16, theme.ink, bold=True)
            index = edition.first_assignment + edition.assignments.index(assignment.name)
            middle = x + 36 + (width - 40) / 2
            yield from effect(edition, index, (middle, y + 26), 15, width - 48, theme)
            yield Label(assignment.name, (middle, y + 58), 14, theme.muted).within(width - 46)


def cities(
    edition: Edition, found: tuple[CityView, ...], there: Rows, deck: int, at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields the cities: empty slots, who is there, and the tiles (S4.1, S8.2)."""
    left, top = at
    yield from table_title("cities", at, theme, f"{deck} alliance tiles face down")
    for name, x in (("marriage", 562.0), ("mission", 630.0)):
        yield Label(name, (left + x, top + 24), 14, theme.muted)
    for i, city in enumerate(found):
        y, slots = top + 32 + _CITY * i, edition.city_slots[i]
        fill = theme.panel if city.in_play else mixed(theme.panel, theme.paper, 0.8)
        paint = Paint(fill=fill, stroke=theme.line, width=1.2)
        yield box(left, y, left + TABLE_WIDTH, y + _CITY - 6, paint)
        ink = theme.ink if city.in_play else theme.line
        place, size = (left + 12, y + 31), fitted(city.name, 20, 104)
        yield Label(city.name, place, size, ink, bold=True, anchor="start")
        if not city.in_play:
            yield Label("not in play", (left + 126, y + 30), 15, theme.muted, anchor="start")
            continue
        step = min(27.0, 230 / len(slots))
        for k, value in enumerate(slots):
            empty = k >= len(slots) - len(city.empty)
            place = left + 136 + step * k, y + 24
            paint = Paint(fill=theme.paper if empty else theme.line, stroke=theme.muted)
            yield Circle(place, step * 0.44, paint)
            if empty:
                yield Label(str(value), (place[0], y + 30), 16, theme.ink)
        yield from _residents([own[i] for own in there], left + 380, y + 24, theme)
        for x, name in ((562.0, city.marriage), (630.0, city.mission)):
            yield from tile(edition, name, (left + x, y + 23), 17, theme)


def _residents(meeples: Sequence[int], x: float, y: float, theme: Theme) -> Iterator[Shape]:
    there = [(seat, number) for seat, number in enumerate(meeples) if number]
    for i, (seat, number) in enumerate(there):
        yield from crest(seat, (x + 40 * i, y), 10, theme)
        at = x + 13 + 40 * i, y + 6
        yield Label(str(number), at, 16, theme.ink, bold=True, anchor="start")


def initiative(
    edition: Edition, discs: tuple[tuple[int, int], ...], helpers: int, at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields the initiative slots with their VP, and the stacks of discs (S9.4, S11.1)."""
    yield from table_title("initiative", at, theme, f"{helpers} helpers in the supply")
    (left, top), step = at, TABLE_WIDTH / len(edition.initiative_vp)
    for slot, vp in enumerate(edition.initiative_vp):
        x = left + step * slot
        paint = Paint(fill=theme.panel, stroke=theme.line, width=1.2)
        yield box(x, top + 12, x + step - 5, top + 124, paint)
        yield Label(f"{vp} VP", (x + step / 2 - 2, top + 118), 14, theme.muted)
    for seat, (slot, height) in enumerate(discs):
        middle = left + step * (slot - 0.5) - 2, top + 93 - 22 * (height - 1)
        yield from crest(seat, middle, 12, theme)


def rewards(
    edition: Edition,
    bonus_tiles: tuple[tuple[str, str], ...],
    vp_tiles: tuple[tuple[str, int, str], ...],
    now: int,
    at: Point,
    theme: Theme,
) -> Iterator[Shape]:
    """Yields the rewards of the seven rounds; round `now` is marked (S11.4, S11.5)."""
    yield from table_title("rewards", at, theme)
    number = len(bonus_tiles) + len(vp_tiles)
    (left, top), step = at, TABLE_WIDTH / number
    for i in range(number):
        x, done = left + step * i, i + 1 < now or not now
        if i + 1 == now:
            mark = Paint(fill=theme.mark, stroke=theme.on_mark)
            yield box(x - 4, top + 10, x + step - 2, top + 100, mark)
        fill = mixed(theme.panel, theme.paper, 0.8) if done else theme.panel
        yield box(x, top + 14, x + step - 6, top + 96, Paint(fill=fill, stroke=theme.line))
        middle, room = x + step / 2 - 3, step - 18
        if i < BONUS_ROUNDS:
            name = bonus_tiles[i][0]
            index = edition.first_bonus + edition.bonus_tiles.index(name)
            yield from effect(edition, index, (middle, top + 46), 17, room, theme)
        else:
            _, vp, per = vp_tiles[i - BONUS_ROUNDS]
            yield from points(str(vp), (middle, top + 44), 17)
            name = f"per {_SINGULAR[per]}"
        yield Label(name, (middle, top + 86), 14, theme.muted if done else theme.ink).within(room)


_SINGULAR = {
    "helpers": "helper",
    "brides": "bride",
    "cities": "meeple",
    "tiles": "tile",
    "careers": "male",
}


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
    return PANEL_WIDTH - 2 * INSET, _TOP + columns_height(edition.num_helper_slots) + 124


def panel_size(edition: Edition) -> Point:
    """Returns width and height of `player_panel`."""
    return PANEL_WIDTH, STRIP_HEIGHT + board_size(edition)[1] + 8


def column_place(color: int, at: Point) -> Point:
    return at[0] + _STEP * color, at[1] + _TOP


def career_place(
    helpers: int, slots: int, career: int, slot: int, at: Point
) -> tuple[float, float, float, float]:
    """Returns left, top, width and height of a career slot, from 1, of a board."""
    width = (PANEL_WIDTH - 2 * INSET - _STEP * NUM_COLORS - 16) / slots
    height = columns_height(helpers) / NUM_CAREERS
    left, top = at[0] + _STEP * NUM_COLORS + 12, at[1] + _TOP + height * career
    return left + width * (slot - 1), top + 20, width - 3, height - 26


def row_place(helpers: int, row: int, at: Point) -> Point:
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
    helpers, seat = edition.num_helper_slots, player.seat
    yield cached_layer(tuple(_holdings(edition, player, at[0], at[1] + 24, theme)))
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
    yield from coin(str(player.florins), (x + 18, y), 17)
    color = nth(theme.players, player.seat)
    for name, start, numbers in (("available", 60, player.supply), ("in stock", 268, player.stock)):
        yield Label(name, (x + start, y + 6), _SMALL, theme.muted, anchor="start")
        for sex, number in enumerate(numbers):
            middle = x + start + 92 + 56 * sex
            yield from meeple(sex, (middle, y), 14, color if number else theme.line)
            beside = middle + 14, y + 7
            yield Label(str(number), beside, 18, theme.ink, bold=True, anchor="start")
    threshold = edition.threshold + edition.threshold_step * sum(player.threshold)
    text = f"dice {sum(player.dice)} of at most {threshold}"
    yield Label(text, (x + 478, y + 6), _SMALL, theme.muted, anchor="start")
    yield Label("brides", (x + 690, y + 6), _SMALL, theme.muted, anchor="start")
    for i, number in enumerate(edition.bride_vp):
        at = x + 762 + 42 * i, y
        if i < player.brides:
            yield from meeple(FEMALE, at, 16, _BRIDE)
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
    yield from band(edition.colors[color], ground_color, left, top, COLUMN)
    middle = top + 62
    if value:
        yield from die(value, (left + 28, middle), 19, ground_color)
    else:
        yield from empty_die(str(edition.costs[color]), (left + 28, middle), 19, theme)
    yield from effect(edition, color, (left + 80, middle), 14, 56, theme)
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
        yield from effect(edition, index, (left + 76, y + 20), 13, 60, theme)


def careers(
    edition: Edition, seat: int, males: tuple[tuple[int, ...], ...], at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields the three careers, from left to right, with the males on their slots (S9)."""
    slots = edition.num_career_slots
    for i, name in enumerate(edition.careers):
        for slot, (vp, rank) in enumerate(zip(edition.slot_vp, edition.ranks, strict=True)):
            x, y, width, height = career_place(edition.num_helper_slots, slots, i, slot + 1, at)
            if not slot:
                yield Label(name, (x, y - 7), _SMALL, theme.muted, anchor="start")
            fill = mixed(theme.tiles[2], theme.panel, 0.85 - 0.2 * rank)
            paint, ink = Paint(fill=fill, stroke=theme.line, width=1.2), ink_on(fill)
            yield box(x, y, x + width, y + height, paint)
            yield Label(str(vp), (x + width - 5, y + height - 5), 13, ink, anchor="end")
            numeral = "I" * rank if rank < 4 else "IV"
            yield Label(numeral, (x + 4, y + 13), 12, ink, anchor="start")
            if number := males[i][slot]:
                middle = x + width / 2, y + height / 2 + 1
                yield from meeple(MALE, middle, 15, nth(theme.players, seat))
                if number > 1:
                    label = middle[0], middle[1] + 12
                    yield Label(str(number), label, 15, theme.on_piece, bold=True)


def shields(edition: Edition, name: str, row: RowView, at: Point, theme: Theme) -> Iterator[Shape]:
    """Yields a row of shields: held Houses, those still missing pale, and its VP (S10)."""
    left, y = at[0], at[1] + 24
    yield Label(name, (left, y + 6), _SMALL, theme.muted, anchor="start")
    held = list(row.held)
    for i, shield in enumerate(row.shields):
        place = left + 100 + 39 * i, y
        if shield in held:
            held.remove(shield)
            yield Circle(place, 18.5, Paint(fill=theme.mark, stroke=theme.on_mark, width=1.5))
            yield from house(edition, shield, place, 15)
        else:
            yield from house(edition, shield, place, 15, theme)
    for i in range(row.face_down):
        place = left + 106 + 39 * len(row.shields) + 13 * i, y
        yield Circle(place, 14, Paint(fill=theme.wood, stroke=theme.panel, width=1.5))
    if total := row.vp + row.face_down:
        yield from points(str(total), (left + 440, y), 15)
