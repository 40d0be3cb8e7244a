"""Means with 95 % intervals, clustered by deal: games of one deal depend on one another."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist

import numpy as np

_Z = NormalDist().inv_cdf(0.975)
_FEWEST = 3  # deals of an interval


@dataclass(frozen=True)
class Interval:
    """A mean and its 95 % interval, which is None for fewer than three deals."""

    mean: float
    low: float | None = None
    high: float | None = None


@dataclass
class Mean:
    """A mean of values that belong to deals."""

    # The sum of the values of each deal.
    totals: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    # How many values each deal has.
    counts: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, deal: str, total: float, count: float = 1) -> None:
        """Adds values of a deal: their sum, and how many they are."""
        self.totals[deal] += total
        self.counts[deal] += count

    def interval(self, share: bool = False) -> Interval | None:
        """Returns the mean with its interval; None without values.

        A deal weighs as much as it has values. The interval is that of a ratio of two means over
        deals, by linearisation (Cochran, Sampling Techniques, 1977, 6.4).

        Args:
            share: the values lie between 0 and 1. Two invented deals, one of only zeros and one of
                only ones, then widen the interval (as Agresti and Caffo, 2000), which has no width
                where all values are equal, and it ends at 0 and 1.
        """
        deals = [deal for deal, count in self.counts.items() if count]
        if not deals:
            return None
        totals = np.array([self.totals[deal] for deal in deals])
        counts = np.array([self.counts[deal] for deal in deals], float)
        mean = float(totals.sum() / counts.sum())
        if len(deals) < _FEWEST:
            return Interval(mean)
        if not share:
            margin = _margin(totals, counts)
            return Interval(mean, mean - margin, mean + margin)
        totals = np.append(totals, [0, counts.mean()])
        counts = np.append(counts, [counts.mean()] * 2)
        centre, margin = float(totals.sum() / counts.sum()), _margin(totals, counts)
        return Interval(
            mean, min(mean, max(0, centre - margin)), max(mean, min(1, centre + margin))
        )


def _margin(totals: np.ndarray, counts: np.ndarray) -> float:
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
