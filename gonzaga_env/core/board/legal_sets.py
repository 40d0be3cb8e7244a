"""Sets of legal actions as bits, and their conversion to actions and masks.

Geometry allows about a quarter of the 6 H placements of a fief in the action space; only those
have a bit. A set is a row of words, in the order of the actions:

| words | bits |
|---|---|
| 1 | plans |
| F | the fief's possible placements, `Placements.spatial` |
| R | weddings |
| 1 | donation |

The fief is that of the seat to act; callers pass it along.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NUM_PLANS, ActionSpace
from gonzaga_env.core.board.bits import WORD, Words
from gonzaga_env.core.board.placements import Placements
from gonzaga_env.tabletop.arguments import Indices

PLAN_WORD, DONATE_WORD = 0, -1


@dataclass(frozen=True)
class LegalSets:
    """The layout of sets of actions for one edition.

    Attributes:
        actions: the space.
        placements: the edition's placements.
    """

    actions: ActionSpace
    placements: Placements

    def __repr__(self) -> str:
        return f"<LegalSets, {self.num_words} words>"

    @cached_property
    def fief_words(self) -> slice:
        """The words of placements."""
        return slice(1, 1 + self.placements.fief_conflicts.shape[2])

    @cached_property
    def ring_words(self) -> slice:
        """The words of weddings."""
        start = self.fief_words.stop
        return slice(start, start + self.placements.ring_conflicts.shape[1])

    @cached_property
    def num_words(self) -> int:
        """Words of a set."""
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
        """Returns a set of plans, weddings and the donation, with every placement, [words].

        Args:
            mask: the actions, [A]; placements, whose bits depend on the fief, are not looked at.
        """
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
