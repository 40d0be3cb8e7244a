"""Means with 95 % intervals, clustered by deal: games of one deal depend on one another."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np

_Z = NormalDist().inv_cdf(0.975)
_FEWEST = 3  # deals of an interval; the quantile below is off for fewer


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
    return _quantile(len(totals) - 1) * float(deviations.std(ddof=1)) / len(totals) ** 0.5


def _quantile(freedom: int) -> float:
    """Returns the 97.5 % quantile of Student's t, within 3 % (Abramowitz and Stegun, 26.7.5)."""
    z, n = _Z, freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / n**power for power, term in enumerate(terms, 1))
