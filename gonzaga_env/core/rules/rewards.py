"""Rewards: what the players' points are worth to a learner."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.rules.scoring import win_shares, winners
from gonzaga_env.core.state.state import END_SOURCES, State

Reward = Literal["outcome", "score", "margin"]


def outcome(won: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Returns zero-sum returns [M, P] for winners [M, P].

    A sole winner gets +1 and the others -1 / (P - 1); k winners share what one would have got,
    as if a fair lot decided among them.
    """
    num_players = won.shape[1]
    return ((win_shares(won) * num_players - 1) / (num_players - 1)).astype(np.float32)


def margin(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns points [M, P] less the mean of the others'."""
    others = points.sum(axis=1, keepdims=True) - points
    return points - others / np.float32(points.shape[1] - 1)


def step_rewards(
    kind: Reward,
    tables: Tables,
    seats: NDArray[np.int64],
    points: NDArray[np.int64],
    ended: NDArray[np.int64],
    final: State,
) -> NDArray[np.float32]:
    """Returns the rewards of one step, [M, P].

    Args:
        kind: "outcome", "score" (own points as they come) or "margin" (those less the mean of the
            others').
        tables: the edition's tables.
        seats: the seat that acted, [M].
        points: what it scored at once, [M].
        ended: the games that ended, as indices of the M.
        final: those games.
    """
    num_players = final.num_players
    rewards = np.zeros((len(seats), num_players), dtype=np.float32)
    if kind == "outcome":
        rewards[ended] = outcome(winners(tables, final)) if len(ended) else 0
        return rewards
    rewards[np.arange(len(seats)), seats] = points
    rewards[ended] += final.scores[:, :, END_SOURCES].sum(axis=2)
    return margin(rewards) if kind == "margin" else rewards
