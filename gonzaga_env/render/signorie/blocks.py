"""The table in blocks, for players in the browser: what lies on it, and what can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gonzaga_env.render.palette import Theme
from gonzaga_env.render.pictures import Block, Place, Spot, one_line_each
from gonzaga_env.render.shapes import Layer, Point, Scene, rectangle, translated
from gonzaga_env.render.signorie import places, table, text
from gonzaga_env.render.signorie import player as boards
from gonzaga_env.signorie.constants import MAX_DOWRY, NUM_FACES
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view import ColorView, GameView, PlayerView

_EDGE = 8.0  # around a block
_LINE = _EDGE + table.TITLE  # above a block with a title


def blocks(edition: Edition, view: GameView) -> Iterator[Block]:
    """Yields dice and assignments, cities, initiative, rewards, and each player's board."""
    for part in table.parts(view):
        lines = one_line_each(text.LINES[part.name](edition, view))
        told = tuple(_PLACES[part.name](edition, view))
        yield Block(part.name, None, _part, (edition, part), lines, told)
    for player in view.players:
        told = places.board_places(edition, view.colors, player, (_EDGE, _EDGE))
        _, *rest = text.player_lines(edition, view, player, False)  # the head says who, and VP
        first = f"{player.florins} Florins" + ", passed" * player.passed
        yield Block(
            "board", player.seat, _board, (edition, player), (first, *one_line_each(rest)), told
        )


_PLACES: dict[str, Callable[[Edition, GameView], Iterator[Place]]] = {
    "dice and assignments": lambda edition, view: places.dice_places(view.colors, (_EDGE, _EDGE)),
    "cities": lambda edition, view: places.city_places(view.cities, (_EDGE, _LINE)),
    "initiative": lambda edition, view: places.initiative_places(edition, (_EDGE, _LINE)),
    "rewards": lambda edition, view: places.reward_places(view, (_EDGE, _LINE)),
}


def _part(edition: Edition, part: table.Part, theme: Theme) -> Scene:
    shapes = tuple(part.draw(edition, *part.values, (_EDGE, _EDGE + part.above), theme))
    return Scene(table.WIDTH + 2 * _EDGE, part.height + 2 * _EDGE, "", (Layer(shapes),))


def _board(edition: Edition, player: PlayerView, theme: Theme) -> Scene:
    width, height = boards.board_size(edition)
    layers = boards.board(edition, player, (_EDGE, _EDGE), theme)
    return Scene(width + 2 * _EDGE, height + 2 * _EDGE, "", tuple(layers))


def spots(view: GameView) -> Iterator[Spot]:
    """Yields the dice, assignments, cities, tiles, slots and rows that stand for actions."""
    if view.to_act is None:
        return
    step = table.WIDTH / len(view.colors)
    for i, color in enumerate(view.colors):
        left = _EDGE + step * i
        for k, value in enumerate(color.dice):
            around = rectangle(left + 5 + 30 * k, _EDGE + 44, 26, 26)
            yield Spot("dice and assignments", None, around, _with_die(color, value), first=True)
        for slot in (1, 2):
            around = rectangle(left, _EDGE + 90 + 70 * (slot - 1), step - 8, 66)
            actions = tuple(f"{color.name} {v} assign {slot}" for v in _FACES)
            yield Spot("dice and assignments", None, around, actions)
    slots = range(1, 1 + len(view.players[0].careers[0]))
    for i, city in enumerate(view.cities):
        around = rectangle(_EDGE, _LINE + 32 + 54 * i, table.WIDTH, 48)
        weddings = (f"marry {city.name} {dowry}" for dowry in range(1, MAX_DOWRY + 1))
        missions = (f"mission {name} {slot} {city.name}" for name in view.careers for slot in slots)
        yield Spot("cities", None, around, (*weddings, *missions))
    step = table.WIDTH / (len(view.bonus_tiles) + len(view.vp_tiles))
    around = rectangle(_EDGE + step * (view.round - 1), _LINE + 14, step - 6, 82)
    yield Spot("rewards", None, around, ("bonus",))
    around = rectangle(_EDGE, _LINE + 12, table.WIDTH - 5, 112)
    yield Spot("initiative", None, around, ("initiative",))
    yield from _own_spots(view, view.players[view.to_act])


def spot_of(view: GameView, action: str) -> Spot | None:
    """Returns the place that says most about an action's text, if there is any."""
    found = [spot for spot in spots(view) if action in spot.actions]
    return min(found, key=lambda spot: len(spot.actions), default=None)


def in_block(points: tuple[Point, ...], above: float = 0.0) -> tuple[Point, ...]:
    """Returns corners in a block relative to what it shows, such as a board."""
    return translated(points, (-_EDGE, -_EDGE - above))


#: Left end and width of what a board holds at the top, with the actions that it stands for.
_HELD = {
    (0.0, 38.0): ("florins", "pay", "keep"),
    (138.0, 106.0): ("spend 1", "spend 2", "spend 3"),
    (682.0, 238.0): ("wed", "no wed"),
}
_FACES = range(1, NUM_FACES + 1)


def _with_die(color: ColorView, value: int) -> tuple[str, ...]:
    """Returns the actions that take a die."""
    hires = (f"hire {slot}" for slot in range(1, len(color.helpers) + 1))
    choices = (*hires, "assign 1", "assign 2", "signoria")
    return tuple(f"{color.name} {value} {choice}" for choice in choices)


def _own_spots(view: GameView, player: PlayerView) -> Iterator[Spot]:
    """Yields the places of the own board: Signoria actions, helpers, careers and rows."""
    for (left, width), actions in _HELD.items():
        around = rectangle(_EDGE + left, _EDGE + 4, width, 40)
        yield Spot("board", player.seat, around, actions)
    hiring = {color.hires_in: color.name for color in view.colors}
    for i, color in enumerate(view.colors):
        left, top = boards.column_place(i, (_EDGE, _EDGE))
        around = rectangle(left, top + 34, boards.COLUMN, 56)
        actions = tuple(f"{color.name} {value} signoria" for value in _FACES)
        yield Spot("board", player.seat, around, actions)
        for slot in range(1, len(color.helpers) + 1):
            around = rectangle(left + 4, top + 94 + boards.SLOT * (slot - 1), boards.COLUMN - 8, 40)
            hires = (f"{hiring[color.name]} {value} hire {slot}" for value in _FACES)
            acts = ("use", "skip") * (view.effect == f"helper {color.name} {slot}")
            actions = (*hires, f"helper {color.name} {slot}", *acts)
            yield Spot("board", player.seat, around, actions)
    helpers = len(view.colors[0].helpers)
    for i, name in enumerate(view.careers):
        slots = range(1, len(player.careers[i]) + 1)
        for slot in slots:
            place = boards.career_place(helpers, len(slots), i, slot, (_EDGE, _EDGE))
            around = rectangle(*place)
            moves = [f"mission {name} {slot} {city.name}" for city in view.cities]
            moves += [f"advance {name} {slot}"] if slot < len(slots) else []
            moves += [f"enter {name}"] if slot == 1 else []
            yield Spot("board", player.seat, around, tuple(moves))
    for i, name in enumerate((*view.careers, "marriage")):
        left, top = boards.row_place(helpers, i, (_EDGE, _EDGE))
        yield Spot("board", player.seat, rectangle(left - 6, top, 450, 48), (f"row {name}",))
