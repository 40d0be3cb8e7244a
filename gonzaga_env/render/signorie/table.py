"""The table and the players' boards: what lies on each, and where."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from gonzaga_env.kernel.sentences import third_person
from gonzaga_env.render.boards import circle, count, pile, plank, raised, rounded, sunk, tray
from gonzaga_env.render.icons import crest, landmark
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
from gonzaga_env.render.shapes import (
    Circle,
    Label,
    Layer,
    Line,
    Paint,
    Point,
    Polygon,
    Shape,
    fitted,
    translated,
)
from gonzaga_env.render.signorie.pieces import (
    band,
    coin,
    die,
    effect,
    helper,
    house,
    meeple,
    part_icon,
    points,
    tile,
)
from gonzaga_env.signorie.constants import (
    BONUS_ROUNDS,
    FEMALE,
    MALE,
    MARRIAGE_OP,
    MISSION_OP,
    NUM_CAREERS,
    NUM_COLORS,
    SEXES,
)
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view import (
    AssignmentView,
    CityView,
    ColorView,
    GameView,
    PlayerView,
    RowView,
    action_words,
    stage_words,
)

Rows = tuple[tuple[int, ...], ...]
TABLE_SIZE = TABLE_WIDTH, TABLE_HEIGHT = 660.0, 1100.0
_TEXT = 17.0
_ABOVE = 168.0  # for the head
AREA_TOP, AREA_HEIGHT = 8.0, 72.0  # of the dice of a color
ASSIGNMENT, ASSIGNMENT_STEP = 66.0, 70.0
CITY_SIZE = CITY_WIDTH, CITY_HEIGHT = 208.0, 102.0
#: Where the cities lie on the map, as on that of Italy.
CITIES = (10.0, 8.0), (340.0, 8.0), (168.0, 116.0), (236.0, 226.0), (446.0, 226.0)


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
    height: float
    below: bool  # whether pages show it below the own board

    @property
    def step(self) -> float:
        """The room to the next part."""
        return self.height + 14


def parts(view: GameView) -> Iterator[Part]:
    yield Part("dice and assignments", dice, (view.colors,), 232, True)
    there = tuple(player.meeples for player in view.players)
    yield Part("cities", cities, (view.cities, there, view.deck, view.helpers_left), 338, False)
    discs = tuple((player.initiative, player.height) for player in view.players)
    yield Part("initiative", initiative, (discs,), 130, False)
    now = 0 if view.to_act is None else view.round
    yield Part("rewards", rewards, (view.bonus_tiles, view.vp_tiles, now), 98, True)


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


def area_place(color: int, at: Point) -> tuple[float, float, float]:
    """Returns left, top and width of a color's area of dice and assignments."""
    step = (TABLE_WIDTH - 12) / NUM_COLORS
    return at[0] + 8 + step * color, at[1] + AREA_TOP, step - 5


def die_place(color: int, k: int, at: Point) -> Point:
    left, top, _ = area_place(color, at)
    return left + 19 + 30 * k, top + 51


def assignment_place(color: int, slot: int, at: Point) -> tuple[float, float, float, float]:
    """Returns left, top, width and height of an assignment."""
    left, top, width = area_place(color, at)
    return left, top + AREA_HEIGHT + 6 + ASSIGNMENT_STEP * slot, width, ASSIGNMENT


def dice(
    edition: Edition, colors: tuple[ColorView, ...], at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields the five areas: the dice to take in their trays, and both assignments (S4.2, S4.3)."""
    yield from plank(*at, at[0] + TABLE_WIDTH, at[1] + 232, theme.board)
    for i, color in enumerate(colors):
        paint, (x, top, width) = nth(theme.dice, i), area_place(i, at)
        yield from sunk(
            rounded(x, top, x + width, top + AREA_HEIGHT, 6), mixed(paint, "#000000", 0.45)
        )
        yield from band(color.name, paint, x + 1, top + 1, width - 2)
        for k, value in enumerate(color.dice):
            yield from die(value, die_place(i, k, at), 13, paint)
        for slot, assignment in enumerate(color.assignments):
            left, y, _, height = assignment_place(i, slot, at)
            yield from raised(rounded(left, y, left + width, y + height - 4, 5), theme.panel, 3)
            yield from _meeples(assignment, (left + 23, y + 24), theme)
            index = edition.first_assignment + edition.assignments.index(assignment.name)
            middle = left + 46 + (width - 50) / 2
            yield from effect(edition, index, (middle, y + 25), 15, width - 54, theme)
            name = left + width / 2, y + 56
            yield Label(assignment.name, name, 13.5, theme.muted).within(width - 12)


def _meeples(assignment: AssignmentView, at: Point, theme: Theme) -> Iterator[Shape]:
    """Yields the meeples that an assignment takes; a range where it is free (S7.2)."""
    sex, most = SEXES.index(assignment.sex), assignment.meeples.strip(".")
    if ".." in assignment.meeples:
        yield from meeple(sex, (at[0] - 10, at[1]), 12, theme.castle)
        label = at[0] + 13, at[1] + 6
        yield Label(f"1\u2013{most}", label, 15, theme.ink, bold=True).within(26)
        return
    number = min(3, int(most))
    for k in range(number):
        yield from meeple(sex, (at[0] + 15 * (k - (number - 1) / 2), at[1]), 13, theme.castle)
    if int(most) > number:
        yield Label(most, (at[0] + 18, at[1] + 16), 15, theme.ink, bold=True)


_COAST = (
    *((4, 4), (656, 4), (656, 52), (590, 84), (566, 122), (470, 132), (420, 150), (436, 182)),
    *((500, 208), (580, 216), (656, 232), (656, 334), (214, 334), (206, 276), (166, 240)),
    *((140, 190), (124, 138), (60, 118), (4, 132)),
)  # of the land on the map, with Italy's shape
_ROADS = (0, 1), (0, 2), (1, 2), (2, 3), (3, 4)
_SKYLINES = (
    *(("city", "monastery"), ("village", "city"), ("monastery", "city")),
    *(("castle", "city"), ("city", "village")),
)


def cities(
    edition: Edition,
    found: tuple[CityView, ...],
    there: Rows,
    deck: int,
    helpers: int,
    at: Point,
    theme: Theme,
) -> Iterator[Shape]:
    """Yields the map: roads and cities, with who is there and the tiles (S4.1, S8.2)."""
    left, top = at
    yield from raised(rounded(*at, left + TABLE_WIDTH, top + 338), nth(theme.seas, 0), 3)
    land = translated(_COAST, at)
    yield Polygon(land, Paint(stroke=theme.surf, width=16))
    yield Polygon(land, Paint(fill=nth(theme.regions, 3), stroke=theme.coast, width=2))
    middles = [(left + x + CITY_WIDTH / 2, top + y + 50) for x, y in CITIES]
    for width, color in ((9.0, theme.frame), (6.0, theme.board)):
        for road in _ROADS:
            yield Line(tuple(middles[i] for i in road), Paint(stroke=color, width=width))
    for i, city in enumerate(found):
        yield from _city(edition, i, city, [own[i] for own in there], at, theme)
    for k, (number, name) in enumerate(((deck, "tiles"), (helpers, "helpers"))):
        place = left + 52 + 78 * k, top + 272
        back = _tile_back if not k else _free_helper
        yield from pile(partial(back, theme=theme), number, place)
        yield from count(str(number), (place[0] + 18, place[1] + 18), 12)
        yield Label(name, (place[0], place[1] - 30), 14, theme.sea_label, italic=True)


def _tile_back(at: Point, theme: Theme) -> Iterator[Shape]:
    yield Circle((at[0], at[1] + 1.5), 20, Paint(fill="#3a2a1c"))
    yield Circle(at, 20, Paint(fill=theme.wood, stroke="#f7efdc", width=1.6))
    yield Label("?", (at[0], at[1] + 8), 23, "#f7efdc", bold=True)


def _free_helper(at: Point, theme: Theme) -> Iterator[Shape]:
    yield Circle((at[0], at[1] + 2), 17, Paint(fill="#3a2a1c"))
    yield Circle(at, 17, Paint(fill=theme.castle, stroke="#3a2a1c", width=1.4))


def _city(
    edition: Edition, i: int, city: CityView, there: Sequence[int], at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields a city: buildings, name, slots with who is there, and its tiles."""
    x, y = at[0] + CITIES[i][0], at[1] + CITIES[i][1]
    fill = theme.panel if city.in_play else mixed(theme.panel, theme.muted, 0.35)
    yield from raised(rounded(x, y, x + CITY_WIDTH, y + CITY_HEIGHT - 4), fill, 3)
    for k, name in enumerate(_SKYLINES[i]):
        place = x + 26 + 44 * k, y + 27
        yield from landmark(name, place, 24 - 3 * k, "#e9d9b8", "#3a2f26", drawn=True)
    yield Label(city.name, (x + 10, y + 67), 19, theme.ink, bold=True, anchor="start").within(100)
    if not city.in_play:
        yield Label("not in play", (x + 10, y + 88), 14, theme.ink, anchor="start")
        return
    for k, (tile_name, op) in enumerate(((city.marriage, MARRIAGE_OP), (city.mission, MISSION_OP))):
        place = x + 134 + 47 * k, y + 26
        yield from part_icon(op, 1, (place[0] - 2, y + 59), 8, theme)
        yield from tile(edition, tile_name, place, 18, theme)
    slots = edition.city_slots[i]
    own = [seat for seat, number in enumerate(there) for _ in range(number)]
    step = min(24.5, 194 / len(slots))
    for k, value in enumerate(slots):
        place = x + 18 + step * k, y + 83
        yield from sunk(circle(place, step * 0.45), mixed(theme.board, theme.panel, 0.35))
        if k < len(own):
            yield from meeple(MALE, (place[0], place[1] - 3), 13, nth(theme.players, own[k]))
        else:
            yield Label(str(value), (place[0], place[1] + 5.5), 15, ink_on(theme.board))


def initiative(
    edition: Edition, discs: tuple[tuple[int, int], ...], at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields the initiative slots as steps with their VP, and stacks of discs (S9.4, S11.1)."""
    (left, top), number = at, len(edition.initiative_vp)
    yield from plank(left, top, left + TABLE_WIDTH, top + 130, theme.board)
    yield part_title("initiative", (left + 14, top + 24), theme)
    stone = mixed(theme.panel, theme.muted, 0.3)
    for slot, vp in enumerate(edition.initiative_vp):
        x, width = initiative_place(slot, number, left)
        y = _step_top(slot, number, top)
        yield from raised(rounded(x, y, x + width - 3, top + 120, 3), stone, 3)
        yield from points(str(vp), (x + width / 2 - 1, top + 106), 11)
    for seat, (slot, height) in sorted(enumerate(discs), key=lambda one: one[1]):
        x, width = initiative_place(slot - 1, number, left)
        middle = x + width / 2 - 1, _step_top(slot - 1, number, top) - 6 - 17 * (height - 1)
        yield from helper(seat, middle, 13, theme)


def initiative_place(slot: int, number: int, left: float) -> tuple[float, float]:
    """Returns left and width of a slot, from 0."""
    step = (TABLE_WIDTH - 16) / number
    return left + 8 + step * slot, step


def _step_top(slot: int, number: int, top: float) -> float:
    return top + 92 - 24 * slot / (number - 1)


def reward_place(i: int, number: int, left: float) -> tuple[float, float]:
    """Returns left and width of the reward of a round, from 0."""
    step = (TABLE_WIDTH - 12) / number
    return left + 8 + step * i, step - 5


def rewards(
    edition: Edition,
    bonus_tiles: tuple[tuple[str, str], ...],
    vp_tiles: tuple[tuple[str, int, str], ...],
    now: int,
    at: Point,
    theme: Theme,
) -> Iterator[Shape]:
    """Yields the rewards of the seven rounds; round `now` is marked (S11.4, S11.5)."""
    (left, top), number = at, len(bonus_tiles) + len(vp_tiles)
    yield from plank(left, top, left + TABLE_WIDTH, top + 98, theme.board)
    for i in range(number):
        (x, width), done = reward_place(i, number, left), i + 1 < now or not now
        around = rounded(x, top + 9, x + width, top + 87, 5)
        fill = mixed(theme.board, theme.panel, 0.35) if done else theme.panel
        yield from (sunk(around, fill) if done else raised(around, fill, 3))
        if i + 1 == now:
            yield Polygon(around, Paint(stroke=theme.on_mark, width=6))
            yield Polygon(around, Paint(stroke=theme.mark, width=3))
        middle, room = x + width / 2, width - 12
        if i < BONUS_ROUNDS:
            name = bonus_tiles[i][0]
            index = edition.first_bonus + edition.bonus_tiles.index(name)
            yield from effect(edition, index, (middle, top + 46), 17, room, theme)
        else:
            _, vp, per = vp_tiles[i - BONUS_ROUNDS]
            yield from points(str(vp), (middle, top + 44), 17)
            name = f"per {_SINGULAR[per]}"
        yield Label(str(i + 1), (x + 6, top + 24), 13, theme.muted, anchor="start")
        yield Label(name, (middle, top + 79), 14, theme.muted if done else theme.ink).within(room)


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
    return PANEL_WIDTH - 2 * INSET, _TOP + columns_height(edition.num_helper_slots) + 118


def panel_size(edition: Edition) -> Point:
    """Returns width and height of `player_panel`."""
    return PANEL_WIDTH, STRIP_HEIGHT + board_size(edition)[1] + 8


def column_place(color: int, at: Point) -> Point:
    return at[0] + 10 + _STEP * color, at[1] + _TOP


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
        yield from sunk(circle(at, 18), mixed(theme.board, "#000000", 0.2))
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
        yield from sunk(circle(center, 15), mixed(theme.board, theme.panel, 0.3))
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
