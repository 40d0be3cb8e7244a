"""Win shares between each two agents, and cycles among them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from .estimates import Estimate, share_interval
from .rankings import Ranking

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
