"""Ratings on the Elo scale, with intervals by bootstrap over deals.

The strengths are those of `ChoiceModel`: 400 points are a tenfold strength, so of two players the
stronger one is expected to win ten times as often. One agent, the anchor, is at 1000.

Intervals come from the weighted likelihood bootstrap (Newton and Raftery 1994): the model is fitted
again and again with random weights of the deals, exponentially distributed with mean 1. All games
of a deal share its weight, over all rotations and tables, since they depend on one another. The
prior's invented deals have such weights too.

If an agent always won, only the prior bounds its rating. The end of the interval is then left open.
In general (Ford 1957), an agent's rating has an upper bound if the agent was beaten, or held to a
tie, by the anchor, or by somebody who was beaten or held by the anchor, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .estimates import CONFIDENCE
from .strengths import ChoiceModel, Ranking

ANCHOR_RATING = 1000.0
POINTS = 400 / np.log(10)  # of a rating for each unit of log strength
_REPLICATES = 500
_SEED = 0  # the bootstrap's own: the same games give the same intervals


@dataclass(frozen=True)
class Rating:
    """A rating and its 95 % interval.

    Attributes:
        rating: on the Elo scale.
        low: None if no game bounds the rating from below.
        high: None if no game bounds the rating from above.
    """

    rating: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Ratings:
    """The ratings of the agents.

    Attributes:
        ratings: one for each agent, [A].
        equal: pairs of agents whose difference has an interval around 0, each once.
    """

    ratings: tuple[Rating, ...]
    equal: tuple[tuple[int, int], ...]


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
    found = model.fit()
    replicates = _REPLICATES if replicates is None else replicates
    samples = _bootstrap(model, found, len(numbers), replicates)[:, :num_agents]
    relative = samples - samples[:, [anchor]]
    low, high = _interval(relative)
    held = reachable(_held(num_agents, rankings))
    ratings = tuple(
        Rating(
            _elo(found[i] - found[anchor]),
            _elo(low[i]) if held[i, anchor] else None,
            _elo(high[i]) if held[anchor, i] else None,
        )
        for i in range(num_agents)
    )
    return Ratings(ratings, _equal_pairs(samples))


def _bootstrap(
    model: ChoiceModel, found: NDArray[np.float64], num_deals: int, replicates: int
) -> NDArray[np.float64]:
    """Returns the parameters of each replicate, [B, F]."""
    rng = np.random.default_rng(_SEED)
    return np.stack(
        [
            model.fit(
                rng.exponential(size=num_deals), rng.exponential(size=len(model.prior)), found
            )
            for _ in range(replicates)
        ]
    )


def _interval(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    tail = (1 - CONFIDENCE) / 2
    bounds: NDArray[np.float64] = np.quantile(samples, [tail, 1 - tail], axis=0)
    return bounds


def _equal_pairs(samples: NDArray[np.float64]) -> tuple[tuple[int, int], ...]:
    """Returns the pairs whose difference has an interval around 0."""
    pairs = [(i, j) for j in range(samples.shape[1]) for i in range(j)]
    intervals = [(pair, _interval(samples[:, pair[0]] - samples[:, pair[1]])) for pair in pairs]
    return tuple(pair for pair, (low, high) in intervals if low <= 0 <= high)


def _held(num_agents: int, rankings: Sequence[tuple[int, Ranking]]) -> NDArray[np.bool_]:
    """Returns whether agent i ever came in before agent j, or tied with it, [A, A]."""
    held = np.eye(num_agents, dtype=np.bool_)
    for _, ranking in rankings:
        for agent, place in ranking:
            for other, other_place in ranking:
                held[agent, other] |= place <= other_place
    return held


def reachable(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Returns whether a path leads from i to j, [A, A], given the steps that exist (Warshall)."""
    paths = edges.copy()
    for k in range(len(paths)):
        paths |= paths[:, [k]] & paths[[k], :]
    return paths


def _elo(log_strength: float) -> float:
    return float(ANCHOR_RATING + POINTS * log_strength)
