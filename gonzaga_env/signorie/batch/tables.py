"""An edition as arrays: what actions cost, and what effects give, ask and need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.constants import (
    ADD_FEMALE,
    ADD_MALE,
    ASSIGNMENT_VP,
    FEMALE,
    FLORINS,
    FREE_HELPER,
    FREE_HELPER_OP,
    HALF_DIE_VP,
    HELPER_VP,
    INITIATIVE,
    MALE,
    MARKED,
    MARRIAGE,
    MARRIAGE_OP,
    MAX_DOWRY,
    MISSION,
    MISSION_OP,
    NUM_CAREERS,
    NUM_CITIES,
    NUM_COLORS,
    NUM_FACES,
    OFFSPRING,
    OVER,
    REWARD_VP,
    ROW,
    THRESHOLD,
    TILE,
    TRACK,
    TRACKS,
    VP,
)
from gonzaga_env.signorie.editions.edition import Edition, Effect
from gonzaga_env.signorie.state.state import NO_EFFECT

#: What is given at once, in the order of `Tables.gains`; the other ops are decisions (N2).
GIVEN = (FLORINS, VP, HALF_DIE_VP, ADD_MALE, ADD_FEMALE, OFFSPRING, INITIATIVE)
_ASKED = {
    TRACKS: TRACK,
    TILE: ROW,
    MISSION_OP: MISSION,
    MARRIAGE_OP: MARRIAGE,
    FREE_HELPER_OP: FREE_HELPER,
}
#: The kind of decision after the last part of an effect: none.
DONE = OVER

#: Besides marriages, what may be impossible (N2): each is a bit of a code (see `Tables.needs`).
_MAYBE_IMPOSSIBLE = (TRACKS, TILE, MISSION_OP, FREE_HELPER_OP, INITIATIVE)
DOWRY_SHIFT = len(_MAYBE_IMPOSSIBLE)
#: The lowest value of a city without an empty slot.
NO_SLOT = MAX_DOWRY + 1
#: Florins, plus 1, that nobody has: what is impossible needs as many.
NEVER = 255


@dataclass(frozen=True, eq=False)
class Tables:
    """What follows from an edition; E effects of at most Q - 1 parts.

    Attributes:
        gains: what the parts of an effect from one on give before the next decision, by op
            (`GIVEN`), [E * Q, 7] uint16.
        gives: whether it is anything, [E * Q] bool.
        kinds: the decision that follows, [E * Q] uint8; DONE after the last part.
        parts: the part that asks for it, [E * Q] uint8.
        numbers: its number, [E * Q] uint8.
        num_parts: Q.
        sources: the source of points of each effect, [E] int64.
        next_slots: the helper slot whose turn comes after each effect (S6.3), [256] uint8.
        needs: florins needed for an effect, plus 1, [codes, E] uint8; NEVER where it is
            impossible. The code of a seat has the bits of what is impossible for it
            (`_MAYBE_IMPOSSIBLE`), and the least dowry above them (NO_SLOT for none).
        demands: meeples needed in the supply for an assignment on a slot of a sex, [2, 2, 10]
            uint8: by whether a meeple on a track or the own disc can move, sex and tile. Of
            those, a marriage and a track that only takes new meeples use one more (N2).
        counts: meeples that each assignment takes, 1 for "..3", [10] uint8.
        marked: whether it is marked "..3", [10] bool.
        on_threshold: whether its meeples stand on the threshold space, [10] bool (S7.3).
        slot_sexes: the sex of each assignment slot, [10] int64.
        costs: Florins for a die, by color and value, [5, 6] uint8 (S5.3).
        prices: Florins for a helper, plus 1, by the color that hires it, [5 * H] uint8 (S6.1).
        hired: where such a helper stands among the helpers of a seat, [5 * H] int64.
        hiring: the inverse, [5 * H] int64.
        lowest: lowest empty value by city and number of slots taken, [5, S] uint8; the last is
            NO_SLOT.
        empty: empty slots by city, number of slots taken, and value, [5, S, 4] uint8.
        slot_ranks: ranks of all career slots, [3 * K] uint8.
        set_bits: what makes sets of career slots numbers, [K] int64.
        set_ranks: the best rank of each set, [2 ** K] uint8.
        set_advances: whether a slot of the set is not the end, [2 ** K] bool.
        shields: by board, row and House, [4, 24] uint8.
    """

    gains: NDArray[np.uint16]
    gives: NDArray[np.bool_]
    kinds: NDArray[np.uint8]
    parts: NDArray[np.uint8]
    numbers: NDArray[np.uint8]
    num_parts: int
    sources: NDArray[np.int64]
    next_slots: NDArray[np.uint8]
    needs: NDArray[np.uint8]
    demands: NDArray[np.uint8]
    counts: NDArray[np.uint8]
    marked: NDArray[np.bool_]
    on_threshold: NDArray[np.bool_]
    slot_sexes: NDArray[np.int64]
    costs: NDArray[np.uint8]
    prices: NDArray[np.uint8]
    hired: NDArray[np.int64]
    hiring: NDArray[np.int64]
    lowest: NDArray[np.uint8]
    empty: NDArray[np.uint8]
    slot_ranks: NDArray[np.uint8]
    set_bits: NDArray[np.int64]
    set_ranks: NDArray[np.uint8]
    set_advances: NDArray[np.bool_]
    shields: NDArray[np.uint8]


@lru_cache(maxsize=16)
def tables_of(edition: Edition) -> Tables:
    """Returns the tables of an edition, built once."""
    effects, num_parts = edition.effects, max(map(len, edition.effects)) + 1
    runs = [_run(effect, part) for effect in effects for part in range(num_parts)]
    gains, kinds, parts, numbers = (np.array(column) for column in zip(*runs, strict=True))
    tiles = effects[edition.first_assignment : edition.first_bonus]
    counts = np.maximum(edition.meeples, 1)
    h, hires_in = edition.num_helper_slots, np.array(edition.hires_in)
    hired = (hires_in[:, None] * h + np.arange(h)).ravel()
    lowest, empty = _cities(edition.city_slots)
    ranks, sets = np.array(edition.ranks), np.arange(1 << edition.num_career_slots)
    in_sets = sets[:, None] >> np.arange(len(ranks)) & 1
    return Tables(
        gains=gains.astype(np.uint16),
        gives=gains.any(axis=1),
        kinds=kinds.astype(np.uint8),
        parts=parts.astype(np.uint8),
        numbers=numbers.astype(np.uint8),
        num_parts=num_parts,
        sources=_sources(edition),
        next_slots=_next_slots(edition),
        needs=_needs(effects),
        demands=_demands(tiles, counts),
        counts=counts.astype(np.uint8),
        marked=np.array(edition.meeples) == MARKED,
        on_threshold=np.array([_has(effect, THRESHOLD) for effect in tiles]),
        slot_sexes=np.array(edition.assignment_sexes).ravel(),
        costs=_costs(edition.costs),
        prices=(np.array(edition.helper_prices)[hires_in].ravel() + 1).astype(np.uint8),
        hired=hired,
        hiring=hired.argsort(),
        lowest=lowest,
        empty=empty,
        slot_ranks=np.tile(ranks, NUM_CAREERS).astype(np.uint8),
        set_bits=1 << np.arange(len(ranks)),
        set_advances=in_sets[:, :-1].any(axis=1),
        set_ranks=(in_sets * ranks).max(axis=1).astype(np.uint8),
        shields=np.array(edition.shields, np.uint8).reshape(len(edition.shields), -1),
    )


def _has(effect: Effect, op: int) -> bool:
    return any(op == other for other, _ in effect)


def _run(effect: Effect, part: int) -> tuple[list[int], int, int, int]:
    """Returns what an effect gives from a part on, and what it then asks: kind, part, number."""
    gains = [0] * len(GIVEN)
    for place, (op, number) in enumerate(effect[part:], start=part):
        if op in _ASKED:
            return gains, _ASKED[op], place, number
        if op in GIVEN:  # THRESHOLD gives nothing: its meeples stand there already
            gains[GIVEN.index(op)] += number
    return gains, DONE, 0, 0


def _sources(edition: Edition) -> NDArray[np.int64]:
    numbers = np.arange(len(edition.effects))
    found = np.where(numbers < edition.first_bonus, ASSIGNMENT_VP, REWARD_VP)
    return np.where(numbers < edition.first_assignment, HELPER_VP, found)


def _next_slots(edition: Edition) -> NDArray[np.uint8]:
    slots = np.zeros(NO_EFFECT + 1, np.uint8)
    h = edition.num_helper_slots
    slots[NUM_COLORS : edition.first_assignment] = np.tile(np.arange(h) + 1, NUM_COLORS)
    return slots


def _needs(effects: tuple[Effect, ...]) -> NDArray[np.uint8]:
    codes = np.arange((NO_SLOT + 1) << DOWRY_SHIFT)
    impossible = codes[:, None] >> np.arange(DOWRY_SHIFT) & 1
    dowry = codes >> DOWRY_SHIFT
    needs = np.ones((len(codes), len(effects)), np.uint8)
    for i, effect in enumerate(effects):
        if _has(effect, MARRIAGE_OP):
            needs[:, i] = np.where(dowry == NO_SLOT, NEVER, 1 + dowry)
        ops = [_has(effect, op) for op in _MAYBE_IMPOSSIBLE]
        needs[(impossible[:, ops] > 0).any(axis=1), i] = NEVER
    return needs


def _demands(tiles: tuple[Effect, ...], counts: NDArray[Any]) -> NDArray[np.uint8]:
    demands = np.tile(counts.astype(np.uint8), (2, 2, 1))
    for i, effect in enumerate(tiles):
        demands[:, FEMALE, i] += _has(effect, MARRIAGE_OP)
        demands[0, MALE, i] += _has(effect, TRACKS)
    return demands


def _costs(costs: Sequence[int]) -> NDArray[np.uint8]:
    values = np.arange(1, NUM_FACES + 1)
    return np.maximum(np.array(costs)[:, None] - values, 0).astype(np.uint8)


def _cities(slots: Sequence[Sequence[int]]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Returns `Tables.lowest` and `Tables.empty`."""
    most = max(map(len, slots))
    lowest = np.full((NUM_CITIES, most + 1), NO_SLOT, np.uint8)
    empty = np.zeros((NUM_CITIES, most + 1, MAX_DOWRY), np.uint8)
    for city, values in enumerate(slots):
        lowest[city, : len(values)] = values
        for taken in range(len(values)):
            empty[city, taken] = np.bincount(values[taken:], minlength=NO_SLOT)[1:]
    return lowest, empty
