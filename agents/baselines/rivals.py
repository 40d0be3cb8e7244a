"""How many other seats are likely to place in the region of a plan before it is its turn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import bits
from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.constants import NUM_ACTION_CARDS
from gonzaga_env.core.rules.legal import legal_plans
from gonzaga_env.core.state.state import State, current_fiefs

from .candidates import Indices
from .heuristic import Heuristic, Scores


def rivals_before(
    heuristic: Heuristic, state: State, games: Indices, seats: Indices, temperature: float
) -> Scores:
    """Returns the expected number of seats that place in a plan's region before it, [M, 42].

    The others are expected to plan by a softmax of their scores on this map; their fiefs, cards and
    rings are public.

    Args:
        heuristic: scores the others' plans; it should not look at objectives, which are secret.
        state: N games in the planning phase.
        games: M of them.
        seats: the seat that plans in each, [M].
        temperature: of the softmax, in points.
    """
    num_players, each = state.num_players, np.arange(len(games))
    card_numbers = current_fiefs(state, games) * num_players + np.arange(num_players)  # R1.7
    expected = np.zeros((len(games), NUM_PLANS), dtype=np.float32)
    for offset in range(1, num_players):
        others = (seats + offset) % num_players
        chances = _plan_chances(heuristic, state, games, others, temperature)
        wins_ties = card_numbers[each, others] < card_numbers[each, seats]
        for wins, is_before in enumerate(_IS_BEFORE):
            rows = (wins_ties == wins).nonzero()[0]
            expected[rows] += chances[rows] @ is_before
    return expected


def _plan_chances(
    heuristic: Heuristic, state: State, games: Indices, seats: Indices, temperature: float
) -> Scores:
    """Returns how likely each plan of a seat is, [M, 42]."""
    scores = heuristic.plans(state, heuristic.values(state, games, seats))
    legal = legal_plans(heuristic.tables, state, games, seats)[:, None]
    scores[bits.unpack(legal, NUM_PLANS) == 0] = -np.inf
    chances = np.exp((scores - scores.max(axis=1, keepdims=True)) / np.float32(temperature))
    return chances / chances.sum(axis=1, keepdims=True)


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


_IS_BEFORE = _is_before()
