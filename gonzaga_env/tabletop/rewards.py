"""Rewards: what the players' points are worth to a learner.

Rewards are float64. "outcome" and "margin" add up to exactly 0 over the players, in any order of
summation, although a third has no exact float: see `balance`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.errors import OptionError

Reward = Literal["outcome", "score", "margin"]

#: Steps of zero-sum rewards to 1: coarse enough that float64 adds rewards below 2^20 without error.
_STEPS = 2.0**32


def check_reward(reward: object) -> None:
    """Raises OptionError unless there is such a kind of reward."""
    if reward not in get_args(Reward):
        kinds = ", ".join(map(repr, get_args(Reward)))
        raise OptionError(f"reward is {reward!r}; it takes {kinds}")


def win_shares(won: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns each player's share of the victory, [..., P] of [..., P]: 1 / k for k winners."""
    return won / won.sum(axis=-1, keepdims=True)


def outcome(won: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Returns zero-sum returns [M, P] for winners [M, P].

    A sole winner gets +1 and the others -1 / (P - 1); k winners share equally what one would have
    got, which is the expected return of a fair draw among them.
    """
    num_players = won.shape[1]
    return balance((win_shares(won) * num_players - 1) / (num_players - 1))


def margin(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns points [M, P] minus the mean of the others'."""
    others = points.sum(axis=1, keepdims=True) - points
    return balance(points - others / (points.shape[1] - 1))


def balance(rewards: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns zero-sum rewards [M, P], rounded so that each row adds up to exactly 0.

    Thirds are rounded to multiples of 2^-32; the lowest reward of the row takes the difference of
    one step (2e-10) that this leaves.
    """
    steps = np.rint(rewards * _STEPS)
    steps[np.arange(len(steps)), steps.argmin(axis=1)] -= steps.sum(axis=1)
    return steps / _STEPS


def step_rewards(
    kind: Reward,
    shape: tuple[int, int],
    ended: NDArray[np.int64],
    winners: Callable[[], NDArray[np.bool_]],
    points: Callable[[], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Returns the rewards of one step, [M, P].

    Args:
        kind: "outcome", "score" (own points as they are scored) or "margin" (own points minus the
            mean of the others').
        shape: (M, P).
        ended: the K games that ended, as indices of the M.
        winners: returns who won those, [K, P].
        points: returns what every player gained in this step, final scoring included, [M, P].
    """
    if kind != "outcome":
        return margin(points()) if kind == "margin" else points()
    rewards = np.zeros(shape)
    if len(ended):
        rewards[ended] = outcome(winners())
    return rewards
