"""What is told of the pieces: their names, effects and rules; and why they are refused.

The numbers are those of docs/rules-tuscany.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gonzaga_env.kernel.sentences import Sentence, say
from gonzaga_env.render.pictures import Place, Spot
from gonzaga_env.render.shapes import Point, rectangle
from gonzaga_env.render.tuscany import table
from gonzaga_env.render.tuscany.pieces import HALF, RegionPlaces, corners
from gonzaga_env.render.tuscany.player import RADIUS, card_place, storage_place
from gonzaga_env.tuscany.board import CELL_NAMES
from gonzaga_env.tuscany.constants import BONUS_TYPES, COLOURS
from gonzaga_env.tuscany.view import COLOUR_NAMES, GameView, PlayerView, piece_words, question_words

_NEAR = 2.1 * HALF * RADIUS  # between the centres of hexes that touch

#: What a tile does when it is placed, by its colour.
_EFFECTS = {
    "V": "a worker, who pays like a card of any colour (T8.6)",
    "A": "1 green for each crop that its zone lacks (T8.4)",
    "W": "a yield card (T8.8)",
    "M": "3 region cards (T8.7)",
    "Q": "a marble, for one more action (T8.5, T3.2)",
    "C": "a bonus tile (T8.2)",
    "I": "a wooden hexagon, which fits any colour (T8.3)",
    "F": "one more tile from the display, without paying (T8.1)",
}
_BONUSES = {
    "card": "one more card with each draw (T4.1)",
    "storage": "one more storage space, and 2 green (T9.1, T9.3)",
    "marble": "one more marble from each quarry (T8.5)",
    "worker": "one more worker from each village (T8.6)",
    "yield": "one more yield card from each wagon (T8.8)",
}

_COMPLETED = (
    "{x}: {effect}. Green for the first and second player whose region has all of them covered "
    "(T7.2)"
)


def _effect(piece: str) -> Sentence:
    if piece == "hexagon":
        return say("wooden hexagon: lies on a hex of any colour, and acts as its tile (T6.3)")
    return say("{x}: {effect}", x=piece_words(piece), effect=say(_EFFECTS[piece[0]]))


@lru_cache(maxsize=256)
def display_places(tiles: tuple[str, ...], at: Point) -> tuple[Place, ...]:
    """Returns the tiles on display."""
    return tuple(_display_places(tiles, at))


def _display_places(tiles: tuple[str, ...], at: Point) -> Iterator[Place]:
    for i, kind in enumerate(tiles):
        around = corners(table.display_place(i, *at), table.RADIUS)
        yield Place(around, say("{x}. Take it into storage (T5.1)", x=_effect(kind)))


@lru_cache(maxsize=4)
def supply_places(left: float, top: float, stock_top: float) -> tuple[Place, ...]:
    """Returns the piles and the bonus tiles in stock."""
    return (*_pile_places(left, top), *bonus_places(left, stock_top))


def _pile_places(left: float, top: float) -> Iterator[Place]:
    piles = (
        "region cards: draw 2, and 1 more for each +1 card tile (T4.1)",
        "yield cards: a wagon turns one up (T8.8)",
        "neutral tiles: fill the display where own stacks are empty (T5.4)",
    )
    for i, words in enumerate(piles):
        yield Place(rectangle(left, top - 4 + 25 * i, table.WIDTH, 24), say(words))


def bonus_places(left: float, top: float) -> Iterator[Place]:
    """Yields the bonus tiles of each type, in stock or held."""
    for i, name in enumerate(BONUS_TYPES):
        around = rectangle(left + 69 * i, top, 62, 56)
        template, effect = "bonus tile +1 {bonus}: {effect}", say(_BONUSES[name])
        yield Place(around, say(template, bonus=say(name), effect=effect))


@lru_cache(maxsize=4)
def colour_places(left: float, top: float) -> tuple[Place, ...]:
    """Returns the colours with the points for completing them."""
    return tuple(_colour_places(left, top))


def _colour_places(left: float, top: float) -> Iterator[Place]:
    for i, (letter, name) in enumerate(zip(COLOURS, COLOUR_NAMES, strict=True)):
        around = rectangle(left + 238 * (i // 4), top - 3 + 34 * (i % 4), 230, 34)
        yield Place(around, say(_COMPLETED, x=say(name), effect=say(_EFFECTS[letter])))


@lru_cache(maxsize=256)
def region_places(player: PlayerView, at: Point) -> tuple[Place, ...]:
    """Returns the hexes of a region; `player` is all that it depends on (`player.region_of`)."""
    return tuple(_region_places(player, at)) if player.layout else ()


def _region_places(player: PlayerView, at: Point) -> Iterator[Place]:
    places = RegionPlaces.of(player.layout, *at, RADIUS)
    crops = dict(player.crops)
    for cell, letter, center in zip(CELL_NAMES, player.region, places.centers, strict=True):
        piece = letter.upper() + crops.get(cell, "")
        if letter.islower():
            words = "{cell}, covered: {x} (T7.1)"
            if cell in player.wooden:
                words = "{cell}, covered: a wooden hexagon as {x} (T7.1)"
            told = say(words, cell=cell, x=piece_words(piece))
        else:
            told = say("{cell}, {x}. Costs two units (T6.2)", cell=cell, x=_effect(piece))
        yield Place(corners(center, RADIUS), told)


@lru_cache(maxsize=256)
def held_places(player: PlayerView, at: Point) -> tuple[Place, ...]:
    """Returns what a player holds; `player` is all that it depends on (`player.held_by`)."""
    return tuple(_held_places(player, at))


def _held_places(player: PlayerView, at: Point) -> Iterator[Place]:
    x, y = at
    for i, letter in enumerate(letter for letter in COLOURS if letter in (player.hand or "")):
        left, top = card_place(i, x, y)
        name = COLOUR_NAMES[COLOURS.index(letter)]
        template = "{cards}: each pays a unit on {x}, two of them one elsewhere (T6.2)"
        words = say(template, cards=say(f"{name} cards"), x=say(name))
        yield Place(rectangle(left - 20, top - 29, 40, 60), words)
    for i, piece in enumerate(player.storage):
        around = corners(storage_place(i, x, y), 22)
        yield Place(around, say("stored {x}. 1 red at the end (T11.2)", x=_effect(piece)))
    text = "marble: one more action in a turn (T3.2), or 1 red at the end (T11.2)"
    yield Place(rectangle(x + 216, y + 104, 68, 62), say(text))
    text = "workers: each pays a unit of any colour (T6.2), or 1 red at the end (T11.2)"
    yield Place(rectangle(x + 284, y + 104, 62, 62), say(text))
    yield from bonus_places(x, y + 216)
    text = "own stacks: refill the display; the 7th, 14th and 21st tile end rounds (T5.3, T10.1)"
    yield Place(rectangle(x + 114, y + 274, 220, 48), say(text))


def reason(edition: object, view: GameView, spot: Spot) -> str:
    """Returns why a spot's actions are not legal now, with the rule."""
    player = view.players[view.to_act or 0]
    if view.decision not in ("main", "castle", "starting castle"):
        return say("now you decide: {question}", question=question_words(view))
    if spot.block == "supply":
        return say("a city brings a bonus tile (T8.2)") if "draw" not in spot.actions else ""
    if spot.block == "display":
        return say("no empty hex of its colour touches what you have covered (T8.1)")
    if spot.block == "holdings":
        return _held_reason(spot.actions)
    cell = spot.actions[0].partition(" ")[2]
    letter = player.region[CELL_NAMES.index(cell)]
    if letter.islower():
        return say("{cell} is covered (T6.1)", cell=cell)
    name = COLOUR_NAMES[COLOURS.index(letter)]
    if view.decision == "starting castle":
        template = "{cell} is a hex for {x}; the starting castle lies on a castle hex (T2.4)"
    elif not _touches(player, cell):
        template = "{cell} touches no covered hex (T6.1)"
    elif view.decision == "castle":
        template = "no {x} is on display (T8.1)"
    elif not any(piece == "hexagon" or piece[0] == letter for piece in player.storage):
        template = "your storage holds nothing for {cell}: {x}, or a wooden hexagon (T6.1, T6.3)"
    else:
        template = "you can't pay two units for {cell}: {cards}, pairs, or workers (T6.2)"
    return say(template, cell=cell, x=say(name), cards=say(f"{name} cards"))


def _held_reason(actions: tuple[str, ...]) -> str:
    if actions[0].startswith("pay"):
        return say("cards and workers pay for a tile that you place (T6.2)")
    if actions == ("marble",):
        return say("a marble is paid after the turn's action, for one more (T3.2)")
    return say(
        "no empty hex of its colour touches what you have covered, or you can't pay (T6.1, T6.2)"
    )


def _touches(player: PlayerView, cell: str) -> bool:
    """Whether a hex touches a covered one."""
    centers = RegionPlaces.of(player.layout, 0, 0, RADIUS).centers
    x, y = centers[CELL_NAMES.index(cell)]
    return any(
        letter.islower() and 0 < (x - cx) ** 2 + (y - cy) ** 2 < _NEAR**2
        for letter, (cx, cy) in zip(player.region, centers, strict=True)
    )
