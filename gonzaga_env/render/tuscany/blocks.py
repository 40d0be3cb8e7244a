"""The table in blocks, for players in the browser: what lies on it, and what can be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gonzaga_env.render.palette import Theme
from gonzaga_env.render.pictures import Block, Spot, one_line_each
from gonzaga_env.render.shapes import Layer, Scene, Shape, rectangle
from gonzaga_env.render.tuscany import places, table, text
from gonzaga_env.render.tuscany.pieces import RegionPlaces, board_size, corners
from gonzaga_env.render.tuscany.player import (
    BOARD_RADIUS,
    RADIUS,
    SIDE,
    SIDE_HEIGHT,
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
from gonzaga_env.tuscany.view import GameView, PlayerView, piece_words

_EDGE = 8.0  # around a block
_STOCK = 96.0  # where the bonus tiles of the supply begin


def blocks(edition: Edition, view: GameView) -> Iterator[Block]:
    """Yields the display, the supply, colours, and each player's region and holdings."""
    shown = tuple(map(piece_words, view.display))
    told = places.display_places(view.display, (_EDGE, _EDGE + 14))
    yield Block("display", None, _display, (view.display,), shown, told)
    piles = table.pile_words(view)
    lines = (*map(": ".join, piles), f"bonus tiles: {text.bonus_words(view.bonus_stock)}")
    told = places.supply_places(_EDGE, _EDGE, _EDGE + _STOCK + 14)
    yield Block("supply", None, _supply, (piles, view.bonus_stock), lines, told)
    colours = view.colour_points, table.finishers(view)
    lines = tuple(text.colour_lines(view, *colours))
    told = places.colour_places(_EDGE, _EDGE + 28)
    yield Block("points for completed colours", None, _colours, colours, lines, told)
    for player in view.players:
        pending = view.cell if view.to_act == player.seat else None
        laid = edition, region_of(player), pending
        boards, *held_lines = one_line_each(text.holdings_lines(player))
        where = (boards, *text.region_lines(player))
        told = places.region_places(laid[1], (_EDGE, _EDGE))
        yield Block("region", player.seat, _region, laid, where, told)
        held = replace(held_by(player), boards=(), layout="")  # the region shows them
        told = places.held_places(held, (_EDGE, _EDGE))
        yield Block("holdings", player.seat, _holdings, (held,), tuple(held_lines), told)


def _scene(width: float, height: float, shapes: Iterable[Shape]) -> Scene:
    return Scene(width + 2 * _EDGE, height + 2 * _EDGE, "", (Layer(tuple(shapes)),))


def _display(tiles: tuple[str, ...], theme: Theme) -> Scene:
    return _scene(table.WIDTH, 192, table.display(tiles, _EDGE, _EDGE + 14, theme))


def _supply(piles: tuple[tuple[str, str], ...], stock: tuple[int, ...], theme: Theme) -> Scene:
    shapes = [
        *table.piles(piles, _EDGE, _EDGE, theme),
        *table.stock(stock, _EDGE, _EDGE + _STOCK, theme),
    ]
    return _scene(table.WIDTH, 180, shapes)


def _colours(
    bonus: tuple[tuple[int, int], ...], done: tuple[tuple[int, ...], ...], theme: Theme
) -> Scene:
    return _scene(table.WIDTH, 180, table.colours(bonus, done, _EDGE, _EDGE + 28, theme))


def _region(edition: Edition, player: PlayerView, pending: str | None, theme: Theme) -> Scene:
    at = _EDGE, _EDGE
    shapes = player_region(edition, player, pending, at, theme, names=True)
    return _scene(*RegionPlaces.size(RADIUS), shapes)


def _holdings(player: PlayerView, theme: Theme) -> Scene:
    return _scene(SIDE, SIDE_HEIGHT - 20, holdings(player, _EDGE, _EDGE, theme))


def spots(view: GameView) -> Iterator[Spot]:
    """Yields the tiles, hexes, stored pieces and tokens that stand for actions."""
    if view.to_act is None:
        return
    player = view.players[view.to_act]
    hexes = [*zip(CELL_NAMES, player.region, strict=False)] if "castle" in view.decision else []
    for i, kind in enumerate(view.display):
        around = corners(table.display_place(i, _EDGE, _EDGE + 14), table.RADIUS)
        placed = (f"tile {cell}" for cell, letter in hexes if letter == kind[0])  # T8.1
        yield Spot("display", None, around, (f"take {kind}", f"crop {kind}", *placed))
    yield Spot("supply", None, rectangle(_EDGE - 5, _EDGE - 7, table.WIDTH, 26), ("draw",))
    for i, name in enumerate(BONUS_TYPES):
        around = rectangle(_EDGE + 69 * i, _EDGE + _STOCK + 14, 62, 36)
        yield Spot("supply", None, around, (f"bonus {name}",))
    yield from _own_spots(player)
    cells = dict(zip(CELL_NAMES, player.region, strict=False))
    yield from _paid(player, cells.get(view.cell or ""))


def shown_words(view: GameView) -> Iterator[tuple[str, Spot]]:
    """Yields the letters of boards in texts of layouts, and where the boards lie (T2.4)."""
    if view.decision != "layout" or view.to_act is None:
        return
    for i, name in enumerate(view.players[view.to_act].boards):
        around = rectangle(*board_place(i, _EDGE, _EDGE), *board_size(BOARD_RADIUS))
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
        centers = RegionPlaces.of(player.layout, _EDGE, _EDGE, RADIUS).centers
        for cell, center in zip(cells, centers, strict=True):
            actions = f"tile {cell}", f"hexagon {cell}"
            yield Spot("region", player.seat, corners(center, RADIUS), actions)
    yield Spot("holdings", player.seat, rectangle(_EDGE + 216, _EDGE + 104, 68, 62), ("marble",))


def _paid(player: PlayerView, own: str | None) -> Iterator[Spot]:
    """Yields the cards and workers, which stand for all payments with them (T6.2)."""
    held = [letter for letter in COLOURS if letter in (player.hand or "")]
    places = [card_place(i, _EDGE, _EDGE) for i in range(len(held))]
    cards = [rectangle(x - 20, y - 29, 40, 77) for x, y in places]  # with their numbers
    workers = rectangle(_EDGE + 266, _EDGE + 100, 76, 66)
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
