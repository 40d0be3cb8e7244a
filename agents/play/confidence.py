"""A sequential test: plays only as long as needed, and keeps its error rate.

Looking at a 95 % interval after every deal, and stopping when it excludes 50 %, is wrong: of two
equal agents one is then declared better far more often than 5 % of the time. A confidence sequence
holds at all times at once: with probability 95 % or more it never excludes the true mean, however
often one looks and whenever one stops.

This is the hedged capital process of Waudby-Smith and Ramdas, "Estimating means of bounded random
variables by betting" (JRSS B, 2024; arXiv:2010.09686, section 4.4): a gambler bets on, and another
one against, the mean being above m. If m is the mean, neither is expected to win money, so a
capital of 20 rejects m (Ville's inequality). The stakes depend on earlier values only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .statistics import CONFIDENCE

_LARGEST_BET = 0.5  # fraction of what can be staked without going broke
_GRID = 1000  # candidates for the mean between 0 and 1


def log_capital(values: ArrayLike, means: ArrayLike) -> NDArray[np.float64]:
    """Returns the logarithm of the capital against each mean after each value, [M, T].

    Args:
        values: independent values from 0 to 1 with the same mean, [T].
        means: candidates for the mean, [M], each between 0 and 1 exclusively.
    """
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
    """Returns whether the confidence sequence has excluded a mean by each value, [T].

    Args:
        values: independent values from 0 to 1 with the same mean, [T].
        mean: a candidate for the mean, between 0 and 1.
    """
    rejected = log_capital(values, [mean])[0] >= -np.log(1 - CONFIDENCE)
    return np.logical_or.accumulate(rejected)


def bounds(values: ArrayLike) -> tuple[float, float]:
    """Returns the confidence sequence after the last value: what was never excluded.

    The ends are rounded outwards to a grid of a thousandth.
    """
    means = np.arange(1, _GRID) / _GRID
    highest = log_capital(values, means).max(axis=1, initial=-np.inf)
    kept = np.flatnonzero(highest < -np.log(1 - CONFIDENCE))
    if not len(kept):
        mean = float(np.asarray(values).mean())
        return mean, mean
    return float(means[kept[0]]) - 1 / _GRID, float(means[kept[-1]]) + 1 / _GRID


@dataclass(frozen=True)
class Decision:
    """What a sequential test found."""

    fair_share: float  # what the mean is compared with
    decided: bool  # whether the confidence sequence excludes the fair share
    deals: int  # deals looked at: until the decision, or all
    mean: float  # mean over these deals; the fair share if there are none
    low: float  # lower end of the confidence sequence
    high: float  # upper end


def decide(values: ArrayLike, fair_share: float) -> Decision:
    """Returns the decision after some values, in the order in which they were played.

    Args:
        values: the mean win share in each deal, from 0 to 1, [T].
        fair_share: the win share of equals.
    """
    x = np.asarray(values, dtype=np.float64)
    rejections = np.flatnonzero(excluded(x, fair_share))
    looked = int(rejections[0]) + 1 if len(rejections) else len(x)
    low, high = bounds(x[:looked])
    mean = float(x[:looked].mean()) if looked else fair_share
    return Decision(fair_share, bool(len(rejections)), looked, mean, low, high)
