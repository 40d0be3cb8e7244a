"""The table: dice, assignments, cities, initiative and rewards, and where they lie."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from gonzaga_env.render.boards import count, pile, plank, raised, round_hollow, rounded, sunk
from gonzaga_env.render.icons import landmark
from gonzaga_env.render.palette import Theme, ink_on, mixed, nth
from gonzaga_env.render.panels import (
    drawn_layer,
    key,
    part_title,
    table_head,
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
    translated,
)
from gonzaga_env.render.signorie.pieces import (
    band,
    die,
    effect,
    helper,
    meeple,
    part_icon,
    points,
    tile,
)
from gonzaga_env.render.signorie.player_board import PARTS
from gonzaga_env.signorie.constants import (
    BONUS_ROUNDS,
    MALE,
    MARRIAGE_OP,
    MISSION_OP,
    NUM_COLORS,
    SEXES,
)
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view import (
    AssignmentView,
    CityView,
    ColorView,
    GameView,
    action_words,
    stage_words,
)

Rows = tuple[tuple[int, ...], ...]
TABLE_SIZE = TABLE_WIDTH, TABLE_HEIGHT = 660.0, 1100.0
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
    last = "" if view.last is None else action_words(view.last.action, view)
    head = table_head(view, stage_words(view), "", view.order, last, at, TABLE_WIDTH, theme)
    yield Layer(tuple(head))
    for part, place in part_places(view, at, height):
        yield drawn_layer(part.draw, edition, *part.values, place, theme)
    bottom = at[1] + height - TABLE_HEIGHT + _ABOVE + sum(part.step for part in parts(view))
    yield drawn_layer(key, PARTS, (at[0], bottom + 14), TABLE_WIDTH / 3, 3, theme)


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
        yield from round_hollow(place, step * 0.45, mixed(theme.board, theme.panel, 0.35))
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
