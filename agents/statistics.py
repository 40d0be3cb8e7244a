"""A sequential test of win shares, deal by deal, and optimal mixes of matrix games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Doubles

CONFIDENCE = 0.95


_LARGEST_BET = 0.5  # fraction of what can be staked without going broke
_GRID = 1000  # candidates for the mean between 0 and 1


@dataclass(frozen=True)
class SequentialTest:
    """The result of a sequential test, which may be looked at after every deal.

    To look at a 95 % interval again and again, and to stop when it excludes the fair share, is
    wrong: of two equal agents one is then declared better far more often than 5 % of the time. A
    confidence sequence holds at all times at once: with probability 95 % or more it never excludes
    the true mean, however often one looks and whenever one stops.

    It is the hedged capital process of Waudby-Smith and Ramdas, "Estimating means of bounded random
    variables by betting" (JRSS B, 2024; arXiv:2010.09686, section 4.4): a gambler bets on, and
    another one against, the mean being above m. If m is the mean, neither is expected to win money,
    so a capital of 20 rejects m (Ville's inequality). Stakes depend on earlier values only.
    """

    fair_share: float  # what the mean is compared with
    decided: bool  # whether the confidence sequence excludes the fair share
    deals: int  # deals looked at: until the decision, or all
    mean: float  # mean over these deals; the fair share if there are none
    low: float  # lower end of the confidence sequence
    high: float  # upper end


def sequential_test(values: ArrayLike, fair_share: float) -> SequentialTest:
    """Tests whether the mean of win shares, deal by deal [T], differs from a fair share."""
    x = np.asarray(values, dtype=np.float64)
    rejections = np.flatnonzero(excluded(x, fair_share))
    looked = int(rejections[0]) + 1 if len(rejections) else len(x)
    low, high = bounds(x[:looked])
    mean = float(x[:looked].mean()) if looked else fair_share
    return SequentialTest(fair_share, bool(len(rejections)), looked, mean, low, high)


def log_capital(values: ArrayLike, means: ArrayLike) -> NDArray[np.float64]:
    """Returns the logarithm of the capital against means [M] after each of the values [T]."""
    x = np.asarray(values, dtype=np.float64)  # [T]
    m = np.asarray(means, dtype=np.float64)[:, None]  # [M, 1]
    stakes = _stakes(x)
    above = np.log1p(np.minimum(stakes, _LARGEST_BET / m) * (x - m)).cumsum(axis=1)
    below = np.log1p(-np.minimum(stakes, _LARGEST_BET / (1 - m)) * (x - m)).cumsum(axis=1)
    return np.maximum(above, below) + np.log(0.5)  # half for each gambler


def _stakes(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the stake before each value, [T]: "predictable plug-in", (26) of the paper."""
    count = np.arange(1, len(x) + 1)
    means = (0.5 + x.cumsum()) / (count + 1)
    variances = (0.25 + ((x - means) ** 2).cumsum()) / (count + 1)
    before = np.append(0.25, variances[:-1])
    return np.sqrt(2 * np.log(2 / (1 - CONFIDENCE)) / (before * count * np.log(count + 1)))


def excluded(values: ArrayLike, mean: float) -> NDArray[np.bool_]:
    """Returns whether the confidence sequence has excluded a mean by each of the values, [T]."""
    rejected = log_capital(values, [mean])[0] >= -np.log(1 - CONFIDENCE)
    return np.logical_or.accumulate(rejected)


def bounds(values: ArrayLike) -> tuple[float, float]:
    """Returns the ends of what was never excluded, rounded outwards to a grid of a thousandth."""
    means = np.arange(1, _GRID) / _GRID
    highest = log_capital(values, means).max(axis=1, initial=-np.inf)
    kept = np.flatnonzero(highest < -np.log(1 - CONFIDENCE))
    if not len(kept):
        mean = float(np.asarray(values).mean())
        return mean, mean
    return float(means[kept[0]]) - 1 / _GRID, float(means[kept[-1]]) + 1 / _GRID


_EPSILON = 1e-10


def solve_matrices(payoffs: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """Returns values [M] and optimal mixes of rows [M, m] and columns [M, n] of games [M, m, n].

    The payoffs are what the columns' player pays to the rows'. It solves the columns' linear
    program, whose dual solution is the rows' mix. With payoffs A made positive, the columns' player
    maximizes the sum of y >= 0 with A y <= 1. Then the value is 1 / sum(y), and the mix
    y / sum(y). The tableau of each game is::

        A  | I | 1
        -1 | 0 | 0
    """
    num, m, n = payoffs.shape
    low, high = payoffs.min(axis=(1, 2)), payoffs.max(axis=(1, 2))
    scale = high - low + 1
    tableau = np.zeros((num, m + 1, n + m + 1))
    tableau[:, :m, :n] = (payoffs - low[:, None, None] + 1) / scale[:, None, None]
    tableau[:, range(m), range(n, n + m)] = tableau[:, :m, -1] = 1
    tableau[:, m, :n] = -1
    basis = np.tile(np.arange(n, n + m), (num, 1))
    active = np.arange(num)
    while len(active):
        improves = tableau[active, m, :-1] < -_EPSILON
        active = active[improves.any(axis=1)]
        if len(active):
            enters = improves[improves.any(axis=1)].argmax(axis=1)
            _pivot(tableau, basis, active, enters)
    total = tableau[:, m, -1]
    mixes = np.zeros((num, n + m))
    np.put_along_axis(mixes, basis, tableau[:, :m, -1], axis=1)
    values = scale / total + low - 1
    return values, _mix(tableau[:, m, n:-1]), _mix(mixes[:, :n])


def _pivot(
    tableau: Doubles, basis: NDArray[np.int64], games: NDArray[np.int64], enters: NDArray[np.int64]
) -> None:
    """Moves a column into the basis of each game, by Bland's rule, which never cycles."""
    rows, part = np.arange(len(games)), tableau[games]
    column = part[rows, :, enters]
    ratios = np.full(column[:, :-1].shape, np.inf)
    np.divide(part[:, :-1, -1], column[:, :-1], out=ratios, where=column[:, :-1] > _EPSILON)
    ties = ratios <= ratios.min(axis=1, keepdims=True) + _EPSILON
    leaves = np.where(ties, basis[games], np.iinfo(np.int64).max).argmin(axis=1)
    pivot = part[rows, leaves] / column[rows, leaves, None]
    part -= column[:, :, None] * pivot[:, None]
    part[rows, leaves] = pivot
    tableau[games], basis[games, leaves] = part, enters


def _mix(weights: Doubles) -> Doubles:
    weights = np.maximum(weights, 0)
    return weights / weights.sum(axis=1, keepdims=True)
