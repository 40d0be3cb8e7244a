"""An edition as arrays: what actions cost, and what effects give, ask and need."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.editions.edition import Edition, Effect
from gonzaga_env.signorie.state.state import NO_EFFECT

#: What is given at once, in the order of `Tables.gains`; the other ops are decisions (N2).
GIVEN = (c.FLORINS, c.VP, c.HALF_DIE_VP, c.ADD_MALE, c.ADD_FEMALE, c.OFFSPRING, c.INITIATIVE)
#: The kind of decision after the last part of an effect: none.
DONE = c.OVER

#: Besides marriages, what may be impossible (N2), with its bit of a code (see `Tables.needs`).
_IMPOSSIBLE = {c.TRACKS: 1, c.TILE: 2, c.MISSION_OP: 4, c.FREE_HELPER_OP: 8, c.INITIATIVE: 16}
NO_TRACK, NO_DECK, NO_MISSION, NO_HELPER, AT_TOP = map(np.uint8, _IMPOSSIBLE.values())
DOWRY_SHIFT = 5
#: The lowest value of a city without an empty slot.
NO_SLOT = c.MAX_DOWRY + 1
#: Florins, plus 1, that nobody has: what is impossible needs as many.
NEVER = 255


class Tables:
    """What follows from an edition; E effects of at most Q - 1 parts.

    Attributes:
        num_parts: Q.
        gains: what the parts of an effect from one on give before the next decision, by op
            (`GIVEN`), [E * Q, 7] uint16.
        gives: whether it is anything, [E * Q] bool.
        kinds, parts, numbers: the decision that follows (DONE after the last part), the part that
            asks for it, and its number, [E * Q] uint8.
        sources: the source of points of each effect, [E].
        next_slots: the helper slot whose turn comes after each effect (S6.3), [256] uint8.
        needs: Florins needed for an effect, plus 1, [codes, E] uint8; NEVER where it is
            impossible. The code of a seat has the bits of what is impossible for it, and the least
            dowry above them (NO_SLOT for none).
        demands: meeples needed in the supply for an assignment, [2 * 2 * 10] uint8: by whether
            only a new male can move on a track, sex of the slot, and tile. Such a track, and a
            marriage, need one more than is spent (N2).
        counts: meeples that each assignment takes, 1 for "..3", [10] uint8.
        marked, on_threshold: whether it is marked "..3", and whether its meeples stand on the
            threshold space (S7.3), [10] bool.
        slot_sexes: the sex of each assignment slot, [10].
        costs: Florins for a die, by color and value, [5, 6] uint8 (S5.3).
        prices: Florins for a helper, plus 1, by the color that hires it, [5 * H] uint8 (S6.1).
        hired: where such a helper stands among the helpers of a seat, [5 * H] (S6.2).
        hiring: the inverse.
        choices: where the choices of each color stand when hiring, assignments and Signoria are
            listed one after the other, [5 * (H + 3)].
        lowest: lowest empty value by city and number of slots taken, [5, S] uint8; the last is
            NO_SLOT, also for cities out of play.
        empty: empty slots by city, number of slots taken, and value, [5, S, 4] uint8.
        slot_ranks: ranks of all career slots, [3 * K] uint8.
        set_bits: turn a set of career slots into a number, [K].
        set_ranks: the best rank of each set, [2 ** K] uint8.
        set_ends: whether the set holds no slot but the end, [2 ** K] bool.
        slot_vp, slot_florins, slot_steps: what career slots bring, [K] (S9.2, S9.3).
        vps, criteria: VP of a VP tile, and what it counts, [5] (S11.5).
        bride_vp, initiative_vp: by bride slot and initiative slot, [4] and [I].
        wedding_florins: by round, [5].
        halves: VP of males at the end, by career slot, [3 * K] (S12.1).
        shields: by board, row and House, [4, 24] uint8 (S10.1).
    """

    def __init__(self, edition: Edition) -> None:
        """Computes the tables."""
        self._read_effects(edition)
        self._read_cities(edition)
        h, hires_in = edition.num_helper_slots, np.array(edition.hires_in)
        self.counts = np.maximum(edition.meeples, 1).astype(np.uint8)
        self.marked = np.array(edition.meeples) == c.MARKED
        tiles = edition.effects[edition.first_assignment : edition.first_bonus]
        self.on_threshold = np.array([_has(effect, c.THRESHOLD) for effect in tiles])
        self.demands = _demands(tiles, self.counts)
        self.slot_sexes = np.array(edition.assignment_sexes).ravel()
        paid = np.array(edition.costs)[:, None] - np.arange(1, c.NUM_FACES + 1)
        self.costs = paid.clip(0).astype(np.uint8)
        self.prices = (np.array(edition.helper_prices)[hires_in].ravel() + 1).astype(np.uint8)
        self.hired = (hires_in[:, None] * h + np.arange(h)).ravel()
        self.hiring = self.hired.argsort()
        places = (
            np.arange(start, stop).reshape(c.NUM_COLORS, -1)
            for start, stop in pairwise(c.NUM_COLORS * width for width in (0, h, h + 2, h + 3))
        )
        self.choices = np.concatenate(list(places), axis=1).ravel()
        ranks = np.array(edition.ranks, np.uint8)
        sets = np.arange(1 << len(ranks))[:, None] >> np.arange(len(ranks)) & 1
        self.slot_ranks, self.set_bits = np.tile(ranks, c.NUM_CAREERS), 1 << np.arange(len(ranks))
        self.set_ranks = (sets * ranks).max(axis=1).astype(np.uint8)
        self.set_ends = ~sets[:, :-1].any(axis=1)
        self.slot_vp = np.array(edition.slot_vp, np.int16)
        self.slot_florins = np.array(edition.slot_florins, np.uint16)
        self.slot_steps = np.array(edition.slot_initiative, np.uint8)
        self.vps, self.criteria = np.array(edition.vp_per).T
        self.bride_vp = np.array(edition.bride_vp, np.int16)
        self.initiative_vp = np.array(edition.initiative_vp, np.int16)
        self.wedding_florins = np.array(edition.wedding_florins, np.uint16)
        self.halves = np.tile(self.slot_vp // 2, c.NUM_CAREERS)
        self.shields = np.array(edition.shields, np.uint8).reshape(len(edition.shields), -1)

    def _read_effects(self, edition: Edition) -> None:
        effects = edition.effects
        self.num_parts = max(map(len, effects)) + 1
        runs = [_run(effect, part) for effect in effects for part in range(self.num_parts)]
        columns = (np.array(column) for column in zip(*runs, strict=True))
        gains, *asked = columns
        self.gains, self.gives = gains.astype(np.uint16), gains.any(axis=1)
        self.kinds, self.parts, self.numbers = (array.astype(np.uint8) for array in asked)
        number, h = np.arange(len(effects)), edition.num_helper_slots
        self.sources = np.where(number < edition.first_bonus, c.ASSIGNMENT_VP, c.REWARD_VP)
        self.sources[: edition.first_assignment] = c.HELPER_VP
        self.next_slots = np.zeros(NO_EFFECT + 1, np.uint8)
        helpers = slice(c.NUM_COLORS, edition.first_assignment)
        self.next_slots[helpers] = np.tile(np.arange(h) + 1, c.NUM_COLORS)
        self.needs = _needs(effects)

    def _read_cities(self, edition: Edition) -> None:
        most = max(map(len, edition.city_slots))
        self.lowest = np.full((c.NUM_CITIES, most + 1), NO_SLOT, np.uint8)
        self.empty = np.zeros((c.NUM_CITIES, most + 1, c.MAX_DOWRY), np.uint8)
        for city, values in enumerate(edition.city_slots):
            self.lowest[city, : len(values)] = values
            for taken in range(len(values)):
                self.empty[city, taken] = np.bincount(values[taken:], minlength=NO_SLOT)[1:]


#: Returns the tables of an edition, built once.
tables_of = lru_cache(maxsize=16)(Tables)


def _has(effect: Effect, op: int) -> bool:
    return any(op == other for other, _ in effect)


def _run(effect: Effect, part: int) -> tuple[list[int], int, int, int]:
    """Returns what an effect gives from a part on, and what it then asks: kind, part, number."""
    gains = [0] * len(GIVEN)
    for place, (op, number) in enumerate(effect[part:], start=part):
        if op in c.ASKED:
            return gains, c.ASKED[op], place, number
        if op in GIVEN:  # THRESHOLD gives nothing: its meeples stand there already
            gains[GIVEN.index(op)] += number
    return gains, DONE, 0, 0


def _needs(effects: tuple[Effect, ...]) -> NDArray[np.uint8]:
    codes = np.arange((NO_SLOT + 1) << DOWRY_SHIFT)
    dowry = codes >> DOWRY_SHIFT
    needs = np.ones((len(codes), len(effects)), np.uint8)
    for i, effect in enumerate(effects):
        if _has(effect, c.MARRIAGE_OP):
            needs[:, i] = np.where(dowry == NO_SLOT, NEVER, 1 + dowry)
        bits = sum(bit for op, bit in _IMPOSSIBLE.items() if _has(effect, op))
        needs[codes & bits > 0, i] = NEVER
    return needs


def _demands(tiles: tuple[Effect, ...], counts: NDArray[Any]) -> NDArray[np.uint8]:
    demands = np.tile(counts, (2, 2, 1))
    demands[:, c.FEMALE] += [_has(effect, c.MARRIAGE_OP) for effect in tiles]
    demands[1, c.MALE] += [_has(effect, c.TRACKS) for effect in tiles]
    return demands.ravel()
