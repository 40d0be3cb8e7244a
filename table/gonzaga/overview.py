"""Sums over the pieces on the map: largest groups, the own objective, harbors of each sea.

All of it is read from a view, so it holds nothing that the viewer may not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gonzaga_env.core.edition import Cell, Edition, Site, offset_neighbors
from gonzaga_env.core.view import GameView

#: Of a city: held; open to a fief; open to a ring only, as another's fief lies there; or neither.
Status = Literal["held", "open", "ring", "blocked"]
Cells = frozenset[Cell]


@dataclass(frozen=True)
class Group:
    """A largest connected group of a player (R8.1).

    Attributes:
        seat: whose it is.
        pieces: fiefs and rings in it.
        cells: their hexes, sorted.
    """

    seat: int
    pieces: int
    cells: tuple[Cell, ...]


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
    """What pieces add up to.

    Attributes:
        groups: the largest group of each player; all of them if several have that size.
        objective: cities of the viewer's own objective; empty for spectators.
        seas: every sea.
    """

    groups: tuple[Group, ...]
    objective: tuple[Goal, ...]
    seas: tuple[Sea, ...]


def overview(edition: Edition, view: GameView) -> Overview:
    """Returns what the pieces that a viewer sees add up to."""
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
    """Returns the groups with most pieces; pieces connect by a shared side (R8.1)."""
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
    harbors = [_harbor(harbor, held) for harbor in edition.harbors if harbor.group == name]
    leagues = tuple(player.seat for player in view.players if name in player.leagues)
    return Sea(name, tuple(harbors), leagues)


def _harbor(harbor: Site, held: list[Cells]) -> Harbor:
    seats = tuple(seat for seat, cells in enumerate(held) if harbor.at in cells)
    return Harbor(harbor.name, harbor.at, seats)
