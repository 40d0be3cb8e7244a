"""The decisions that a search compares candidates for, and sequential halving of those."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..common.arrays import Indices, Observations, best_of_rows

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Root:
    """M decisions of one kind, with C candidates each."""

    observations: Observations  # [M, D]
    kind: int  # which of `GameSpec.kinds` they are
    actions: Indices  # candidates, best first by the prior, [M, C]; -1 for padding
    handicaps: Floats  # what the prior takes off their values, 0 or less, [M, C]
    alive: NDArray[np.bool_]  # candidates that are still compared, [M, C]
    totals: Floats  # sums of values, [M, C]
    visits: Indices  # playouts, [M, C]
    num_rounds: int  # rounds that playouts last, the one of the decisions included

    @classmethod
    def of(
        cls, seen: Observations, kind: int, actions: Indices, priors: Floats, num_rounds: int
    ) -> Root:
        """Returns decisions before the first playout, given scores by the prior [M, C]."""
        alive, totals = actions >= 0, np.zeros(actions.shape)
        handicaps = priors - np.where(alive, priors, -np.inf).max(axis=1, keepdims=True)
        visits = np.zeros(actions.shape, dtype=np.int64)
        return cls(seen, kind, actions, handicaps, alive, totals, visits, num_rounds)

    @property
    def num_decisions(self) -> int:
        """M."""
        return len(self.actions)

    def contested(self) -> NDArray[np.bool_]:
        """Returns the candidates that are alive where there is more than one, [M, C]."""
        return self.alive & (self.alive.sum(axis=1, keepdims=True) > 1)

    def estimates(self) -> Floats:
        """Returns mean values less handicaps, [M, C]; -inf for padding, no mean without a playout.

        The handicap is how far the prior is below that of the best candidate.
        """
        means = self.totals / np.maximum(self.visits, 1)
        return np.where(self.actions >= 0, means + self.handicaps, -np.inf)

    def chances(self, decision: int, candidates: Indices) -> Floats:
        """Returns the winning chances of ranked candidates, best first, [C].

        They are mean values of playouts. Few playouts may flatter a candidate that was dropped;
        so neighbours in the ranking that contradict it share their mean (isotonic regression).
        """
        pools: list[tuple[float, int, int]] = []  # total value, playouts, candidates
        for candidate in candidates.tolist():
            pool = float(self.totals[decision, candidate]), int(self.visits[decision, candidate]), 1
            while pools and _mean(*pools[-1][:2]) < _mean(*pool[:2]):
                total, visits, size = pools.pop()
                pool = total + pool[0], visits + pool[1], size + pool[2]
            pools.append(pool)
        means = [_mean(total, visits) for total, visits, _ in pools]
        return np.repeat(np.array(means), [size for *_, size in pools])

    def ranking(self) -> Indices:
        """Returns the candidates best first, [M, C]: those that were dropped last come first."""
        return np.lexsort((-self.estimates(), -self.visits, ~self.alive), axis=1)

    def best(self) -> Indices:
        """Returns the best action of each decision, [M]."""
        return self.actions[np.arange(self.num_decisions), self.ranking()[:, 0]]

    def halve(self) -> None:
        """Keeps the better half of the candidates that are alive, rounded up."""
        order = self.ranking()
        keep = (self.alive.sum(axis=1) + 1) // 2
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.arange(order.shape[1])[None], axis=1)
        self.alive[:] = self.alive & (ranks < keep[:, None])


def _mean(total: float, visits: int) -> float:
    return total / max(visits, 1)


def best_candidates(
    rows: Indices,
    actions: Indices,
    scores: NDArray[np.floating],
    num_rows: int,
    size: int,
    weight: float,
) -> tuple[Indices, Floats]:
    """Returns the `size` best-scored actions of each row and their weighted scores.

    Args:
        rows: the row of each action, [L], ascending.
        actions: [L].
        scores: [L].
        num_rows: M.
        size: C at most.
        weight: what scores are multiplied by.

    Returns:
        Actions, best first, -1 for padding, and weighted scores; both [M, C].
    """
    top, rank = best_of_rows(rows, scores, size)
    shape = num_rows, int(rank.max()) + 1
    best, priors = np.full(shape, -1), np.zeros(shape)
    best[rows[top], rank] = actions[top]
    priors[rows[top], rank] = scores[top] * weight
    return best, priors
