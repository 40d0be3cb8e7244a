"""Rewards: what the players' points are worth to a learner.

Rewards are float64. "outcome" and "margin" add up to exactly 0 over the players, in any order of
summation, although a third has no exact float: see `_balance`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.scoring import win_shares, winners
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.state.state import END_SOURCES, State

Reward = Literal["outcome", "score", "margin"]

#: Steps of zero-sum rewards to 1: coarse enough that float64 adds rewards below 2^20 without error.
_STEPS = 2.0**32


def outcome(won: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns zero-sum returns [M, P] for winners [M, P].

    A sole winner gets +1 and the others -1 / (P - 1); k winners share equally what one would have
    got, which is the expected return of a fair draw among them.
    """
    num_players = won.shape[1]
    return _balance((win_shares(won) * num_players - 1) / (num_players - 1))


def margin(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns points [M, P] minus the mean of the others'."""
    others = points.sum(axis=1, keepdims=True) - points
    return _balance(points - others / (points.shape[1] - 1))


def _balance(rewards: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns zero-sum rewards [M, P], rounded so that each row adds up to exactly 0.

    Thirds are rounded to multiples of 2^-32; the lowest reward of the row takes the difference of
    one step (2e-10) that this leaves.
    """
    steps = np.rint(rewards * _STEPS)
    steps[np.arange(len(steps)), steps.argmin(axis=1)] -= steps.sum(axis=1)
    return steps / _STEPS


def step_rewards(
    kind: Reward,
    tables: Tables,
    seats: NDArray[np.int64],
    points: NDArray[np.int64],
    ended: NDArray[np.int64],
    final: State,
) -> NDArray[np.float64]:
    """Returns the rewards of one step, [M, P].

    Args:
        kind: "outcome", "score" (own points as they are scored) or "margin" (own points minus the
            mean of the others').
        tables: the tables of the edition.
        seats: the seat that acted, [M].
        points: what it scored at once, [M].
        ended: the games that ended, as indices of the M.
        final: those games.
    """
    num_players = final.num_players
    rewards = np.zeros((len(seats), num_players))
    if kind == "outcome":
        if len(ended):
            rewards[ended] = outcome(winners(tables, final))
        return rewards
    rewards[np.arange(len(seats)), seats] = points
    rewards[ended] += final.scores[:, :, END_SOURCES].sum(axis=2)
    return margin(rewards) if kind == "margin" else rewards
