"""The rating of one player who plays against agents of known ratings.

The model is that of `strengths`: a game is a sequence of choices of the next one in, each in
proportion to the strengths of those who are left (Plackett 1975, Luce 1959). Only one strength is
unknown, so its posterior is computed on a grid of ratings. Seats that share a place count as every
order of them, equally often: with two players a tie is half a victory.

The prior is a normal distribution around the anchor's rating. It keeps the rating of somebody who
has always won finite, and weighs as little as one or two games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from .rankings import ANCHOR_RATING, POINTS, TAILS

Game = tuple[tuple[float | None, int], ...]
"""The rating and the place of each seat, best first from 0; None is the player who is rated."""
PRIOR_SPREAD = 500.0  # standard deviation of the prior
_STEP = 5.0
GRID = np.arange(-1500.0, 5000.0 + _STEP, _STEP)
"""The ratings that are compared, [G]."""


@dataclass(frozen=True)
class PlayerRating:
    """The rating of highest posterior probability, and its 95 % interval."""

    rating: float
    low: float
    high: float


def rating_curve(games: Sequence[Game], points: int = 200) -> list[tuple[int, PlayerRating]]:
    """Returns how a rating has developed: numbers of games, and the rating after so many.

    Args:
        games: the games, in their order.
        points: how many of the games are looked at, the last one among them, at most.
    """
    numbers = np.unique(np.linspace(len(games), 0, min(points, len(games) + 1)).astype(int))
    prior = -(((GRID - ANCHOR_RATING) / PRIOR_SPREAD) ** 2) / 2
    added = np.array([prior, *map(log_likelihood, games)])  # [N + 1, G]
    posterior = np.cumsum(np.add.reduceat(added, [0, *(numbers[:-1] + 1)]), axis=0)
    weights = np.exp(posterior - posterior.max(axis=1, keepdims=True))
    below = np.cumsum(weights, axis=1)
    below /= below[:, -1:]
    found = (posterior, *(below >= tail for tail in TAILS))
    best, low, high = (GRID[values.argmax(axis=1)].tolist() for values in found)
    ratings = map(PlayerRating, best, low, high)
    return list(zip(numbers.tolist(), ratings, strict=True))


@lru_cache(512)
def log_likelihood(game: Game) -> NDArray[np.float64]:
    """Returns the log-likelihood of each rating of the grid, [G]."""
    logs = np.array([GRID if rating is None else np.full_like(GRID, rating) for rating, _ in game])
    logs /= POINTS
    places = [place for _, place in game]
    orders = [
        order
        for order in permutations(range(len(game)))
        if all(places[one] <= places[other] for one, other in pairwise(order))
    ]
    found = np.zeros_like(GRID)
    for order in orders:
        ranked = logs[list(order)]
        for i in range(len(order) - 1):
            found += ranked[i] - np.logaddexp.reduce(ranked[i:])
    return found / len(orders)
