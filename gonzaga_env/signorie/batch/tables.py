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
#: Florins, plus 1, that nobody can have: the price of what is impossible.
NEVER = 255


class Tables:
    """What follows from an edition: E effects of at most Q - 1 parts, H helper, K career slots."""

    def __init__(self, edition: Edition) -> None:
        """Computes the tables."""
        self._read_effects(edition)
        self._read_dice(edition)
        self._read_cities(edition)
        self._read_careers(edition)
        self.vps, self.criteria = np.array(edition.vp_per).T  # of VP tiles, [5] (S11.5)
        self.bride_vp = np.array(edition.bride_vp, np.int16)
        self.initiative_vp = np.array(edition.initiative_vp, np.int16)
        self.wedding_florins = np.array(edition.wedding_florins, np.uint16)  # by round, [5]
        # By board, row and House, [4, 24] (S10.1).
        self.shields = np.array(edition.shields, np.uint8).reshape(len(edition.shields), -1)

    def _read_effects(self, edition: Edition) -> None:
        effects = edition.effects
        self.num_parts = max(map(len, effects)) + 1  # Q
        runs = [_run(effect, part) for effect in effects for part in range(self.num_parts)]
        # What the parts of an effect from one on give before the next decision, by op (`GIVEN`),
        # and whether it is anything; [E * Q, 7] and [E * Q].
        gains, *asked = (np.array(column) for column in zip(*runs, strict=True))
        self.gains, self.gives = gains.astype(np.uint16), gains.any(axis=1)
        # The decision that follows (DONE after the last part), the part that asks for it, and its
        # number, [E * Q].
        self.kinds, self.parts, self.numbers = (array.astype(np.uint8) for array in asked)
        number, h = np.arange(len(effects)), edition.num_helper_slots
        # The source of points of each effect, [E].
        self.sources = np.where(number < edition.first_bonus, c.ASSIGNMENT_VP, c.REWARD_VP)
        self.sources[: edition.first_assignment] = c.HELPER_VP
        # The helper slot whose turn comes after each effect, [256] (S6.3).
        self.next_slots = np.zeros(NO_EFFECT + 1, np.uint8)
        helpers = slice(c.NUM_COLORS, edition.first_assignment)
        self.next_slots[helpers] = np.tile(np.arange(h) + 1, c.NUM_COLORS)
        # Florins needed for an effect, plus 1, or NEVER, [codes, E]. The code of a seat has the
        # bits of what is impossible for it, and above them the least dowry (NO_SLOT for none).
        self.needs = _needs(effects)

    def _read_dice(self, edition: Edition) -> None:
        """Sets what assignments, dice and helpers cost (S5 to S7)."""
        h, hires_in = edition.num_helper_slots, np.array(edition.hires_in)
        # Meeples that each assignment takes, and at least has to find in the supply: by whether
        # only a new male can move on a track, sex of the slot, and tile, [2 * 2 * 10].
        self.counts = np.maximum(edition.meeples, 1).astype(np.uint8)
        self.marked = np.array(edition.meeples) == c.MARKED
        tiles = edition.effects[edition.first_assignment : edition.first_bonus]
        self.demands = _demands(tiles, self.counts)
        # Whether they stand on the threshold space then, [10] (S7.3).
        self.on_threshold = np.array([_has(effect, c.THRESHOLD) for effect in tiles])
        self.slot_sexes = np.array(edition.assignment_sexes).ravel()  # of assignment slots, [10]
        paid = np.array(edition.costs)[:, None] - np.arange(1, c.NUM_FACES + 1)
        self.costs = paid.clip(0).astype(np.uint8)  # of a die by color and value, [5, 6] (S5.3)
        # By the color that hires a helper: Florins, plus 1 (S6.1), and its place among the helpers
        # of a seat (S6.2), [5 * H]; `hiring` is the inverse.
        self.prices = (np.array(edition.helper_prices)[hires_in].ravel() + 1).astype(np.uint8)
        self.hired = (hires_in[:, None] * h + np.arange(h)).ravel()
        self.hiring = self.hired.argsort()
        # Where the choices of each color stand when hiring, assignments and Signoria are listed
        # one after the other, [5 * (H + 3)].
        places = (
            np.arange(start, stop).reshape(c.NUM_COLORS, -1)
            for start, stop in pairwise(c.NUM_COLORS * width for width in (0, h, h + 2, h + 3))
        )
        self.choices = np.concatenate(list(places), axis=1).ravel()

    def _read_cities(self, edition: Edition) -> None:
        """Sets empty slots by city, number of slots taken, and value, and the lowest value.

        The last number taken stands for cities out of play too.
        """
        most = max(map(len, edition.city_slots))
        self.lowest = np.full((c.NUM_CITIES, most + 1), NO_SLOT, np.uint8)
        self.empty = np.zeros((c.NUM_CITIES, most + 1, c.MAX_DOWRY), np.uint8)
        for city, values in enumerate(edition.city_slots):
            self.lowest[city, : len(values)] = values
            for taken in range(len(values)):
                self.empty[city, taken] = np.bincount(values[taken:], minlength=NO_SLOT)[1:]

    def _read_careers(self, edition: Edition) -> None:
        """Sets what career slots bring (S9.2, S9.3), and what sets of them have."""
        ranks = np.array(edition.ranks, np.uint8)
        self.slot_ranks = np.tile(ranks, c.NUM_CAREERS)  # [3 * K]
        self.slot_vp = np.array(edition.slot_vp, np.int16)
        self.slot_florins = np.array(edition.slot_florins, np.uint16)
        self.slot_steps = np.array(edition.slot_initiative, np.uint8)
        self.halves = np.tile(self.slot_vp // 2, c.NUM_CAREERS)  # VP at the end (S12.1), [3 * K]
        self.set_bits = 1 << np.arange(len(ranks))  # turn a set into a number
        sets = np.arange(1 << len(ranks))[:, None] & self.set_bits > 0
        self.set_ranks = (sets * ranks).max(axis=1).astype(np.uint8)  # the best, [2 ** K]
        self.set_ends = ~sets[:, :-1].any(axis=1)  # no slot but the end, [2 ** K]


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
    """Returns the meeples needed: tracks and marriages may need one besides those spent (N2)."""
    demands = np.tile(counts, (2, 2, 1))
    demands[:, c.FEMALE] += [_has(effect, c.MARRIAGE_OP) for effect in tiles]
    demands[1, c.MALE] += [_has(effect, c.TRACKS) for effect in tiles]
    return demands.ravel()
