"""Means over deals with 95 % intervals.

The unit is the deal. Its rotations share scenario, decks and objectives, so they depend on one
another: the mean over them counts as one sample. Different deals are independent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval, which is None for too few deals."""

    mean: float
    low: float | None = None
    high: float | None = None

    def side_of(self, value: float) -> int:
        """Returns 1 if the interval is above a value, -1 if below, 0 if it holds it or is None."""
        if self.low is not None and self.low > value:
            return 1
        return -1 if self.high is not None and self.high < value else 0

    def with_margin(self, digits: int = 1, scale: float = 1.0) -> str:
        """Returns "12.3 ± 0.4", or the mean alone if there is no interval."""
        mean = f"{scale * self.mean:.{digits}f}"
        if self.high is None:
            return mean
        return f"{mean} ± {scale * (self.high - self.mean):.{digits}f}"

    def text(self, form: str = ".1%", ends: str | None = None) -> str:
        """Returns such as "12.3% (10.1% to 14.5%)"; the mean alone if there is no interval."""
        if self.low is None or self.high is None:
            return f"{self.mean:{form}}"
        ends = form if ends is None else ends
        return f"{self.mean:{form}} ({self.low:{ends}} to {self.high:{ends}})"


def mean_interval(values: NDArray[np.floating]) -> Estimate:
    """Returns the mean of values of D deals, [D], with Student's t interval."""
    return _ratio(values, np.ones(len(values)))


def ratio_interval(totals: NDArray[np.floating], counts: NDArray[np.floating]) -> Estimate | None:
    """Returns the mean of things of which each of D deals has some or none; None if none has any.

    It is the mean over all things, from their totals and counts by deal, [D]. The interval is
    Student's t interval of the ratio of two means, by linearisation (Cochran, Sampling Techniques,
    1977, 6.4).
    """
    return _ratio(totals, counts) if counts.any() else None


def _ratio(totals: NDArray[np.floating], counts: NDArray[np.floating]) -> Estimate:
    mean = float(totals.sum() / counts.sum())
    if len(totals) < 2:
        return Estimate(mean)
    margin = _margin(totals, counts)
    return Estimate(mean, mean - margin, mean + margin)


def share_interval(
    totals: NDArray[np.floating],
    lowest: float = 0.0,
    highest: float = 1.0,
    counts: NDArray[np.floating] | None = None,
) -> Estimate:
    """Returns the mean of bounded values of D deals, [D], with an interval.

    The interval is Student's t interval over the deals and two invented ones, one at each bound
    (Agresti and Caffo, 2000, add one success and one failure to a sample in the same way), clipped
    to the bounds. The plain t interval has no width when an agent wins all of few deals; this one
    then spans about 1 - 3 / D to 1. With many deals both agree. It always contains the mean. With
    counts, deals have several values each, of which the totals are given.
    """
    counts = np.ones(len(totals)) if counts is None else counts
    mean = min(highest, max(lowest, float(totals.sum() / counts.sum())))  # rounding may exceed them
    usual = counts.mean()
    totals = np.append(totals, [lowest * usual, highest * usual])
    counts = np.append(counts, [usual, usual])
    centre, margin = float(totals.sum() / counts.sum()), _margin(totals, counts)
    low, high = max(lowest, centre - margin), min(highest, centre + margin)
    return Estimate(mean, min(low, mean), max(high, mean))


def _margin(totals: NDArray[np.floating], counts: NDArray[np.floating]) -> float:
    """Returns half the width of the 95 % interval of `totals.sum() / counts.sum()`, [D] each."""
    ratio = totals.sum() / counts.sum()
    deviations = (totals - ratio * counts) / counts.mean()
    return t_quantile(len(totals) - 1) * float(deviations.std(ddof=1)) / len(totals) ** 0.5


@lru_cache(maxsize=1000)
def t_quantile(freedom: int) -> float:
    """Returns the 97.5 % quantile of Student's t, such as 4.3027 for 2 degrees of freedom.

    By the series of Abramowitz and Stegun, 26.7.3 and 26.7.4, and from 200 degrees on by 26.7.5.
    """
    if freedom >= 200:
        terms = (
            (_Z**3 + _Z) / 4,
            (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / 96,
            (3 * _Z**7 + 19 * _Z**5 + 17 * _Z**3 - 15 * _Z) / 384,
        )
        return _Z + sum(term / freedom**power for power, term in enumerate(terms, 1))
    low, high = 0.0, math.pi / 2  # of the angle whose tangent is t / sqrt(freedom)
    while high - low > 1e-15:
        angle = (low + high) / 2
        low, high = (angle, high) if _inside(angle, freedom) < 0.95 else (low, angle)
    return math.tan(low) * math.sqrt(freedom)


def _inside(angle: float, freedom: int) -> float:
    """Returns the probability that Student's t is at most sqrt(freedom) * tan(angle) in size."""
    odd = freedom % 2
    term, total = (math.cos(angle) if odd else 1.0), 0.0
    for k in range(2 + odd, freedom + 1, 2):
        total += term
        term *= (k - 1) / k * math.cos(angle) ** 2
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total
