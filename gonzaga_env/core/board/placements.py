"""Every placement on the empty map, computed once per edition, and sets of legal actions as bits.

A placement is a row of these tables, K = 76 H + 1 of them, in this order:

| rows | placement |
|---|---|
| fief * 6 H + rotation * H + hex | a fief, by the hex of its first cell |
| 72 H + hex | one ring |
| 73 H + direction * H + hex | two rings |
| 76 H | nothing (a donation) |

so that one addition turns a fief and an action's index into a row. Rows that geometry forbids are
kept, with the reason.

Geometry allows about a quarter of the 6 H placements of a fief; only those have a bit in a set. A
set is a row of words, in the order of the actions:

| words | bits |
|---|---|
| 1 | plans |
| F | the possible placements of the acting seat's fief, `Placements.spatial` |
| R | weddings |
| 1 | donation |
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NUM_PLANS, PAIR_DIRECTIONS, ActionCodec
from gonzaga_env.core.board.bits import WORD, Words
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.edition import DIRECTIONS, NUM_ROTATIONS, Edition, Fief, rotate
from gonzaga_env.kernel.arguments import Indices


class PlacementFault(IntEnum):
    """The first reason why geometry forbids a placement."""

    NONE = 0
    OFF_MAP = 1  # R4.3
    CASTLE_ON_WATER = 2  # R4.4
    BARRIER = 3  # R4.5
    SAME_HEXES = 4  # one action per outcome: a lower rotation covers the same hexes


@dataclass(frozen=True)
class Placements:
    """The tables. Hex number H stands for "no hex"."""

    #: Hexes covered, [K, C] uint16, in the order of the fief's cells; C is the number of cells of
    #: the largest fief.
    cells: NDArray[np.uint16]
    fault: NDArray[np.uint8]  #: a `PlacementFault`, [K] uint8
    bits: Words  #: hexes covered, [K, W] uint64; zero where off the map
    halo: NDArray[np.uint16]  #: hexes next to those covered, [K, 2 C + 4] uint16
    halo_bits: Words  #: the same as a set, [K, W] uint64
    #: Number of a placement among those of the same fief that geometry allows, from 0, [K] int16;
    #: -1 for forbidden placements and for weddings.
    number: NDArray[np.int16]
    #: The inverse, spatial action by fief and number, [12, fief words * 64] int16; 0 for unused
    #: numbers.
    spatial: NDArray[np.int16]
    #: Placements of each fief that cover a hex, by number, [H + 1, 12, fief words] uint64.
    fief_conflicts: Words
    ring_conflicts: Words  #: weddings that use a hex, [H + 1, ring words] uint64

    def __repr__(self) -> str:
        return f"<Placements, {len(self.cells)} rows>"

    def row(
        self, fief: NDArray[np.integer] | int, spatial: NDArray[np.integer] | int
    ) -> NDArray[np.int64]:
        """Returns the rows [M] of spatial actions (index minus `NUM_PLANS`) with fiefs (0 to 11).

        Weddings and the donation have one row for all fiefs.
        """
        per_fief = NUM_ROTATIONS * (len(self.fief_conflicts) - 1)
        skipped = np.where(np.less(spatial, per_fief), fief, NUM_FIEFS - 1).astype(np.int64)
        return skipped * per_fief + spatial

    def by_number(self, mask: NDArray[np.bool_]) -> Words:
        """Returns masks over placements [..., K] as sets of each fief's numbers, [..., 12, F]."""
        return _by_number(mask, self.number, self.spatial)

    def from_number(self, sets: Words) -> NDArray[np.bool_]:
        """Returns sets of each fief's numbers [..., 12, F] as masks by action, [..., 12, 6 H]."""
        num_hexes = len(self.fief_conflicts) - 1
        number = self.number[: NUM_FIEFS * NUM_ROTATIONS * num_hexes].reshape(NUM_FIEFS, -1)
        held = bits.unpack(sets, self.spatial.shape[1])
        places = np.broadcast_to(np.maximum(number, 0), (*held.shape[:-1], number.shape[1]))
        return (np.take_along_axis(held, places, axis=-1) == 1) & (number >= 0)


def build_placements(edition: Edition) -> Placements:
    """Returns the tables of an edition (R4.3 to R4.5, R5.2)."""
    num_hexes = len(edition.grid)
    fiefs = [fief_placements(edition, fief) for fief in edition.fiefs]
    rings, nothing = _ring_placements(edition), np.full((1, 1), num_hexes)
    most = max(2, *(cells.shape[1] for cells, _ in fiefs))
    per_fief = NUM_ROTATIONS * num_hexes
    unused = np.full(((NUM_FIEFS - len(fiefs)) * per_fief, 1), num_hexes)  # of a small edition
    cells = np.concatenate(
        [
            np.pad(part, ((0, 0), (0, most - part.shape[1])), constant_values=num_hexes)
            for part in (*(cells for cells, _ in fiefs), unused, rings, nothing)
        ]
    )
    fault = np.zeros(len(cells), dtype=np.uint8)
    fault[: NUM_FIEFS * per_fief] = PlacementFault.OFF_MAP
    fault[: len(fiefs) * per_fief] = np.concatenate([fault for _, fault in fiefs])
    # A pair of rings needs both hexes; elsewhere unused cells are normal.
    pairs = slice(-1 - len(PAIR_DIRECTIONS) * num_hexes, -1)
    fault[pairs][(cells[pairs, 1] == num_hexes)] = PlacementFault.OFF_MAP
    halo = _halo(edition, cells.astype(np.uint16))
    number, spatial = _numbers(fault, num_hexes)
    covers = _marked(cells, num_hexes)
    covers[fault != PlacementFault.NONE] = False
    by_hex = np.ascontiguousarray(covers.T)
    return Placements(
        cells=cells.astype(np.uint16),
        fault=fault,
        bits=bits.pack(by_hex[:num_hexes].T),
        halo=halo,
        halo_bits=bits.pack(_marked(halo, num_hexes)[:, :num_hexes]),
        number=number,
        spatial=spatial,
        fief_conflicts=_by_number(by_hex, number, spatial),
        ring_conflicts=bits.pack(by_hex[:, NUM_FIEFS * per_fief : -1]),
    )


def fief_placements(edition: Edition, fief: Fief) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Returns cells and a `PlacementFault` [6 H] of each placement of a fief, by its first cell."""
    num_hexes = len(edition.grid)
    first_q, first_r = fief.cells[0]
    offsets = [(q - first_q, r - first_r) for q, r in fief.cells]
    cells = np.full((NUM_ROTATIONS, num_hexes, len(offsets)), num_hexes, dtype=np.int64)
    fault = np.zeros((NUM_ROTATIONS, num_hexes), dtype=np.uint8)
    for rotation in range(NUM_ROTATIONS):
        turned = rotate(offsets, rotation)
        for i, (q, r) in enumerate(turned):
            cells[rotation, :, i] = edition.grid.shifted(q, r)
        fault[rotation] = _geometry_fault(edition, fief, turned, cells[rotation])
    flat_cells, flat_fault = cells.reshape(-1, len(offsets)), fault.reshape(-1)
    possible = np.flatnonzero(flat_fault == PlacementFault.NONE)
    _, first = np.unique(np.sort(flat_cells[possible], axis=1), axis=0, return_index=True)
    flat_fault[np.delete(possible, first)] = PlacementFault.SAME_HEXES
    return flat_cells, flat_fault


def _geometry_fault(
    edition: Edition, fief: Fief, turned: tuple[tuple[int, int], ...], cells: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Returns the fault [H] of one rotation at every anchor; the first reason is written last."""
    num_hexes = len(edition.grid)
    land = np.append(land_mask(edition), False)
    fault = np.zeros(num_hexes, dtype=np.uint8)
    barriers = barrier_mask(edition)
    for (i, (q, r)), (_, (s, t)) in combinations(enumerate(turned), 2):
        if (s - q, t - r) in DIRECTIONS:
            fault[barriers[cells[:, i], DIRECTIONS.index((s - q, t - r))]] = PlacementFault.BARRIER
    fault[~land[cells[:, list(fief.castles)]].all(axis=1)] = PlacementFault.CASTLE_ON_WATER
    fault[(cells[:, : len(turned)] == num_hexes).any(axis=1)] = PlacementFault.OFF_MAP
    return fault


def _ring_placements(edition: Edition) -> NDArray[np.int64]:
    """Returns cells [4 H, 2] of one ring and of two, the second in each of three directions."""
    num_hexes = len(edition.grid)
    cells = np.full((1 + len(PAIR_DIRECTIONS), num_hexes, 2), num_hexes, dtype=np.int64)
    cells[:, :, 0] = np.arange(num_hexes)
    for i, direction in enumerate(PAIR_DIRECTIONS, start=1):
        cells[i, :, 1] = edition.grid.neighbors[:, direction]
    return cells.reshape(-1, 2)


def land_mask(edition: Edition) -> NDArray[np.bool_]:
    """Returns which hexes are land of a region (R1.3), [H]."""
    return np.array([edition.mark(cell) in edition.regions for cell in edition.grid.cells])


def barrier_mask(edition: Edition) -> NDArray[np.bool_]:
    """Returns which sides of each hex are barriers (R1.2), [H + 1, 6]; both hexes have the side."""
    grid = edition.grid
    mask = np.zeros((len(grid) + 1, len(DIRECTIONS)), dtype=np.bool_)
    for barrier in edition.barriers:
        for one, other in barrier.edges:
            for here, there in ((one, other), (other, one)):
                if here in grid.index and there in grid.index:  # the validator reports others
                    cell = grid.index[here]
                    mask[cell] |= grid.neighbors[cell] == grid.index[there]
    return mask


def _marked(cells: NDArray[np.integer], num_hexes: int) -> NDArray[np.bool_]:
    """Returns lists of hexes [K, n] as masks [K, H + 1]; column H ("no hex") is False."""
    mask = np.zeros((len(cells), num_hexes + 1), dtype=np.bool_)
    mask[np.arange(len(cells))[:, None], cells] = True
    mask[:, num_hexes] = False
    return mask


def _halo(edition: Edition, cells: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Returns the distinct hexes next to each placement, without its own, [K, 2 C + 4]."""
    num_hexes = len(edition.grid)
    neighbors = np.vstack([edition.grid.neighbors, np.full((1, 6), num_hexes)]).astype(np.uint16)
    around = neighbors[cells].reshape(len(cells), -1)
    for own in cells.T:
        around[around == own[:, None]] = num_hexes
    around.sort(axis=1)
    around[:, 1:][around[:, 1:] == around[:, :-1]] = num_hexes
    around.sort(axis=1)
    most = 2 * cells.shape[1] + 4  # that many are next to a row of C hexes, and fewer to others
    return np.ascontiguousarray(around[:, :most])


def _numbers(
    fault: NDArray[np.uint8], num_hexes: int
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Returns `Placements.number` and its inverse `Placements.spatial`."""
    per_fief = NUM_ROTATIONS * num_hexes
    possible = fault[: NUM_FIEFS * per_fief].reshape(NUM_FIEFS, per_fief) == PlacementFault.NONE
    counted = np.where(possible, possible.cumsum(axis=1) - 1, -1)
    number = np.full(len(fault), -1, dtype=np.int16)
    number[: counted.size] = counted.ravel()
    size = bits.num_words(int(possible.sum(axis=1).max(initial=1))) * 64
    spatial = np.zeros((NUM_FIEFS, size), dtype=np.int16)
    fiefs, placed = np.nonzero(possible)
    spatial[fiefs, counted[fiefs, placed]] = placed
    return number, spatial


def _by_number(
    mask: NDArray[np.bool_], number: NDArray[np.int16], spatial: NDArray[np.int16]
) -> Words:
    """See `Placements.by_number`."""
    num_hexes = len(number) // (NUM_FIEFS * NUM_ROTATIONS + 1 + len(PAIR_DIRECTIONS))
    rows = np.arange(NUM_FIEFS)[:, None] * (NUM_ROTATIONS * num_hexes) + spatial
    return bits.pack(mask[..., rows] & (number[rows] == np.arange(rows.shape[1])))


PLAN_WORD, DONATE_WORD = 0, -1


@dataclass(frozen=True)
class LegalSets:
    """The layout of sets of actions for one edition."""

    actions: ActionCodec  #: the space
    placements: Placements  #: the edition's placements

    def __repr__(self) -> str:
        return f"<LegalSets, {self.num_words} words>"

    @cached_property
    def fief_words(self) -> slice:
        return slice(1, 1 + self.placements.fief_conflicts.shape[2])

    @cached_property
    def ring_words(self) -> slice:
        start = self.fief_words.stop
        return slice(start, start + self.placements.ring_conflicts.shape[1])

    @cached_property
    def num_words(self) -> int:
        return self.ring_words.stop + 1

    @cached_property
    def _bit(self) -> Indices:
        """Bit number of every action except placements, [A]."""
        bit = np.zeros(self.actions.size, dtype=np.int64)
        bit[self.actions.plan] = np.arange(NUM_PLANS)
        weddings = self.actions.weddings
        bit[weddings] = self.ring_words.start * 64 + np.arange(weddings.stop - weddings.start)
        bit[self.actions.donate] = (self.num_words - 1) * 64
        return bit

    @cached_property
    def _action(self) -> Indices:
        """The inverse of `_bit`; 0 for bits that stand for no action or for a placement."""
        action = np.zeros(self.num_words * 64, dtype=np.int64)
        others = np.delete(np.arange(self.actions.size), np.r_[self.actions.fief])
        action[self._bit[others]] = others
        return action

    @cached_property
    def _placement_actions(self) -> Indices:
        """Action of each placement number, one fief after the other."""
        return NUM_PLANS + self.placements.spatial.astype(np.int64).reshape(-1)

    def contain(self, sets: Words, fiefs: Indices, actions: Indices) -> NDArray[np.bool_]:
        """Returns whether each set holds an action, [M]."""
        bit = self._bit[actions]
        fief = self.actions.fief
        placing = ((actions >= fief.start) & (actions < fief.stop)).nonzero()[0]
        spatial = actions[placing] - NUM_PLANS
        number = self.placements.number[self.placements.row(fiefs[placing], spatial)]
        # Without a number (-1), it maps to the last bit of the plan word, which is never set.
        bit[placing] = self.fief_words.start * 64 + number
        return bits.test(sets, bit)

    def sample(self, sets: Words, fiefs: Indices, rng: np.random.Generator) -> Indices:
        """Returns a uniformly random action of each set, [M]; 0 for an empty set."""
        if not sets[:, DONATE_WORD].any():  # plans only (R3.7)
            sets = sets[:, :1]
        bit = bits.draw(sets, rng)
        actions = self._to_actions(bit, fiefs)
        actions[bit < 0] = 0
        return actions

    def pack(self, mask: NDArray[np.bool_]) -> Words:
        """Returns the set of a mask [A]: plans, weddings and the donation, with every placement."""
        held = np.zeros(self.num_words * 64, dtype=np.bool_)
        others = np.delete(np.arange(self.actions.size), np.r_[self.actions.fief])
        held[self._bit[others]] = mask[others]
        words = bits.pack(held)
        words[self.fief_words] = ~WORD.type(0)
        return words

    def list_actions(self, sets: Words, fiefs: Indices) -> tuple[Indices, Indices]:
        """Returns all actions of all sets: rows [L] and actions [L], sorted by row."""
        rows, bit = bits.members(sets)
        return rows, self._to_actions(bit, fiefs[rows])

    def _to_actions(self, bit: Indices, fiefs: Indices) -> Indices:
        """Returns the actions that bits stand for, [M]."""
        actions = self._action[bit]
        first, stop = self.fief_words.start * 64, self.fief_words.stop * 64
        placing = ((bit >= first) & (bit < stop)).nonzero()[0]
        number = fiefs[placing] * (stop - first) + bit[placing] - first
        actions[placing] = self._placement_actions[number]
        return actions

    def write_masks(self, sets: Words, fiefs: Indices, out: NDArray[np.bool_]) -> None:
        """Writes sets as masks [M, A]."""
        out[...] = False
        if sets[:, PLAN_WORD].any():
            out[:, :NUM_PLANS] = bits.unpack(sets[:, :1], NUM_PLANS)
        if not sets[:, DONATE_WORD].any():  # plans only (R3.7)
            return
        out[:, self.actions.donate] = sets[:, DONATE_WORD] != 0
        weddings = sets[:, self.ring_words]
        having = np.bitwise_or.reduce(weddings, axis=1).nonzero()[0]
        block = self.actions.weddings
        out[having, block] = bits.unpack(weddings[having], block.stop - block.start)
        placements = sets[:, self.fief_words]
        rows, number = bits.members(placements)
        actions = self._placement_actions[fiefs[rows] * (placements.shape[1] * 64) + number]
        if out.flags.c_contiguous:  # one index is faster than two
            out.reshape(-1)[rows * self.actions.size + actions] = True
        else:
            out[rows, actions] = True
