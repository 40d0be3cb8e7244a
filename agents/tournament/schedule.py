"""What a tournament plays: every mix of agents or a sample, in chunks."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.spec import Config

from ..units.entrants import Entrant
from .games import Chunk

CHUNK_DEALS = {2: 50, 3: 50}
"""Deals of a chunk by number of players, 25 for more: 100 to 150 games, few enough to lose.

Not an option, since it affects what a seed means."""

Mix = tuple[Entrant, ...]
"""The agents at a table, [P], sorted by key; an agent may fill several seats."""


def mixes(entrants: Sequence[Entrant], num_players: int, limit: int | None = None) -> list[Mix]:
    """Returns the mixes of two or more different agents.

    The order in which agents are named plays no part.

    Args:
        entrants: the agents.
        num_players: P.
        limit: the most mixes of three or four; if there are more, a sample of this size is drawn,
            first from those with the most different agents, in which all pairs of agents meet about
            equally often. None plays all. Pairs of two players are always played all.

    Raises:
        OptionError: the limit leaves an agent without a table.
    """
    ordered = sorted(entrants, key=lambda entrant: entrant.key)
    every = [
        mix for mix in combinations_with_replacement(ordered, num_players) if len(set(mix)) > 1
    ]
    if num_players == 2 or limit is None or len(every) <= limit:
        return every
    counts = np.array([[mix.count(entrant) for entrant in ordered] for mix in every])
    texts = ("\n".join(entrant.key for entrant in mix) for mix in every)
    ties = [sha256(text.encode()).hexdigest() for text in texts]
    sample = [every[i] for i in _balanced_sample(counts, limit, ties)]
    for entrant in ordered:
        if not any(entrant in mix for mix in sample):
            raise OptionError(f"tables is {limit}, which leaves no seat for {entrant.spec}")
    return sample


def _balanced_sample(counts: NDArray[np.int64], size: int, ties: Sequence[str]) -> list[int]:
    """Returns the rows of a balanced sample.

    It starts with some of the rows with the most different agents. Then a row at a time is
    exchanged for one with as many different agents, as long as that evens out who meets whom.

    Args:
        counts: seats of each agent in each mix, [M, A].
        size: rows to take.
        ties: decide between equal rows, [M].
    """
    others = 1 - np.eye(counts.shape[1], dtype=np.int64)
    pairs = (counts[:, :, None] * counts[:, None, :] * others).reshape(len(counts), -1)
    meetings = np.hstack([counts, pairs])  # the sums over the sample should be even
    repeats = (counts**2).sum(axis=1)
    order = np.lexsort((ties, repeats))
    taken, left = order[:size].copy(), order[size:].copy()
    improved = True
    while improved:
        improved = False
        for place, row in enumerate(taken):
            rest = meetings[taken].sum(axis=0) - meetings[row]
            costs = _added_squares(meetings[left], rest)
            costs[repeats[left] != repeats[row]] = np.iinfo(np.int64).max
            best = int(costs.argmin())
            if costs[best] < _added_squares(meetings[row], rest):
                taken[place], left[best], improved = left[best], row, True
    return sorted(taken.tolist())


def _added_squares(rows: NDArray[np.int64], sums: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns by how much each row would add to the sum of squares of some sums."""
    return (rows * (rows + 2 * sums)).sum(axis=-1)


def chunks_of(config: Config, tables: Sequence[Mix], num_deals: int, seed: int) -> list[Chunk]:
    """Returns the chunks of a tournament, all tables' first chunks before their second ones.

    So the speed so far predicts the time left, and an interrupted tournament is balanced.
    """
    step = CHUNK_DEALS.get(config.num_players, 25)
    return [
        Chunk(config, mix, first, min(step, num_deals - first), seed)
        for first in range(0, num_deals, step)
        for mix in tables
    ]
