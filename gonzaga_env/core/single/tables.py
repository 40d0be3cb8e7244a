"""The tables of one game as Python integers and bytes.

A Python integer holds a set of thousands of actions: bit i stands for number i, as in `bits`.
"and", "or" and a shift of it take a tenth of a numpy call.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import CARDS, NUM_PLANS, plan_cards
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.edition import Size
from gonzaga_env.core.board.geometry import NUM_ROTATIONS
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.tabletop.bounded import memory_of

#: Region card, action card and King's Privilege of every plan.
PLANS = tuple(plan_cards(plan) for plan in range(NUM_PLANS))


@dataclass(frozen=True)
class GameTables:
    """The tables of an edition for a single game; S scenarios, O objectives, H hexes.

    Sets of actions have a bit for each index in the action space, sets of hexes one per hex.

    Attributes:
        size: how much of the game is played.
        num_hexes: H.
        per_fief: placements of one fief, 6 H.
        ring_start: the first action that does not place a fief.
        donate: the donation.
        num_actions: A.
        cells: hexes of each row of `Placements`.
        around: hexes next to each hex, as a set, [H].
        conflicts: placements that cover a hex, [H], of all fiefs in one set: those of fief f
            come to their actions' bits on shifting right by f * `per_fief` (R4.3).
        ring_conflicts: weddings that use a hex, [H] sets of actions (R5.4).
        plan_bits: plans by scenario, plan of the round before (`NUM_PLANS`: none) and whether a
            ring is in stock, [S][43][2] sets of actions (R2.1, R3.3, R3.4).
        fief_bits: placements by scenario, region card, action card and fief, on the empty map,
            [S][7][3][12] sets of actions (R4.1, R4.2).
        ring_bits: weddings by scenario, region card, action card and rings in stock (2: or more),
            on the empty map, [S][7][3][3] sets of actions (R5.1, R5.2).
        value: points for covering each hex, [S] bytes (R6.1).
        is_city: 1 for the cities, bytes.
        harbor_sea: sea that each harbor belongs to, bytes.
        sites: all cities and harbors, a set of hexes.
        flourishing_sites: those in flourishing regions, [S] sets of hexes (R7.1).
        objective_cities: cities of each objective, [O] sets of hexes (R1.4).
        objective_plane: the same as H bytes of 0 and 1, [O].
        symbols: symbols of each objective, [O] bytes of 0 and 1.
        flourishing: flourishing regions, [S] bytes of 0 and 1.
        cards: cards of a plan as 0 and 1: seven regions, three actions, King's Privilege; none
            for `NO_PLAN`.
    """

    size: Size
    num_hexes: int
    per_fief: int
    ring_start: int
    donate: int
    num_actions: int
    cells: list[tuple[int, ...]]
    around: list[int]
    conflicts: list[int]
    ring_conflicts: list[int]
    plan_bits: list[list[list[int]]]
    fief_bits: list[list[list[list[int]]]]
    ring_bits: list[list[list[list[int]]]]
    value: list[bytes]
    is_city: bytes
    harbor_sea: bytes
    sites: int
    flourishing_sites: list[int]
    objective_cities: list[int]
    objective_plane: list[bytes]
    symbols: list[bytes]
    flourishing: list[bytes]
    cards: list[bytes]

    @cached_property
    def num_bytes(self) -> int:
        """Their memory, which is counted once: they hold many thousand integers."""
        return memory_of(self)


def game_tables_for(tables: Tables) -> GameTables:
    """Returns the tables of an edition, built once; they are kept as long as its `Tables`."""
    return tables.derived(_build)


def _build(tables: Tables) -> GameTables:
    actions, num_hexes = tables.actions, tables.num_hexes
    cells = tables.placements.cells
    per_fief = NUM_ROTATIONS * num_hexes
    fiefs, rings = np.split(cells[:-1], [NUM_FIEFS * per_fief])
    return GameTables(
        size=tables.edition.size,
        num_hexes=num_hexes,
        per_fief=per_fief,
        ring_start=actions.ring.start,
        donate=actions.donate,
        num_actions=actions.size,
        cells=[tuple(c for c in row if c < num_hexes) for row in cells.tolist()],
        around=_users(tables.edition.grid.neighbors, num_hexes, 0),
        conflicts=_users(fiefs, num_hexes, actions.fief.start),
        ring_conflicts=_users(rings, num_hexes, actions.ring.start),
        plan_bits=tables.plan_bits.tolist(),
        fief_bits=_sets(
            bits.pack(tables.placements.from_number(tables.fief_bits)), actions.fief.start
        ),
        ring_bits=_sets(tables.ring_bits, actions.ring.start),
        value=_rows(tables.site_value[:, :-1]),
        is_city=tables.city_mask.tobytes(),
        harbor_sea=tables.harbor_sea.tobytes(),
        sites=_sets(tables.site_bits),
        flourishing_sites=_sets(tables.flourishing_bits),
        objective_cities=_sets(tables.objective_bits),
        objective_plane=_rows(tables.objective_planes),
        symbols=_rows(tables.objective_symbols),
        flourishing=_rows(tables.flourishing),
        cards=_rows(CARDS),
    )


def _users(cells: NDArray[np.integer], num_hexes: int, first: int) -> list[int]:
    """Returns the set of rows of `cells` that name each hex, [H]; row i is bit `first` + i."""
    uses = np.zeros((num_hexes + 1, first + len(cells)), dtype=np.bool_)
    uses[cells.T, first + np.arange(len(cells))] = True
    packed = np.packbits(uses[:-1], axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _sets(words: Words, first: int = 0) -> Any:
    """Returns words [..., W] as nested lists of integers; bit 0 becomes bit `first`."""
    if words.ndim > 1:
        return [_sets(row, first) for row in words]
    return int.from_bytes(words.tobytes(), "little") << first


def _rows(values: NDArray[np.uint8] | NDArray[np.bool_]) -> list[bytes]:
    return [row.tobytes() for row in values]
