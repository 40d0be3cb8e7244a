"""Every placement on the empty map, computed once per edition.

A placement is a row of these tables, K = 76 H + 1 of them, in this order:

| rows | placement |
|---|---|
| fief * 6 H + rotation * H + hex | a fief, by the hex of its first cell |
| 72 H + hex | one ring |
| 73 H + direction * H + hex | two rings |
| 76 H | nothing (a donation) |

so that a row is found from the fief at hand and the index of an action by one addition. Rows that
geometry forbids are kept, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import bits
from gonzaga_env.core.actions import PAIR_DIRECTIONS, ActionSpace
from gonzaga_env.core.bits import Words
from gonzaga_env.core.edition import Edition, Fief
from gonzaga_env.core.geometry import DIRECTIONS, NUM_ROTATIONS, rotate
from gonzaga_env.core.rules import NUM_FIEFS

MAX_CELLS = 4


class Fault(IntEnum):
    """Why geometry forbids a placement, by the first reason that holds."""

    NONE = 0
    OFF_MAP = 1  # R4.3
    CASTLE_ON_WATER = 2  # R4.4
    BARRIER = 3  # R4.5
    SAME_HEXES = 4  # one action per outcome: a lower rotation covers the same hexes


@dataclass(frozen=True)
class Placements:
    """The tables; H stands for "no hex" wherever a hex is named.

    Attributes:
        cells: hexes covered, [K, 4] uint16, in the order of the fief's cells.
        fault: a `Fault`, [K] uint8.
        bits: hexes covered, [K, W] uint64; zero where off the map.
        halo: hexes around, without those covered, [K, 12] uint16.
        halo_bits: the same as a set, [K, W] uint64.
        fief_conflicts: placements of each fief that cover a hex, [H + 1, 12, fief words] uint64;
            bits as in a set of actions.
        ring_conflicts: weddings that use a hex, [H + 1, ring words] uint64; bits likewise.
    """

    cells: NDArray[np.uint16]
    fault: NDArray[np.uint8]
    bits: Words
    halo: NDArray[np.uint16]
    halo_bits: Words
    fief_conflicts: Words
    ring_conflicts: Words

    def row(
        self, fief: NDArray[np.integer] | int, spatial: NDArray[np.integer] | int
    ) -> NDArray[np.int64]:
        """Returns the rows [M] of spatial actions (index less the plans) done with fiefs (0 to 11).

        Weddings and the donation have one row whatever the fief.
        """
        per_fief = NUM_ROTATIONS * (len(self.fief_conflicts) - 1)
        skipped = np.where(np.less(spatial, per_fief), fief, NUM_FIEFS - 1).astype(np.int64)
        return skipped * per_fief + spatial

    @cached_property
    def possible(self) -> NDArray[np.int64]:
        """Place of each row among the fiefs' placements that geometry allows, [K]."""
        fiefs = self.fault[: NUM_FIEFS * NUM_ROTATIONS * (len(self.fief_conflicts) - 1)]
        return np.cumsum(fiefs == Fault.NONE) - 1

    @cached_property
    def conflicts(self) -> Words:
        """What a fief's placement takes away: [possible, 12 * fief words + ring words] uint64.

        The union of `fief_conflicts`, fief by fief, and `ring_conflicts` over its hexes. 19 MB on
        the edition "europe", built in some 30 ms when first asked for: reading one row is three
        times faster than joining those of four hexes.
        """
        by_hex = np.hstack([self.fief_conflicts.reshape(len(self.fief_conflicts), -1),
                            self.ring_conflicts])  # fmt: skip
        cells = self.cells[: len(self.possible)][self.fault[: len(self.possible)] == Fault.NONE]
        joined = by_hex[cells[:, 0]]
        for i in range(1, MAX_CELLS):
            joined |= by_hex[cells[:, i]]
        return joined


def build_placements(edition: Edition, actions: ActionSpace) -> Placements:
    """Returns the tables of an edition, with sets of its actions (R4.3 to R4.5, R5.2)."""
    num_hexes = len(edition.grid)
    fiefs = [fief_placements(edition, fief) for fief in edition.fiefs]
    rings = _ring_placements(edition)
    cells = np.concatenate([cells for cells, _ in fiefs] + [rings, [[num_hexes] * MAX_CELLS]])
    fault = np.zeros(len(cells), dtype=np.uint8)
    fault[: NUM_FIEFS * NUM_ROTATIONS * num_hexes] = np.concatenate([fault for _, fault in fiefs])
    # A pair of rings needs both its hexes, where fewer cells than four are the rule elsewhere.
    pairs = slice(-1 - len(PAIR_DIRECTIONS) * num_hexes, -1)
    fault[pairs][(cells[pairs, 1] == num_hexes)] = Fault.OFF_MAP
    covers = _covers(cells, fault, num_hexes)
    halo = _halo(edition, cells, covers)
    return Placements(
        cells=cells.astype(np.uint16),
        fault=fault,
        bits=bits.pack(covers),
        halo=halo,
        halo_bits=bits.pack(_marked(halo, num_hexes)),
        fief_conflicts=_fief_conflicts(covers, actions),
        ring_conflicts=_ring_conflicts(covers, actions),
    )


def fief_placements(edition: Edition, fief: Fief) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Returns cells [6 H, 4] and a `Fault` [6 H] of each way to lay a fief, by its first cell."""
    num_hexes = len(edition.grid)
    first_q, first_r = fief.cells[0]
    offsets = [(q - first_q, r - first_r) for q, r in fief.cells]
    cells = np.full((NUM_ROTATIONS, num_hexes, MAX_CELLS), num_hexes, dtype=np.int64)
    fault = np.zeros((NUM_ROTATIONS, num_hexes), dtype=np.uint8)
    for rotation in range(NUM_ROTATIONS):
        turned = rotate(offsets, rotation)
        for i, (q, r) in enumerate(turned):
            cells[rotation, :, i] = edition.grid.shifted(q, r)
        fault[rotation] = _geometry_fault(edition, fief, turned, cells[rotation])
    flat_cells, flat_fault = cells.reshape(-1, MAX_CELLS), fault.reshape(-1)
    possible = np.flatnonzero(flat_fault == Fault.NONE)
    _, first = np.unique(np.sort(flat_cells[possible], axis=1), axis=0, return_index=True)
    flat_fault[np.delete(possible, first)] = Fault.SAME_HEXES
    return flat_cells, flat_fault


def _geometry_fault(
    edition: Edition,
    fief: Fief,
    turned: tuple[tuple[int, int], ...],
    cells: NDArray[np.int64],
) -> NDArray[np.uint8]:
    """Returns the fault [H] of one rotation on every anchor; the gravest is written last."""
    num_hexes = len(edition.grid)
    land = np.append(land_mask(edition), False)
    fault = np.zeros(num_hexes, dtype=np.uint8)
    barriers = barrier_mask(edition)
    for (i, (q, r)), (_, (s, t)) in combinations(enumerate(turned), 2):
        if (s - q, t - r) in DIRECTIONS:
            fault[barriers[cells[:, i], DIRECTIONS.index((s - q, t - r))]] = Fault.BARRIER
    fault[~land[cells[:, list(fief.castles)]].all(axis=1)] = Fault.CASTLE_ON_WATER
    fault[(cells[:, : len(turned)] == num_hexes).any(axis=1)] = Fault.OFF_MAP
    return fault


def _ring_placements(edition: Edition) -> NDArray[np.int64]:
    """Returns cells [4 H, 4] of one ring and of two, the second in each of three directions."""
    num_hexes = len(edition.grid)
    cells = np.full((1 + len(PAIR_DIRECTIONS), num_hexes, MAX_CELLS), num_hexes, dtype=np.int64)
    cells[:, :, 0] = np.arange(num_hexes)
    for i, direction in enumerate(PAIR_DIRECTIONS, start=1):
        cells[i, :, 1] = edition.grid.neighbors[:, direction]
    return cells.reshape(-1, MAX_CELLS)


def land_mask(edition: Edition) -> NDArray[np.bool_]:
    """Returns which hexes are land of a region (R1.3), [H]."""
    return np.array([edition.mark(cell) in edition.regions for cell in edition.grid.cells])


def barrier_mask(edition: Edition) -> NDArray[np.bool_]:
    """Returns which sides of each hex are barriers (R1.2), [H + 1, 6], from both sides."""
    grid = edition.grid
    mask = np.zeros((len(grid) + 1, len(DIRECTIONS)), dtype=np.bool_)
    for barrier in edition.barriers:
        for one, other in barrier.edges:
            for here, there in ((one, other), (other, one)):
                if here in grid.index and there in grid.index:  # faults are the validator's
                    cell = grid.index[here]
                    mask[cell] |= grid.neighbors[cell] == grid.index[there]
    return mask


def _marked(cells: NDArray[np.integer], num_hexes: int) -> NDArray[np.bool_]:
    """Returns lists of hexes [K, n] as masks [K, H]."""
    mask = np.zeros((len(cells), num_hexes + 1), dtype=np.bool_)
    mask[np.arange(len(cells))[:, None], cells] = True
    return mask[:, :num_hexes]


def _covers(
    cells: NDArray[np.int64], fault: NDArray[np.uint8], num_hexes: int
) -> NDArray[np.bool_]:
    """Returns the hexes of each placement that geometry allows, [K, H]."""
    covers = _marked(cells, num_hexes)
    covers[fault != Fault.NONE] = False
    return covers


def _halo(
    edition: Edition, cells: NDArray[np.int64], covers: NDArray[np.bool_]
) -> NDArray[np.uint16]:
    """Returns the distinct hexes next to each placement, without its own, [K, 12]."""
    num_hexes = len(edition.grid)
    neighbors = np.vstack([edition.grid.neighbors, np.full((1, 6), num_hexes)])
    around = neighbors[cells].reshape(len(cells), -1)
    own = np.hstack([covers, np.zeros((len(cells), 1), dtype=np.bool_)])
    around[np.take_along_axis(own, around, axis=1)] = num_hexes
    around.sort(axis=1)
    around[:, 1:][around[:, 1:] == around[:, :-1]] = num_hexes
    around.sort(axis=1)
    return around[:, :12].astype(np.uint16)  # twelve are enough: a row of four has that many


def _fief_conflicts(covers: NDArray[np.bool_], actions: ActionSpace) -> Words:
    by_fief = covers[: NUM_FIEFS * NUM_ROTATIONS * actions.num_hexes].reshape(
        NUM_FIEFS, -1, actions.num_hexes
    )
    packed = bits.pack(np.ascontiguousarray(by_fief.transpose(2, 0, 1)), actions.fief.start)
    return np.concatenate([packed, np.zeros_like(packed[:1])])


def _ring_conflicts(covers: NDArray[np.bool_], actions: ActionSpace) -> Words:
    rings = covers[NUM_FIEFS * NUM_ROTATIONS * actions.num_hexes : -1]
    packed = bits.pack(np.ascontiguousarray(rings.T), actions.weddings.start)
    return np.concatenate([packed, np.zeros_like(packed[:1])])
