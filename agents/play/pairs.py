"""Win shares between each two agents: cycles among them, and the mix that no agent beats.

The mix is the Nash averaging of a table (Balduzzi et al. 2018).
A rating is one number, and depends on who else plays: copies of an agent that loses to X raise X.
Here the table of win shares is itself a game, in which each of two players sends an agent, drawn at
random if it likes. The optimal chances are the mix; of several, that of the most entropy, so that
copies of an agent share its weight. What an agent wins against the mix does not depend on copies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ..arrays import Floats
from .matrix_games import solve_matrices
from .statistics import Estimate, Ranking, share_interval

PairShares = tuple[tuple[Estimate | None, ...], ...]
"""[A, A]: the win share of the row against the column; None where they never met."""


def pair_shares(num_agents: int, rankings: Sequence[tuple[int, Ranking]]) -> PairShares:
    """Returns the win share of each agent against each other one, [A, A].

    With two players that is the share of victories. With more it is the share of games in which
    the one comes in before the other, whoever wins; ties count a half each.

    Args:
        num_agents: A.
        rankings: (number of the deal, ranking) for each game; deals of one number share chance.
    """
    won, met = _by_deal(num_agents, rankings)

    def estimate(row: int, column: int) -> Estimate | None:
        games = met[:, row, column]
        played = games > 0
        if row == column or not played.any():
            return None
        return share_interval(won[played, row, column] / games[played])

    return tuple(
        tuple(estimate(row, column) for column in range(num_agents)) for row in range(num_agents)
    )


def _by_deal(
    num_agents: int, rankings: Sequence[tuple[int, Ranking]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns victories and meetings of each pair in each deal, both [D, A, A]."""
    shape = (num_agents, num_agents)
    won: dict[int, NDArray[np.float64]] = defaultdict(lambda: np.zeros(shape))
    met: dict[int, NDArray[np.float64]] = defaultdict(lambda: np.zeros(shape))
    for deal, ranking in rankings:
        for agent, place in ranking:
            for other, other_place in ranking:
                if agent != other:
                    met[deal][agent, other] += 1
                    won[deal][agent, other] += (place < other_place) + (place == other_place) / 2
    deals = sorted(met)
    return np.array([won[d] for d in deals]), np.array([met[d] for d in deals])


def reachable(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Returns whether a path leads from i to j, [A, A], given the steps that exist (Warshall)."""
    paths = edges.copy()
    for k in range(len(paths)):
        paths |= paths[:, [k]] & paths[[k], :]
    return paths


def cycles(shares: PairShares, fair_share: float = 0.5) -> tuple[tuple[int, ...], ...]:
    """Returns cycles: agents each of which beats the next one, and the last one the first.

    Of a group of agents that all beat each other, directly or through others, these are all its
    intransitive triples, or one of its shortest cycles if it has none. A victory counts if its 95 %
    interval is above the fair share.
    """
    beats = np.array(
        [[share is not None and share.side_of(fair_share) > 0 for share in row] for row in shares]
    )
    paths = reachable(beats)
    groups = {frozenset(np.flatnonzero(paths[i] & paths[:, i]).tolist()) for i in range(len(beats))}
    found = (_cycles_of(beats, sorted(group)) for group in groups if group)
    return tuple(sorted(cycle for own in found for cycle in own))


def _cycles_of(beats: NDArray[np.bool_], group: Sequence[int]) -> list[tuple[int, ...]]:
    triples: list[tuple[int, ...]] = [
        (i, j, k)
        for i, j, k in permutations(group, 3)
        if i < min(j, k) and beats[i, j] and beats[j, k] and beats[k, i]
    ]
    return triples or [_shortest_cycle(beats, group)]


def _shortest_cycle(beats: NDArray[np.bool_], group: Sequence[int]) -> tuple[int, ...]:
    """Returns a shortest cycle within a group whose members all reach each other."""
    walks: list[tuple[int, ...]] = [(start,) for start in group]
    while True:
        closed = [walk for walk in walks if beats[walk[-1], walk[0]]]
        if closed:
            return closed[0]
        walks = [
            (*walk, after)
            for walk in walks
            for after in group
            if after > walk[0] and after not in walk and beats[walk[-1], after]
        ]


_EVEN = 0.5
_LEAST = 1e-12  # whose logarithm is finite
_WRONG = 1e-6  # how much an agent may win against what the search for the most entropy finds


@dataclass(frozen=True)
class Mix:
    """Chances of A agents that no agent wins more than half against."""

    weights: tuple[float, ...]  # how often each one plays, [A]
    shares: tuple[float, ...]  # what each one wins against the mix: at most 0.5, [A]


def unbeaten_mix(pairs: PairShares) -> Mix | None:
    """Returns the mix of a table of win shares; None if two agents have never met."""
    num = len(pairs)
    if any(pairs[i][j] is None for i in range(num) for j in range(num) if i != j):
        return None
    means = [[_EVEN if share is None else share.mean for share in row] for row in pairs]
    gains = (np.array(means) - np.transpose(means)) / 2  # of the row, beyond half
    weights = _most_even(gains, solve_matrices(gains[None])[1][0])
    return Mix(tuple(weights.tolist()), tuple((_EVEN + gains @ weights).tolist()))


def _most_even(gains: Floats, start: Floats) -> Floats:
    """Returns the optimal chances of the most entropy, given any optimal ones."""
    found = minimize(
        lambda p: np.sum(p * np.log(p + _LEAST)),
        start,
        jac=lambda p: np.log(p + _LEAST) + p / (p + _LEAST),
        bounds=[(0, 1)] * len(start),
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": np.ones_like},
            {"type": "ineq", "fun": lambda p: -gains @ p, "jac": lambda p: -gains},
        ],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    weights = np.where(found.x < _WRONG, 0, found.x)
    weights /= weights.sum()
    return weights if (gains @ weights).max() < _WRONG else start
