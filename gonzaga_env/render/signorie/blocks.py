"""The table in blocks, for players in the browser.

What lies on it, what can be chosen, what is told of the pieces, and why a choice is refused. The
rules' numbers are those of gonzaga_env/data/rules/signorie.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from gonzaga_env.kernel.sentences import Sentence, say
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.pictures import Block, Place, Spot, one_line_each
from gonzaga_env.render.shapes import Layer, Point, Scene, rectangle, translated
from gonzaga_env.render.signorie import player_board, table, text
from gonzaga_env.signorie.constants import MAX_DOWRY, NUM_FACES, SEXES
from gonzaga_env.signorie.edition import Edition
from gonzaga_env.signorie.view import (
    AssignmentView,
    CityView,
    ColorView,
    GameView,
    PlayerView,
    question_words,
)

_EDGE = 3.0  # around a block
_AT = _EDGE, _EDGE


def blocks(edition: Edition, view: GameView) -> Iterator[Block]:
    """Yields dice and assignments, cities, initiative, rewards, and each player's board."""
    for part in table.parts(view):
        lines = one_line_each(text.LINES[part.name](edition, view))
        places = tuple(_PLACES[part.name](edition, view))
        yield Block(part.name, None, _part, (edition, part), lines, places, part.below)
    for player in view.players:
        places = board_places(edition, view.colors, player, _AT)
        _, *rest = text.player_lines(edition, view, player, False)  # the head says who, and VP
        first = f"{player.florins} Florins" + ", passed" * player.passed
        yield Block(
            "board", player.seat, _board, (edition, player), (first, *one_line_each(rest)), places
        )


_PLACES: dict[str, Callable[[Edition, GameView], Iterator[Place]]] = {
    "dice and assignments": lambda edition, view: dice_places(view.colors, _AT),
    "cities": lambda edition, view: city_places(view.cities, _AT),
    "initiative": lambda edition, view: initiative_places(edition, _AT),
    "rewards": lambda edition, view: reward_places(view, _AT),
}


def _part(edition: Edition, part: table.Part, theme: Theme) -> Scene:
    shapes = tuple(part.draw(edition, *part.values, _AT, theme))
    size = table.TABLE_WIDTH + 2 * _EDGE, part.height + 2 * _EDGE + 3
    return Scene(*size, "", (Layer(shapes),))


def _board(edition: Edition, player: PlayerView, theme: Theme) -> Scene:
    width, height = player_board.board_size(edition)
    layers = player_board.board(edition, player, _AT, theme)
    return Scene(width + 2 * _EDGE, height + 2 * _EDGE + 3, "", tuple(layers))


def spots(view: GameView) -> Iterator[Spot]:
    """Yields the dice, assignments, cities, tiles, slots and rows that stand for actions."""
    if view.to_act is None:
        return
    for i, color in enumerate(view.colors):
        for k, value in enumerate(color.dice):
            x, y = table.die_place(i, k, _AT)
            around = rectangle(x - 14, y - 14, 28, 28)
            yield Spot("dice and assignments", None, around, _with_die(color, value), first=True)
        for slot in (1, 2):
            around = rectangle(*table.assignment_place(i, slot - 1, _AT))
            actions = tuple(f"{color.name} {v} assign {slot}" for v in _FACES)
            yield Spot("dice and assignments", None, around, actions)
    slots = range(1, 1 + len(view.players[0].careers[0]))
    for i, city in enumerate(view.cities):
        weddings = (f"marry {city.name} {dowry}" for dowry in range(1, MAX_DOWRY + 1))
        missions = (f"mission {name} {slot} {city.name}" for name in view.careers for slot in slots)
        yield Spot("cities", None, city_place(i, _AT), (*weddings, *missions))
    number = len(view.bonus_tiles) + len(view.vp_tiles)
    yield Spot("rewards", None, reward_place(view.round - 1, number, _AT), ("bonus",))
    around = rectangle(_EDGE + 4, _EDGE + 4, table.TABLE_WIDTH - 8, 122)
    yield Spot("initiative", None, around, ("initiative",))
    yield from _own_spots(view, view.players[view.to_act])


def spot_of(view: GameView, action: str) -> Spot | None:
    """Returns the place that says most about an action's text, if there is any."""
    found = [spot for spot in spots(view) if action in spot.actions]
    return min(found, key=lambda spot: len(spot.actions), default=None)


def in_block(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Returns corners in a block relative to what it shows, such as a board."""
    return translated(points, (-_EDGE, -_EDGE))


def city_place(i: int, at: Point) -> tuple[Point, ...]:
    (x, y), (width, height) = table.CITIES[i], table.CITY_SIZE
    return rectangle(at[0] + x, at[1] + y, width, height - 2)


def reward_place(i: int, number: int, at: Point) -> tuple[Point, ...]:
    left, width = table.reward_place(i, number, at[0])
    return rectangle(left, at[1] + 9, width, 80)


#: Left end and width of what a board holds at the top, with the actions that it stands for.
_HELD = {
    (10.0, 42.0): ("florins", "pay", "keep"),
    (60.0, 224.0): ("spend 1", "spend 2", "spend 3"),
    (672.0, 266.0): ("wed", "no wed"),
}
_FACES = range(1, NUM_FACES + 1)


def _with_die(color: ColorView, value: int) -> tuple[str, ...]:
    hires = (f"hire {slot}" for slot in range(1, len(color.helpers) + 1))
    choices = (*hires, "assign 1", "assign 2", "signoria")
    return tuple(f"{color.name} {value} {choice}" for choice in choices)


def _own_spots(view: GameView, player: PlayerView) -> Iterator[Spot]:
    """Yields the places of the own board: Signoria actions, helpers, careers and rows."""
    for (left, width), actions in _HELD.items():
        around = rectangle(_EDGE + left, _EDGE + 9, width, 43)
        yield Spot("board", player.seat, around, actions)
    hiring = {color.hires_in: color.name for color in view.colors}
    for i, color in enumerate(view.colors):
        left, top = player_board.column_place(i, _AT)
        around = rectangle(left, top + 34, player_board.COLUMN, 56)
        actions = tuple(f"{color.name} {value} signoria" for value in _FACES)
        yield Spot("board", player.seat, around, actions)
        for slot in range(1, len(color.helpers) + 1):
            around = rectangle(*player_board.helper_place(slot - 1, (left, top)))
            hires = (f"{hiring[color.name]} {value} hire {slot}" for value in _FACES)
            acts = ("use", "skip") * (view.effect == f"helper {color.name} {slot}")
            actions = (*hires, f"helper {color.name} {slot}", *acts)
            yield Spot("board", player.seat, around, actions)
    helpers = len(view.colors[0].helpers)
    for i, name in enumerate(view.careers):
        slots = range(1, len(player.careers[i]) + 1)
        for slot in slots:
            place = player_board.career_place(helpers, len(slots), i, slot, _AT)
            around = rectangle(*place)
            moves = [f"mission {name} {slot} {city.name}" for city in view.cities]
            moves += [f"advance {name} {slot}"] if slot < len(slots) else []
            moves += [f"enter {name}"] if slot == 1 else []
            yield Spot("board", player.seat, around, tuple(moves))
    for i, name in enumerate((*view.careers, "marriage")):
        left, top = player_board.row_place(helpers, i, _AT)
        yield Spot("board", player.seat, rectangle(left - 4, top + 2, 462, 44), (f"row {name}",))


_COLUMN = "{x} slot {n}: a die costs what it lacks to {n} (S5.3); its Signoria: {effect} (S8)"
_SLOT = "{x} slot {n}: rank {rank}, {vp} VP in a mission (S8.2), half at the end (S12.1)"
_ROW = "{x} row, for tiles of {missing}: it scores from three tiles on (S10.1, S12.2)"
_CITY = (
    "{city}, {lowest}: a male of that rank scores the VP of his career slot "
    "(S8.2), a female with such a dowry 2 VP a Florin (S8.5)"
)
_INITIATIVE = (
    "initiative slot {n}: {vp} VP at the end of the round (S11.1); "
    "who is further up goes first (S11.2)"
)


def _lacking(color: ColorView, value: int) -> int:
    return max(0, color.cost - value)


def dice_places(colors: tuple[ColorView, ...], at: Point) -> Iterator[Place]:
    for i, color in enumerate(colors):
        for k, value in enumerate(color.dice):
            paid, (x, y) = _lacking(color, value), table.die_place(i, k, at)
            template = "{x} {n}: {costs} on the slot of {cost} (S5.3)"
            words = say(template, x=say(color.name), n=value, costs=_costs(paid), cost=color.cost)
            yield Place(rectangle(x - 14, y - 14, 28, 28), words)
        for slot, one in enumerate(color.assignments):
            template = "assignment {x}: spend {spent} for {effect} (S7.1)"
            words = say(template, x=say(one.name), spent=_spent(one), effect=one.effect)
            yield Place(rectangle(*table.assignment_place(i, slot, at)), words)


def _costs(florins: int) -> Sentence:
    if not florins:
        return say("costs nothing")
    return say("costs {n} Florins" if florins != 1 else "costs {n} Florin", n=florins)


def _spent(assignment: AssignmentView) -> Sentence:
    number = assignment.meeples.strip(".")
    sexes = say(assignment.sex + "s" * (assignment.meeples != "1"))
    template = "1 to {n} {sexes}" if ".." in assignment.meeples else "{n} {sexes}"
    return say(template, n=number, sexes=sexes)


def city_places(cities: tuple[CityView, ...], at: Point) -> Iterator[Place]:
    for i, city in enumerate(cities):
        if city.in_play:
            lowest = say("no empty slot")
            if city.empty:
                lowest = say("next empty slot {n}", n=city.empty[0])
            words = say(_CITY, city=city.name, lowest=lowest)
        else:
            words = say("{city} is not in play (S2.6)", city=city.name)
        yield Place(city_place(i, at), words)


def initiative_places(edition: Edition, at: Point) -> Iterator[Place]:
    for slot, vp in enumerate(edition.initiative_vp):
        left, width = table.initiative_place(slot, len(edition.initiative_vp), at[0])
        around = rectangle(left, at[1] + 6, width - 3, 118)
        yield Place(around, say(_INITIATIVE, n=slot + 1, vp=vp))


def reward_places(view: GameView, at: Point) -> Iterator[Place]:
    bonus, template = "{x}: {effect}, or Florins (S11.4)", "{n} VP for each of {per} (S11.5)"
    words = [say(bonus, x=say(name), effect=effect) for name, effect in view.bonus_tiles]
    words += [say(template, n=vp, per=say(f"your {per}")) for _, vp, per in view.vp_tiles]
    for i, what in enumerate(words):
        around = reward_place(i, len(words), at)
        yield Place(around, say("reward of round {n}: {text}", n=i + 1, text=what))


def board_places(
    edition: Edition, colors: tuple[ColorView, ...], player: PlayerView, at: Point
) -> tuple[Place, ...]:
    shields = tuple(row.shields for row in player.rows)
    fixed = tuple(color._replace(dice=(), assignments=()) for color in colors)
    return _board_places(edition, fixed, player.helpers, shields, at)


@lru_cache(maxsize=256)
def _board_places(
    edition: Edition,
    colors: tuple[ColorView, ...],
    hired: tuple[tuple[bool, ...], ...],
    shields: tuple[tuple[str, ...], ...],
    at: Point,
) -> tuple[Place, ...]:
    left, top = at
    held = (
        Place(rectangle(left + x, top + 9, width, 43), say(words))
        for x, width, words in _ABOUT_HELD
    )
    columns = _column_places(edition, colors, hired, at)
    return (*held, *columns, *_career_places(edition, shields, at))


def _column_places(
    edition: Edition, colors: tuple[ColorView, ...], hired: tuple[tuple[bool, ...], ...], at: Point
) -> Iterator[Place]:
    hiring = {color.hires_in: color.name for color in colors}
    for i, color in enumerate(colors):
        (x, y), name = player_board.column_place(i, at), color.name
        around = rectangle(x, y + 34, player_board.COLUMN, 56)
        words = say(_COLUMN, x=say(name), n=color.cost, effect=color.signoria)
        yield Place(around, words)
        for slot, (price, effect) in enumerate(color.helpers):
            around = rectangle(*player_board.helper_place(slot, (x, y)))
            state = say("hired")
            if not hired[i][slot]:
                die = say(f"{hiring[name]} die")
                state = say("{n} Florins, with a {die}", n=price, die=die)
            template = "helper {x} {n}: {effect} with each {die} (S6.3); {state} (S6.1)"
            parts = {"x": say(name), "die": say(f"{name} die"), "effect": effect, "state": state}
            yield Place(around, say(template, n=slot + 1, **parts))


def _career_places(
    edition: Edition, shields: tuple[tuple[str, ...], ...], at: Point
) -> Iterator[Place]:
    helpers, number = edition.num_helper_slots, edition.num_career_slots
    for i, name in enumerate(edition.careers):
        for slot in range(1, number + 1):
            around = rectangle(*player_board.career_place(helpers, number, i, slot, at))
            rank, vp = edition.ranks[slot - 1], edition.slot_vp[slot - 1]
            words = say(_SLOT, x=say(name), n=slot, rank=rank, vp=vp)
            yield Place(around, words)
    for i, name in enumerate(player_board.row_names(edition)):
        x, y = player_board.row_place(helpers, i, at)
        missing = ", ".join(dict.fromkeys(shields[i])) or say("none")
        words = say(_ROW, x=say(name), missing=missing)
        yield Place(rectangle(x - 4, y + 2, 462, 44), words)


#: Left end and width of what a board holds at the top, and what is told of it.
_ABOUT_HELD = (
    (10.0, 42.0, "Florins: pay for dice, helpers and dowries; worth nothing at the end (S5.3)"),
    (60.0, 224.0, "males and females available: to spend, to enter careers, to marry (S7.1)"),
    (292.0, 224.0, "general stock: offspring come from it, and spent meeples go there (S7.3)"),
    (526.0, 136.0, "sum of your dice; at most this brings the round's reward (S11.3)"),
    (672.0, 266.0, "brides: VP, and one more die for each with offspring (S11.4, S8.3)"),
)


def reason(edition: Edition, view: GameView, spot: Spot) -> str:
    if view.decision != "main":
        return say("now you decide: {question}", question=question_words(view))
    player = view.players[view.to_act or 0]
    taking = [text.split() for text in spot.actions if text.split()[0] in edition.colors]
    if not taking:
        return say("dice bring missions, marriages and track points (S5.3)")
    index = edition.colors.index(taking[0][0])
    color = view.colors[index]
    if sum(value > 0 for value in player.dice) >= edition.num_dice:
        return say("{n} dice a round at most: pass (S5.2)", n=edition.num_dice)
    die = say(f"{color.name} die")
    if player.dice[index]:
        return say("you have a {die} in this round: one of a colour (S5.2)", die=die)
    if not color.dice:
        return say("there is no {die} left (S5.1)", die=die)
    paid = min(_lacking(color, value) for value in color.dice)
    if spot.first:
        paid = _lacking(color, int(taking[0][1]))
        if paid > player.florins:
            return say("it costs {n} Florins, you have {held} (S5.3)", n=paid, held=player.florins)
        return say("you can't pay for any whole action with it, or none is possible (S5.4)")
    match taking[0][2:]:
        case ["hire", number]:
            return _hire_reason(view, player, color, int(number), paid)
        case ["assign", number]:
            one = color.assignments[int(number) - 1]
            held = player.supply[SEXES.index(one.sex)]
            if held < int(one.meeples.strip(".") if ".." not in one.meeples else 1):
                spent = _spent(one)
                return say("it takes {spent}, you have {held} (S7.1)", spent=spent, held=held)
    if paid > player.florins:
        template = "a {die} costs {n} Florins, you have {held} (S5.3)"
        return say(template, die=die, n=paid, held=player.florins)
    return say("it has nothing to do now, or you can't pay for all of it (S5.4)")


def _hire_reason(
    view: GameView, player: PlayerView, color: ColorView, number: int, paid: int
) -> str:
    column = next(i for i, one in enumerate(view.colors) if one.name == color.hires_in)
    if player.helpers[column][number - 1]:
        return say("you have this helper (S6.1)")
    if not view.helpers_left:
        return say("no helper is left in the supply (S6.1)")
    price = view.colors[column].helpers[number - 1][0] + paid
    template = "costs {n} Florins with the {die}, you have {held} (S6.1, S5.3)"
    return say(template, n=price, die=say(f"{color.name} die"), held=player.florins)
