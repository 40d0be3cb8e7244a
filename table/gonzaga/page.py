"""Gonzaga's own page: its board, its pieces, sums over them, and answers about the rules.

All of it is read from a view, so it holds nothing that the viewer may not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

from starlette.datastructures import QueryParams

from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.edition import NUM_ROTATIONS, Cell, Edition, offset_neighbors
from gonzaga_env.core.refusals import RefusalFinder, fief_hexes, ways_to_cover
from gonzaga_env.core.view import GameView, PlacedFief, PlacedRing
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.view import Viewer
from gonzaga_env.render.gonzaga.map import FADED, coordinates, region_color, ridge, symbol_color
from gonzaga_env.render.gonzaga.pieces import Layout, draw_ring, draw_wanted
from gonzaga_env.render.gonzaga.table import (
    board_layers,
    board_size,
    fief_layer,
    game_layout,
    mark_layer,
    ring_layer,
    wanted_layer,
)
from gonzaga_env.render.icons import anchor, castle, symbol
from gonzaga_env.render.palette import Theme, mixed
from gonzaga_env.render.shapes import Layer, Line, Paint, Point, Polygon
from gonzaga_env.render.svg import elements

from ..session import GameSession, SessionError
from ..web.protocol import RequestError, as_json

_BOX = 40.0
_OUTLINE_WIDTH = 10.0  # of a hex in the outlines of regions
_CELL = re.compile(r"(-?[0-9]{1,3}),(-?[0-9]{1,3})")  # row and column, of the map or beside it


#: Of a city: held; open to a fief; open to a ring only, as another's fief lies there; or neither.
Status = Literal["held", "open", "ring", "blocked"]
Cells = frozenset[Cell]


def board(edition: Edition, scenario: str | None, theme: Theme) -> dict[str, object]:
    """Returns a board in plain values (see docs/play.md)."""
    layers = board_layers(edition, _inactive(edition, scenario), theme, show_coordinates=False)
    width, height = board_size(edition)
    middle = _BOX / 2, _BOX / 2
    symbols = {
        name: Layer(tuple(symbol(name, middle, 0.43 * _BOX, symbol_color(edition, name))))
        for name in dict.fromkeys(city.group for city in edition.cities)
    }
    return {
        "width": width,
        "height": height,
        "title": f"Gonzaga: {edition.name}" + (f", scenario {scenario}" if scenario else ""),
        "ground": elements([layers.ground, layers.lines]),
        "marks": elements([layers.marks]),
        "names": elements([layers.names]),
        "coordinates": elements([Layer(tuple(coordinates(game_layout(edition), theme)))]),
        "legend": _legend(theme),
        "hexes": _hexes(edition),
        "regions": [_region(edition, mark, scenario, theme) for mark in edition.regions],
        "sites": [
            {"cell": site.at, "name": site.name, "kind": site.kind, group: site.group}
            for sites, group in ((edition.cities, "symbol"), (edition.harbors, "sea"))
            for site in sites
        ],
        "symbols": {name: elements([layer]) for name, layer in symbols.items()},
        "fiefs": [
            {
                "number": fief.number,
                "cells": fief.cells,
                "castles": [fief.cells[i] for i in fief.castles],
            }
            for fief in edition.fiefs
        ],
    }


def pieces_json(edition: Edition, view: GameView, theme: Theme) -> str:
    """Returns the pieces that a viewer sees, fiefs and rings, as SVG elements in a JSON object.

    The text of every piece is kept, ready for JSON: a game ends with some 60 kB of them.
    """
    fiefs = [_fief(edition, fief, theme) for fief in view.fiefs]
    fiefs.append(_escaped(mark_layer(edition, view, theme)))
    rings = [_escaped(wanted_layer(edition, view, theme))]
    rings += [_ring(edition, ring, theme) for ring in view.rings]
    return f'{{"fiefs":"{"".join(fiefs)}","rings":"{"".join(rings)}"}}'


@lru_cache(maxsize=1 << 13)  # of some 2 kB
def _fief(edition: Edition, fief: PlacedFief, theme: Theme) -> str:
    return _piece(fief.cells[0], fief_layer(edition, fief, theme))


@lru_cache(maxsize=1 << 12)
def _ring(edition: Edition, ring: PlacedRing, theme: Theme) -> str:
    return _piece(ring.cell, ring_layer(edition, ring, theme))


def _piece(cell: Cell, layer: Layer) -> str:
    """Returns a piece as a group, which the page finds by its first hex to slide it there."""
    row, col = cell
    return f'<g data-cell=\\"{row},{col}\\">{_escaped(layer)}</g>'


def _escaped(layer: Layer) -> str:
    return json.dumps(elements([layer]), ensure_ascii=False)[1:-1]


def _inactive(edition: Edition, scenario: str | None) -> tuple[str, ...]:
    if scenario is None:
        return ()
    for known in edition.scenarios:
        if known.name == scenario:
            regions = edition.regions.values()
            return tuple(name for name in regions if name not in known.flourishing)
    raise OptionError(f"there is no scenario {scenario!r} in the edition {edition.name}")


def _hexes(edition: Edition) -> list[dict[str, object]]:
    layout, hexes = game_layout(edition), list[dict[str, object]]()
    for cell in edition.grid.cells:
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in layout.corners(cell))
        center = [round(value, 1) for value in layout.center(cell)]
        region = edition.regions.get(edition.marks[cell[0]][cell[1]])
        hexes.append({"cell": cell, "center": center, "corners": corners, "region": region})
    return hexes


def _region(edition: Edition, mark: str, scenario: str | None, theme: Theme) -> dict[str, object]:
    cells = {cell for cell in edition.grid.cells if edition.mark(cell) == mark}
    layout = Layout.of(edition, _OUTLINE_WIDTH, 0, 0)
    sides = {
        _rounded(start): _rounded(end)
        for cell in cells
        for other, (start, end) in layout.sides(cell)
        if other not in cells
    }
    color = region_color(edition, theme, mark, _inactive(edition, scenario))
    return {"name": edition.regions[mark], "color": color, "outline": _loops(sides)}


def _rounded(point: Point) -> tuple[float, float]:
    return round(point[0], 1), round(point[1], 1)


def _loops(sides: dict[tuple[float, float], tuple[float, float]]) -> str:
    """Returns sides, each from its start to its end, as closed loops of an SVG path."""
    path = []
    while sides:
        start, at = sides.popitem()
        points = [start]
        while at != start:
            points.append(at)
            at = sides.pop(at)
        path.append("M" + "L".join(f"{x:g} {y:g}" for x, y in points) + "Z")
    return "".join(path)


def _legend(theme: Theme) -> dict[str, str]:
    """Returns the map's other signs, each in a box, by the names that the page has words for."""
    middle = (_BOX / 2, _BOX / 2)
    across = ((0.08 * _BOX, 0.62 * _BOX), (0.92 * _BOX, 0.62 * _BOX))
    route = Paint(stroke=theme.route, width=3.5, dash=(8, 5))
    ring = PlacedRing(0, (0, 0))
    drawn = {
        "harbor": anchor(middle, 0.37 * _BOX),
        "league": [Line(((0.08 * _BOX, 0.5 * _BOX), (0.92 * _BOX, 0.5 * _BOX)), route)],
        "castle": [_boxed_hex(theme.players[0]), *castle(middle, 10, theme.on_piece, theme.ink)],
        "ring": draw_ring(_box_layout(), ring, theme),
        "objective": draw_wanted(_box_layout(), ring.cell, theme),
        "barrier": ridge([across], 80, theme),
        "flourishing": [_boxed_hex(theme.regions[0])],
        "inactive": [_boxed_hex(mixed(theme.regions[0], theme.paper, FADED))],
        "sea": [_boxed_hex(theme.seas[0])],
    }
    return {name: elements([Layer(tuple(shapes))]) for name, shapes in drawn.items()}


def _box_layout() -> Layout:
    x, y = Layout(1.3 * _BOX, 0, 0, 1, 1).mark((0, 0))
    return Layout(1.3 * _BOX, _BOX / 2 - x, _BOX / 2 - y, 1, 1)


def _boxed_hex(color: str) -> Polygon:
    width = 0.8 * _BOX
    x, y = Layout(width, 0, 0, 1, 1).center((0, 0))
    return Polygon(Layout(width, _BOX / 2 - x, _BOX / 2 - y, 1, 1).corners((0, 0)), Paint(color))


def overview_json(table: GameSession, viewer: Viewer) -> str:
    """Returns groups, objective and harbors as a viewer may know them (`Overview`)."""
    edition, view = cast(Edition, table.config.edition), cast(GameView, table.view(viewer))
    return as_json(overview(edition, view))


def refusal_json(table: GameSession, seat: int, query: QueryParams) -> str:
    """Returns why a seat may not play something, or null if it may.

    The query names a `plan` by its action, or leaves out the plan that is made; and hexes: a
    fief's `rotation` and where its first cell is (`at`), or one or two hexes of a `ring`. Before
    plans are revealed, one without a plan ignores the cards.
    """
    if table.over:
        raise SessionError("the game is over")
    made = int(table.state.plan[0, seat])
    plan = _number(query.get("plan", str(made)), "plan", NUM_PLANS, made)
    finder = RefusalFinder(cast(GameConfig, table.config).tables, table.state, seat, plan)
    refusal = finder.refuse_plan() if "plan" in query else None
    if refusal is None and "ring" in query:
        refusal = finder.refuse_rings(_ring_cells(query.getlist("ring")))
    elif refusal is None and "at" in query:
        rotation = _number(query.get("rotation", ""), "rotation", NUM_ROTATIONS)
        cells = fief_hexes(finder.fief_shape, rotation, _cell(query["at"]))
        refusal = finder.refuse_fief([cells, *ways_to_cover(finder.fief_shape, cells)])
    return as_json({"refusal": None if refusal is None else refusal.event})


def _ring_cells(texts: list[str]) -> tuple[Cell, ...]:
    if len(texts) > 2:
        raise RequestError(f"ring is given {len(texts)} times; a wedding takes one or two")
    return tuple(_cell(text) for text in texts)


def _cell(text: str) -> Cell:
    match = _CELL.fullmatch(text)
    if match is None:
        raise RequestError(f"a hex is {short_repr(text)}; it takes row and column, such as 12,7")
    return int(match[1]), int(match[2])


def _number(text: str, name: str, size: int, *more: int) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1
    if number not in (*range(size), *more):
        raise RequestError(f"{name} is {short_repr(text)}; it takes 0 to {size - 1}")
    return number


@dataclass(frozen=True)
class Group:
    """A largest connected group of a player (R8.1)."""

    seat: int  # whose it is
    pieces: int  # fiefs and rings in it
    cells: tuple[Cell, ...]  # their hexes, sorted


@dataclass(frozen=True)
class Goal:
    """A city of the viewer's objective (R8.2): its name, its hex and what can be done with it."""

    name: str
    cell: Cell
    status: Status


@dataclass(frozen=True)
class Harbor:
    """A harbor, and who holds it: a fief and rings of several players may lie there (R5.4)."""

    name: str
    cell: Cell
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Sea:
    """The harbors of a sea, and who has its league (R6.2)."""

    name: str
    harbors: tuple[Harbor, ...]
    leagues: tuple[int, ...]


@dataclass(frozen=True)
class Overview:
    """Groups, objective and harbors: sums over the pieces."""

    # the largest group of each player; all of them if several have that size
    groups: tuple[Group, ...]
    objective: tuple[Goal, ...]  # cities of the viewer's own objective; empty for spectators
    seas: tuple[Sea, ...]  # every sea


def overview(edition: Edition, view: GameView) -> Overview:
    players = range(len(view.players))
    fiefs = [[frozenset(fief.cells) for fief in view.fiefs if fief.seat == s] for s in players]
    rings = [[frozenset([ring.cell]) for ring in view.rings if ring.seat == s] for s in players]
    held = [frozenset[Cell]().union(*fiefs[s], *rings[s]) for s in players]
    return Overview(
        groups=tuple(group for s in players for group in _largest(s, [*fiefs[s], *rings[s]])),
        objective=tuple(_objective(edition, view, held)),
        seas=tuple(_sea(edition, view, name, held) for name in edition.seas.values()),
    )


def _largest(seat: int, pieces: list[Cells]) -> list[Group]:
    groups: list[tuple[int, Cells]] = []
    for piece in pieces:
        around = {cell for own in piece for cell in offset_neighbors(*own)}
        touching = [group for group in groups if group[1] & around]
        groups = [group for group in groups if group not in touching]
        size = 1 + sum(count for count, _ in touching)
        groups.append((size, piece.union(*(cells for _, cells in touching))))
    most = max((size for size, _ in groups), default=0)
    return [Group(seat, size, tuple(sorted(cells))) for size, cells in groups if size == most]


def _objective(edition: Edition, view: GameView, held: list[Cells]) -> Iterator[Goal]:
    own = view.players[view.viewer] if isinstance(view.viewer, int) else None
    if own is None or own.objective is None:
        return
    covered = {cell for fief in view.fiefs for cell in fief.cells}
    ringed = {ring.cell for ring in view.rings}
    for city in edition.cities:
        if city.group not in own.objective.symbols:
            continue
        status: Status = "open"
        if city.at in held[own.seat]:
            status = "held"
        elif city.at in covered:  # R4.3, R5.4
            status = "ring" if own.rings and city.at not in ringed else "blocked"
        yield Goal(city.name, city.at, status)


def _sea(edition: Edition, view: GameView, name: str, held: list[Cells]) -> Sea:
    harbors = [
        Harbor(one.name, one.at, tuple(seat for seat, cells in enumerate(held) if one.at in cells))
        for one in edition.harbors
        if one.group == name
    ]
    leagues = tuple(player.seat for player in view.players if name in player.leagues)
    return Sea(name, tuple(harbors), leagues)
