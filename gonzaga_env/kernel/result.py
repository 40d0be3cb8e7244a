"""Results of a step, and rewards.

Rewards are float64. "outcome" and "margin" add up to exactly 0 over the players, in any order of
summation, although a third has no exact float: see `balance`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.state import StateArrays

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


@dataclass(frozen=True)
class StepResult:
    """The result of one step in the M games that were stepped (all N by default)."""

    seats: NDArray[np.int64]  #: the seat that acted, [M] int64; -1 where the game was over before
    points: NDArray[np.int64]  #: points that the action scored immediately, [M] int64
    rewards: NDArray[np.float64]  #: reward of every seat, [M, P] float64, of the engine's kind
    finished: NDArray[np.bool_]  #: which of the games ended in this step, [M] bool
    final: StateArrays  #: those games as they ended, before any autoreset, in their order

    def __repr__(self) -> str:
        return f"<StepResult of {len(self.seats)} games, {self.final.num_games} finished>"
