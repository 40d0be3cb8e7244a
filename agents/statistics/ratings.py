"""Ratings on the Elo scale, with intervals by bootstrap over deals.

The strengths are those of `ChoiceModel`: 400 points are a tenfold strength, so of two players the
stronger one is expected to win ten times as often. One agent, the anchor, is at 1000.

Intervals come from the weighted likelihood bootstrap (Newton and Raftery 1994): the model is fitted
again and again with random weights of the deals, exponentially distributed with mean 1. All games
of a deal share its weight, over all rotations and tables, since they depend on one another. Each
time the agents also play a round of invented games with such weights, in random order: each loses
one to the next. So all strengths stay finite (Ford 1957), and the end of the interval of an agent
that won all of n games is what they exclude: that it loses 3.7 of n (2.5 %).

If an agent always won, no game bounds its rating from above, and that end is left open. In general
a rating has an upper bound if the agent was beaten, or held to a tie, by the anchor,
or by somebody who was beaten or held by the anchor, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .estimates import percentile_ends
from .pairs import PairShares, pair_shares, reachable
from .rankings import ANCHOR_RATING, POINTS, Ranking
from .strengths import ChoiceModel

_REPLICATES = 500
_SEED = 0  # the bootstrap's own: the same games give the same intervals


@dataclass(frozen=True)
class Rating:
    """A rating and its 95 % interval."""

    rating: float  # on the Elo scale; a guess if an end of the interval is open
    low: float | None  # None if no game bounds the rating from below
    high: float | None  # None if no game bounds the rating from above

    @property
    def text(self) -> str:
        """The rating as tables show it: a bound where an end of the interval is open."""
        if self.low is None:
            return "unknown" if self.high is None else f"at most {self.high:.0f}"
        return f"at least {self.low:.0f}" if self.high is None else f"{self.rating:.0f}"

    @property
    def interval(self) -> str:
        """The interval as tables show it; "open" if an end is."""
        if self.low is None or self.high is None:
            return "open"
        return f"{self.low:.0f} to {self.high:.0f}"


@dataclass(frozen=True)
class Ratings:
    """The ratings of the agents."""

    ratings: tuple[Rating, ...]  # one for each agent, [A]
    # pairs of agents whose difference has an interval around 0, each once
    equal: tuple[tuple[int, int], ...]
    pairs: PairShares  # the win share of each agent against each other one, [A, A]


def rate(
    num_agents: int,
    rankings: Sequence[tuple[int, Ranking]],
    anchor: int = 0,
    replicates: int | None = None,
) -> Ratings:
    """Returns the ratings of agents.

    Args:
        num_agents: A.
        rankings: (number of the deal, ranking) for each game; deals of one number share chance.
        anchor: the agent whose rating is 1000.
        replicates: fits of the bootstrap; None makes 500.
    """
    numbers = sorted({deal for deal, _ in rankings})
    rows = {number: row for row, number in enumerate(numbers)}
    model = ChoiceModel(num_agents, [(rows[deal], ranking) for deal, ranking in rankings])
    found, rng = model.fit(), np.random.default_rng(_SEED)
    fits = [
        model.fit_weighted(rng.exponential(size=len(numbers)), _round(rng, num_agents), found)
        for _ in range(_REPLICATES if replicates is None else replicates)
    ]
    samples = np.stack(fits)[:, :num_agents]
    relative = samples - samples[:, [anchor]]
    low, high = percentile_ends(relative)
    shares = pair_shares(num_agents, rankings)
    held = reachable(_held(shares))
    ratings = tuple(
        Rating(
            _elo(found[i] - found[anchor]),
            _elo(low[i]) if held[i, anchor] else None,
            _elo(high[i]) if held[anchor, i] else None,
        )
        for i in range(num_agents)
    )
    return Ratings(ratings, _equal_pairs(samples), shares)


def _round(rng: np.random.Generator, num_agents: int) -> NDArray[np.float64]:
    """Returns random weights of a round of games in which each agent loses to the next, [A, A]."""
    invented, order = np.zeros((num_agents, num_agents)), rng.permutation(num_agents)
    invented[order, np.roll(order, 1)] = rng.exponential(size=num_agents)
    return invented


def _equal_pairs(samples: NDArray[np.float64]) -> tuple[tuple[int, int], ...]:
    """Returns the pairs whose difference has an interval around 0."""
    pairs = [(i, j) for j in range(samples.shape[1]) for i in range(j)]
    ends = [percentile_ends(samples[:, i] - samples[:, j]) for i, j in pairs]
    return tuple(pair for pair, (low, high) in zip(pairs, ends, strict=True) if low <= 0 <= high)


def _held(shares: PairShares) -> NDArray[np.bool_]:
    """Returns whether agent i ever came in before agent j, or tied with it, [A, A]."""
    held = [[share is not None and share.mean > 0 for share in row] for row in shares]
    return np.array(held) | np.eye(len(shares), dtype=np.bool_)


def _elo(log_strength: float) -> float:
    return float(ANCHOR_RATING + POINTS * log_strength)
