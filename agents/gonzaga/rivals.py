"""Where the other seats are likely to place, and whether before a plan."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.constants import NUM_ACTION_CARDS, NUM_REGION_CARDS
from gonzaga_env.core.state import State, current_fiefs

from ..common.arrays import Indices
from .heuristic import Heuristic, Scores


class Rivals:
    """The plans that are expected of all seats: a softmax of their scores on this map.

    Fiefs, cards and rings of all seats are public. Seats that have sealed their plans are expected
    to plan as if they had not.
    """

    def __init__(
        self,
        heuristic: Heuristic,
        state: State,
        games: Indices,
        seats: Indices,
        temperature: float,
        near: NDArray[np.uint8] | None = None,
    ) -> None:
        """Scores the plans of the seats that are rivals of another one.

        Args:
            heuristic: scores plans; it should not look at objectives, which are secret.
            state: N games in the planning phase.
            games: the game of each of M decisions; games may be listed several times.
            seats: the deciding seats, [M].
            temperature: of the softmax, in points.
            near: what `near_pieces` returns for all seats, [N * P, H + 1], where it is known.
        """
        distinct, first, self._which, count = np.unique(
            games, return_index=True, return_inverse=True, return_counts=True
        )
        self._seats, players = seats, np.arange(state.num_players)
        is_rival = (count[:, None] > 1) | (seats[first, None] != players)
        self._chances = np.zeros((*is_rival.shape, NUM_PLANS), dtype=np.float32)
        row, seat = is_rival.nonzero()
        known = None if near is None else near[distinct[row] * len(players) + seat]
        scores = heuristic.legal_plans(state, distinct[row], seat, known)
        chances = np.exp((scores - scores.max(axis=1, keepdims=True)) / np.float32(temperature))
        self._chances[row, seat] = chances / chances.sum(axis=1, keepdims=True)
        self._card_numbers = current_fiefs(state, games) * len(players) + players  # R1.7

    def regions(self) -> Scores:
        """Returns the expected number of others with each region card, [M, 7]."""
        chances = self._chances[self._which]
        total = chances.sum(axis=1) - chances[np.arange(len(chances)), self._seats]
        return total @ _OF_REGION

    def before(self) -> Scores:
        """Returns how many others are expected in a plan's region before it, [M, 42]."""
        seats = self._seats
        each, num_players = np.arange(len(seats)), self._chances.shape[1]
        expected = np.zeros((len(seats), NUM_PLANS), dtype=np.float32)
        for offset in range(1, num_players):
            others = (seats + offset) % num_players
            chances = self._chances[self._which, others]
            wins_ties = self._card_numbers[each, others] < self._card_numbers[each, seats]
            for wins, is_before in enumerate(_is_before()):
                rows = (wins_ties == wins).nonzero()[0]
                expected[rows] += chances[rows] @ is_before
        return expected


_OF_REGION = (PLAN_CARDS[:, :1] == np.arange(NUM_REGION_CARDS)).astype(np.float32)  # [42, 7]


@cache
def _is_before() -> NDArray[np.float32]:
    """Returns whether their plan goes before mine in the same region, [2, 42 theirs, 42 mine].

    The first axis is whether their fief card has the lower number, which breaks ties (R3.5).
    """
    region, action, privilege = PLAN_CARDS.T
    priority = (1 - privilege) * NUM_ACTION_CARDS + action
    earlier = priority[:, None] < priority
    same_region = region[:, None] == region
    ties = priority[:, None] == priority
    return (np.stack([earlier, earlier | ties]) & same_region).astype(np.float32)
