"""The table in blocks, for players in the browser.

What lies on it, what can be chosen, what is told of the pieces, and why a choice is refused. The
rules' numbers are those of gonzaga_env/data/rules/tuscany.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gonzaga_env.kernel.sentences import Sentence, say
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.pictures import Block, Place, Spot, cached_tuple, one_line_each
from gonzaga_env.render.shapes import Layer, Point, Scene, Shape, rectangle
from gonzaga_env.render.tuscany import table, text
from gonzaga_env.render.tuscany.pieces import HALF, RegionPlaces, board_size, corners
from gonzaga_env.render.tuscany.table import (
    BOARD_RADIUS,
    HEX_RADIUS,
    board_place,
    card_place,
    held_by,
    holdings,
    player_region,
    region_of,
    storage_place,
)
from gonzaga_env.tuscany.board import CELL_NAMES, LAYOUTS, UNITS, region, region_text
from gonzaga_env.tuscany.constants import BONUS_TYPES, COLOURS
from gonzaga_env.tuscany.edition import BOARD_NAMES, Edition
from gonzaga_env.tuscany.view import COLOUR_NAMES, GameView, PlayerView, piece_words, question_words

_EDGE = 3.0  # around a block
_STOCK = _EDGE + 116  # where the bonus tiles of the supply begin


def blocks(edition: Edition, view: GameView) -> Iterator[Block]:
    """Yields the display, the supply, colours, and each player's region and holdings."""
    shown, at = tuple(map(piece_words, view.display)), (_EDGE, _EDGE)
    places = display_places(view.display, at)
    yield Block("display", None, _display, (view.display,), shown, places)
    piles = table.piles(view), view.bonus_stock
    words = (*map(": ".join, table.pile_words(view)),)
    lines = (*words, f"bonus tiles: {text.bonus_words(view.bonus_stock)}")
    yield Block("supply", None, _supply, piles, lines, supply_places(*at))
    colours = view.colour_points, table.finishers(view)
    lines = tuple(text.colour_lines(view, *colours))
    name = "points for completed colours"
    yield Block(name, None, _colours, colours, lines, colour_places(*at))
    for player in view.players:
        pending = view.cell if view.to_act == player.seat else None
        named = view.viewer in (player.seat, "spectator", "public")  # small boards have no names
        laid = edition, region_of(player), pending, named
        boards, *held_lines = one_line_each(text.holdings_lines(player))
        where = (boards, *text.region_lines(player))
        places = region_places(laid[1], _CORNER)
        yield Block("region", player.seat, _region, laid, where, places)
        held = replace(held_by(player), boards=(), layout="")  # the region shows them
        places = held_places(held, at)
        yield Block("holdings", player.seat, _holdings, (held,), tuple(held_lines), places)


_CORNER = _EDGE + table.FRAME, _EDGE + table.FRAME  # of a region


def _scene(width: float, height: float, shapes: Iterable[Shape]) -> Scene:
    return Scene(width + 2 * _EDGE, height + 2 * _EDGE + 3, "", (Layer(tuple(shapes)),))


def _display(tiles: tuple[str, ...], theme: Theme) -> Scene:
    shapes = table.display(tiles, _EDGE, _EDGE, theme)
    return _scene(table.DISPLAY_WIDTH, table.DISPLAY_HEIGHT, shapes)


def _supply(piles: tuple[int, ...], stock: tuple[int, ...], theme: Theme) -> Scene:
    shapes = table.supply(piles, stock, _EDGE, _EDGE, theme)
    return _scene(table.SUPPLY_WIDTH, table.DISPLAY_HEIGHT, shapes)


def _colours(
    bonus: tuple[tuple[int, int], ...], done: tuple[tuple[int, ...], ...], theme: Theme
) -> Scene:
    shapes = table.colours(bonus, done, _EDGE, _EDGE, theme)
    return _scene(table.TABLE_WIDTH, table.COLOURS_HEIGHT, shapes)


def _region(
    edition: Edition, player: PlayerView, pending: str | None, named: bool, theme: Theme
) -> Scene:
    shapes = player_region(edition, player, pending, (_EDGE, _EDGE), theme, named)
    return _scene(*table.BOARD_SIZE, shapes)


def _holdings(player: PlayerView, theme: Theme) -> Scene:
    return _scene(table.HELD_WIDTH, table.HELD_HEIGHT, holdings(player, _EDGE, _EDGE, theme))


def spots(view: GameView) -> Iterator[Spot]:
    """Yields the tiles, hexes, stored pieces and tokens that stand for actions."""
    if view.to_act is None:
        return
    player = view.players[view.to_act]
    hexes = [*zip(CELL_NAMES, player.region, strict=False)] if "castle" in view.decision else []
    for i, kind in enumerate(view.display):
        around = corners(table.display_place(i, _EDGE, _EDGE), table.TILE_RADIUS)
        placed = (f"tile {cell}" for cell, letter in hexes if letter == kind[0])  # T8.1
        yield Spot("display", None, around, (f"take {kind}", f"crop {kind}", *placed))
    x, y = table.pile_place(0, _EDGE, _EDGE)
    yield Spot("supply", None, rectangle(x - 25, y - 32, 50, 68), ("draw",))
    for i, name in enumerate(BONUS_TYPES):
        around = bonus_place(i, _EDGE + 8, _STOCK)
        yield Spot("supply", None, around, (f"bonus {name}",))
    yield from _own_spots(player)
    cells = dict(zip(CELL_NAMES, player.region, strict=False))
    yield from _paid(player, cells.get(view.cell or ""))


def shown_words(view: GameView) -> Iterator[tuple[str, Spot]]:
    """Yields the letters of boards in texts of layouts, and where the boards lie (T2.4)."""
    if view.decision != "layout" or view.to_act is None:
        return
    for i, name in enumerate(view.players[view.to_act].boards):
        around = rectangle(*board_place(i, *_CORNER), *board_size(BOARD_RADIUS))
        yield name[0], Spot("region", view.to_act, around, ())


def _own_spots(player: PlayerView) -> Iterator[Spot]:
    """Yields what a player has: hexes and stored pieces, both for placing, and marble."""
    cells = dict(zip(CELL_NAMES, player.region, strict=False))
    for i, piece in enumerate(player.storage):
        verb, letter = ("hexagon", None) if piece == "hexagon" else ("tile", piece[0])
        texts = tuple(f"{verb} {cell}" for cell, has in cells.items() if letter in (None, has))
        around = corners(storage_place(i, _EDGE, _EDGE), 22)
        yield Spot("holdings", player.seat, around, (*texts, f"remove {piece}", f"crop {piece}"))
    if player.layout:
        centers = RegionPlaces.of(player.layout, *_CORNER, HEX_RADIUS).centers
        for cell, center in zip(cells, centers, strict=True):
            actions = f"tile {cell}", f"hexagon {cell}"
            yield Spot("region", player.seat, corners(center, HEX_RADIUS), actions)
    yield Spot("holdings", player.seat, tray_place(2, _EDGE, _EDGE), ("marble",))


def _paid(player: PlayerView, own: str | None) -> Iterator[Spot]:
    """Yields the cards and workers, which stand for all payments with them (T6.2)."""
    held = [letter for letter in COLOURS if letter in (player.hand or "")]
    places = [card_place(i, _EDGE, _EDGE) for i in range(len(held))]
    cards = [rectangle(x - 20, y - 34, 40, 66) for x, y in places]  # with their numbers
    workers = tray_place(3, _EDGE, _EDGE)
    for around, letter in zip((*cards, workers), (*held, "worker"), strict=True):
        unit = "own" if letter == own else letter if letter == "worker" else letter * 2
        pairs = (sorted((unit, other), key=UNITS.index) for other in UNITS)
        texts = (f"pay {'+'.join(pair)}" for pair in pairs)
        yield Spot("holdings", player.seat, around, tuple(texts))


def preview(edition: Edition, view: GameView, action: str) -> GameView | None:
    """Returns the view with the boards joined as a layout says (T2.4); None for other actions."""
    verb, _, what = action.partition(" ")
    if verb != "layout" or view.to_act is None:
        return None
    player = view.players[view.to_act]
    layout = next(i for i, layout in enumerate(LAYOUTS) if layout.text == what)
    numbers = [BOARD_NAMES.index(name) % 4 for name in player.boards]
    boards = 16 * numbers[0] + 4 * numbers[1] + numbers[2]
    text = region_text(region(edition.boards, boards, layout).colours, 0)
    joined = replace(player, layout=what, region=text)
    players = (joined if p.seat == player.seat else p for p in view.players)
    return replace(view, players=tuple(players))


_NEAR = 2.1 * HALF * HEX_RADIUS  # between the centres of hexes that touch

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


@cached_tuple
def display_places(tiles: tuple[str, ...], at: Point) -> Iterator[Place]:
    for i, kind in enumerate(tiles):
        around = corners(table.display_place(i, *at), table.TILE_RADIUS)
        yield Place(around, say("{x}. Take it into storage (T5.1)", x=_effect(kind)))


@cached_tuple
def supply_places(left: float, top: float) -> Iterator[Place]:
    piles = (
        "region cards: draw 2, and 1 more for each +1 card tile (T4.1)",
        "yield cards: a wagon turns one up (T8.8)",
        "neutral tiles: fill the display where own stacks are empty (T5.4)",
        "tiles set aside by sweeps: they come back when the neutral tiles are used up (T5.5)",
    )
    for i, words in enumerate(piles):
        x, y = table.pile_place(i, left, top)
        yield Place(rectangle(x - 28, y - 48, 57, 96), say(words))
    yield from bonus_places(left + 8, top + 116)


def bonus_place(i: int, left: float, top: float) -> tuple[Point, ...]:
    return rectangle(left + table.BONUS_STEP * i + 2, top + 4, 42, 42)


def bonus_places(left: float, top: float) -> Iterator[Place]:
    for i, name in enumerate(BONUS_TYPES):
        template, effect = "bonus tile +1 {bonus}: {effect}", say(_BONUSES[name])
        words = say(template, bonus=say(name), effect=effect)
        yield Place(bonus_place(i, left, top), words)


@cached_tuple
def colour_places(left: float, top: float) -> Iterator[Place]:
    for i, (letter, name) in enumerate(zip(COLOURS, COLOUR_NAMES, strict=True)):
        around = rectangle(left + 8 + 81 * i, top + 8, 77, 68)
        yield Place(around, say(_COMPLETED, x=say(name), effect=say(_EFFECTS[letter])))


def tray_place(i: int, left: float, top: float) -> tuple[Point, ...]:
    x, y, width, height = table.TRAYS[i]
    return rectangle(left + x, top + y, width, height)


@cached_tuple
def region_places(player: PlayerView, at: Point) -> Iterator[Place]:
    """Yields the hexes of a region; `player` is all that it depends on (`table.region_of`)."""
    if not player.layout:
        return
    places = RegionPlaces.of(player.layout, *at, HEX_RADIUS)
    crops = dict(player.crops)
    for cell, letter, center in zip(CELL_NAMES, player.region, places.centers, strict=True):
        piece = letter.upper() + crops.get(cell, "")
        if letter.islower():
            words = "{cell}, covered: {x} (T7.1)"
            if cell in player.wooden:
                words = "{cell}, covered: a wooden hexagon as {x} (T7.1)"
            place_words = say(words, cell=cell, x=piece_words(piece))
        else:
            place_words = say("{cell}, {x}. Costs two units (T6.2)", cell=cell, x=_effect(piece))
        yield Place(corners(center, HEX_RADIUS), place_words)


@cached_tuple
def held_places(player: PlayerView, at: Point) -> Iterator[Place]:
    """Yields what a player holds; `player` is all that it depends on (`table.held_by`)."""
    x, y = at
    for i, letter in enumerate(letter for letter in COLOURS if letter in (player.hand or "")):
        left, top = card_place(i, x, y)
        name = COLOUR_NAMES[COLOURS.index(letter)]
        template = "{cards}: each pays a unit on {x}, two of them one elsewhere (T6.2)"
        words = say(template, cards=say(f"{name} cards"), x=say(name))
        yield Place(rectangle(left - 20, top - 34, 40, 66), words)
    for i, piece in enumerate(player.storage):
        around = corners(storage_place(i, x, y), 22)
        yield Place(around, say("stored {x}. 1 red at the end (T11.2)", x=_effect(piece)))
    text = "marble: one more action in a turn (T3.2), or 1 red at the end (T11.2)"
    yield Place(tray_place(2, x, y), say(text))
    text = "workers: each pays a unit of any colour (T6.2), or 1 red at the end (T11.2)"
    yield Place(tray_place(3, x, y), say(text))
    yield from bonus_places(x + 174, y + 108)
    text = "own stacks: refill the display; the 7th, 14th and 21st tile end rounds (T5.3, T10.1)"
    yield Place(tray_place(4, x, y), say(text))


def reason(edition: object, view: GameView, spot: Spot) -> str:
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
    centers = RegionPlaces.of(player.layout, 0, 0, HEX_RADIUS).centers
    x, y = centers[CELL_NAMES.index(cell)]
    return any(
        letter.islower() and 0 < (x - cx) ** 2 + (y - cy) ** 2 < _NEAR**2
        for letter, (cx, cy) in zip(player.region, centers, strict=True)
    )
