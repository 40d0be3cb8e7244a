"""What lies in the middle of the table: dice, assignments, cities, initiative, rewards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gonzaga_env.kernel.sentences import told
from gonzaga_env.render.icons import crest
from gonzaga_env.render.palette import Theme, mixed, nth
from gonzaga_env.render.panels import kept_layer, key, part_title, turns, viewer_words
from gonzaga_env.render.shapes import Circle, Label, Layer, Paint, Point, Shape, box, fitted
from gonzaga_env.render.signorie.icons import band, die, effect, meeple, points, tile
from gonzaga_env.render.signorie.player import PARTS
from gonzaga_env.signorie.constants import BONUS_ROUNDS, SEXES
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view import CityView, ColorView, GameView, action_words, stage_words

Rows = tuple[tuple[int, ...], ...]
SIZE = WIDTH, HEIGHT = 660.0, 1060.0
TITLE = 14.0  # above a part with a title
_TEXT = 17.0
_ABOVE = 168.0  # for the head
_ASSIGNMENT, _CITY = 66.0, 54.0


def table(
    edition: Edition, view: GameView, at: Point, height: float, theme: Theme
) -> Iterator[Layer]:
    """Yields the table, `WIDTH` wide; what is more than `HEIGHT` goes between its parts."""
    yield Layer(tuple(_head(view, *at, theme)))
    for part, place in part_places(view, at, height):
        yield kept_layer(part.draw, edition, *part.values, place, theme)
    bottom = at[1] + height - HEIGHT + _ABOVE + sum(part.step for part in parts(view))
    yield kept_layer(key, PARTS, (at[0], bottom), WIDTH / 3, 3, theme)


def part_places(view: GameView, at: Point, height: float) -> Iterator[tuple[Part, Point]]:
    """Yields the parts of a table of that height, each with its left upper corner."""
    gap = (height - HEIGHT) / 5
    y = at[1] + _ABOVE + gap
    for part in parts(view):
        yield part, (at[0], y)
        y += part.step + gap


class Part(NamedTuple):
    """A part of the table: its drawing, all that it depends on, and its room in pixels."""

    name: str
    draw: Callable[..., Iterable[Shape]]
    values: tuple[Any, ...]
    above: float  # what lies above its place, such as a title
    height: float
    step: float  # to the next part


def parts(view: GameView) -> Iterator[Part]:
    """Yields dice and assignments, cities, initiative and rewards."""
    yield Part("dice and assignments", dice, (view.colors,), 0, 230, 250)
    there = tuple(player.meeples for player in view.players)
    yield Part("cities", cities, (view.cities, there, view.deck), TITLE, 302, 330)
    discs = tuple((player.initiative, player.height) for player in view.players)
    yield Part("initiative", initiative, (discs, view.helpers_left), TITLE, 138, 150)
    now = 0 if view.to_act is None else view.round
    yield Part("rewards", rewards, (view.bonus_tiles, view.vp_tiles, now), TITLE, 112, 128)


def title(text: str, at: Point, theme: Theme, note: str = "") -> Iterator[Shape]:
    """Yields the name of a part, and a note at its right end."""
    yield part_title(text, at, theme)
    yield Label(note, (at[0] + WIDTH, at[1]), 15, theme.muted, italic=True, anchor="end")


def _head(view: GameView, left: float, top: float, theme: Theme) -> Iterator[Shape]:
    """Yields round and decision, who looks, whose turn it is, and the last action."""
    stage = stage_words(view)
    yield Label(stage, (left, top + 26), 28, theme.frame, bold=True, anchor="start").within(WIDTH)
    end = left + WIDTH, top + 54
    yield Label(viewer_words(view), end, 15, theme.muted, italic=True, anchor="end")
    over = view.to_act is None
    shown = tuple(player.seat for player in view.players if player.won) if over else view.order
    text = "won by" if over else "turn order"
    yield Label(text, (left, top + 86), _TEXT, theme.muted, anchor="start")
    yield from turns(shown, view.to_act, (left + 120, top + 80), theme, arrows=not over)
    yield Label("last", (left, top + 134), _TEXT, theme.muted, anchor="start")
    if view.last is not None:
        yield from crest(view.last.seat, (left + 120, top + 128), 12, theme)
        words = told(action_words(view.last.action, view))
        size = fitted(words, _TEXT, WIDTH - 150)
        yield Label(words, (left + 146, top + 134), size, theme.ink, anchor="start")


def dice(
    edition: Edition, colors: tuple[ColorView, ...], at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields the five areas: the dice to take, and both assignments (S4.2, S4.3)."""
    (left, top), step = at, WIDTH / len(colors)
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
    yield from title("cities", at, theme, f"{deck} alliance tiles face down")
    for name, x in (("marriage", 562.0), ("mission", 630.0)):
        yield Label(name, (left + x, top + 24), 14, theme.muted)
    for i, city in enumerate(found):
        y, slots = top + 32 + _CITY * i, edition.city_slots[i]
        fill = theme.panel if city.in_play else mixed(theme.panel, theme.paper, 0.8)
        paint = Paint(fill=fill, stroke=theme.line, width=1.2)
        yield box(left, y, left + WIDTH, y + _CITY - 6, paint)
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
    """Yields the players' crests with the number of their meeples in a city."""
    there = [(seat, number) for seat, number in enumerate(meeples) if number]
    for i, (seat, number) in enumerate(there):
        yield from crest(seat, (x + 40 * i, y), 10, theme)
        at = x + 13 + 40 * i, y + 6
        yield Label(str(number), at, 16, theme.ink, bold=True, anchor="start")


def initiative(
    edition: Edition, discs: tuple[tuple[int, int], ...], helpers: int, at: Point, theme: Theme
) -> Iterator[Shape]:
    """Yields the initiative slots with their VP, and the stacks of discs (S9.4, S11.1)."""
    yield from title("initiative", at, theme, f"{helpers} helpers in the supply")
    (left, top), step = at, WIDTH / len(edition.initiative_vp)
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
    yield from title("rewards", at, theme)
    number = len(bonus_tiles) + len(vp_tiles)
    (left, top), step = at, WIDTH / number
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
