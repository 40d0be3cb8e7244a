"""How games rank their players, and means over deals with 95 % intervals.

The unit is the deal. Its rotations share scenario, decks and objectives, so they depend on one
another: the mean over them counts as one sample. Different deals are independent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.stats.report import Interval, ratio_margin

Seats = tuple[int, ...]
"""Indices of agents; one that sits on several seats occurs several times."""
Ranking = Sequence[tuple[int, int]]
"""The agent and the place of each seat of a game; seats that tie share a place."""
ANCHOR_RATING = 1000.0
POINTS = 400 / np.log(10)  # of a rating for each unit of log strength
CONFIDENCE = 0.95
TAILS = (1 - CONFIDENCE) / 2, 1 - (1 - CONFIDENCE) / 2
"""The probabilities that the ends of an interval cut off."""


def places_of(scores: Sequence[int], winners: Collection[int]) -> tuple[int, ...]:
    """Returns the place of each seat, [P], 0 for winners; seats that tie share a place.

    Winners come first, whom the rules determine; the others follow by score.
    """
    points = [(seat not in winners, -score) for seat, score in enumerate(scores)]
    keys = [key if key[0] else (False, 0) for key in points]
    order = sorted(set(keys))
    return tuple(order.index(key) for key in keys)


def choices_of(ranking: Ranking) -> list[tuple[Seats, Seats]]:
    """Returns the choices that a ranking consists of: (all that were left, those chosen)."""
    left, choices = sorted(ranking), []
    while len(left) > 1:
        best = min(place for _, place in left)
        chosen = tuple(agent for agent, place in left if place == best)
        choices.append((tuple(agent for agent, _ in left), chosen))
        left = [seat for seat in left if seat[1] != best]
    return choices


@dataclass(frozen=True)
class Estimate(Interval):
    """A mean and its 95 % interval, which is None for a single deal."""

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
        """Returns such as "12.3% (10.1% to 14.5%)"; the mean alone if there is no interval.

        Args:
            form: how numbers are written, as `format` takes it.
            ends: how the interval's ends are; None writes them like the mean.
        """
        if self.low is None or self.high is None:
            return f"{self.mean:{form}}"
        ends = form if ends is None else ends
        return f"{self.mean:{form}} ({self.low:{ends}} to {self.high:{ends}})"


def mean_interval(values: NDArray[np.floating]) -> Estimate:
    """Returns the mean of values of D deals, [D], with Student's t interval."""
    mean, num_deals = float(values.mean()), len(values)
    if num_deals < 2:
        return Estimate(mean, None, None)
    margin = _margin(values)
    return Estimate(mean, mean - margin, mean + margin)


def share_interval(
    values: NDArray[np.floating], lowest: float = 0.0, highest: float = 1.0
) -> Estimate:
    """Returns the mean of bounded values of D deals, [D], with an interval.

    The interval is Student's t interval over the deals and two invented ones, one at each bound
    (Agresti and Caffo, 2000, add one success and one failure to a sample in the same way), clipped
    to the bounds. The plain t interval has no width when an agent wins all of few deals; this one
    then spans about 1 - 3 / D to 1. With many deals both agree. It always contains the mean.
    """
    padded = np.append(values, [lowest, highest])
    centre, margin = float(padded.mean()), _margin(padded)
    mean = min(highest, max(lowest, float(values.mean())))  # rounding may exceed the bounds
    low, high = max(lowest, centre - margin), min(highest, centre + margin)
    return Estimate(mean, min(low, mean), max(high, mean))


def ratio_interval(totals: NDArray[np.floating], counts: NDArray[np.floating]) -> Estimate | None:
    """Returns the mean of things of which each of D deals has some or none, with its interval.

    The mean is that over all things, so a deal weighs as much as it has of them. The interval is
    Student's t interval of the ratio of two means, by linearisation (Cochran, Sampling Techniques,
    1977, 6.4).

    Args:
        totals: the sum of the values of each deal, [D].
        counts: how many values each deal has, [D].

    Returns:
        None if no deal has any; without an interval for a single deal.
    """
    if not counts.any():
        return None
    ratio = float(totals.sum() / counts.sum())
    if len(totals) < 2:
        return Estimate(ratio, None, None)
    margin = ratio_margin(totals, counts)
    return Estimate(ratio, ratio - margin, ratio + margin)


def percentile_ends(samples: NDArray[np.floating]) -> NDArray[np.float64]:
    """Returns the ends of the intervals of bootstrapped values [B, ...], [2, ...]."""
    return np.quantile(samples, TAILS, axis=0)


def _margin(values: NDArray[np.floating]) -> float:
    return ratio_margin(values, np.ones(len(values)))
