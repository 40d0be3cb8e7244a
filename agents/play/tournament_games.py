"""The units of a tournament, chunks: a few deals of one lineup each, in all seat rotations.

What a chunk gives depends on its fields alone, so any process of any machine may play it.

| random | depends on |
|---|---|
| the deal | the tournament's seed and the number of the deal, so all lineups play the same deals |
| who sits where in rotation 0 | the seed, the lineup and the number of the deal |
| an agent's choices | the seed, the lineup and the first deal of the chunk |

The order in which agents are named plays no part: adding an agent changes no game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config

from .games import (
    CHOICES,
    SEATS,
    Entrant,
    cached_agent,
    choices_of,
    deal_seed,
    play_games,
    results_by_rule,
    rotations,
    stream,
)
from .jobs import Report, nothing
from .statistics import places_of

Lineup = tuple[str, ...]
"""The keys of the agents at a table, [P], sorted; an agent may fill several seats."""


@dataclass(frozen=True)
class GameResult:
    """How one game ended."""

    deal: int  # number of the deal, from 0
    rotation: int  # 0 to P - 1
    agents: tuple[str, ...]  # the key of the agent on each seat, [P]
    scores: tuple[int, ...]  # final score of each seat, [P]
    winners: tuple[int, ...]  # the seats that won; more than one in a shared victory
    rounds: int  # rounds played

    @property
    def lineup(self) -> Lineup:
        """The agents at the table, sorted."""
        return tuple(sorted(self.agents))

    @property
    def id(self) -> tuple[Lineup, int, int]:
        """What identifies the game within a tournament."""
        return self.lineup, self.deal, self.rotation

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, [P], 0 for winners; seats that tie share a place.

        Winners come first, whom the rules determine; the others follow by score.
        """
        return places_of(self.scores, self.winners)


@dataclass(frozen=True)
class Chunk:
    """Some deals of one lineup (a `Unit`)."""

    config: Any  # what is played
    entrants: tuple[Entrant, ...]  # the agents at the table, [P], sorted by key
    first: int  # number of the first deal
    num_deals: int  # number of deals
    seed: int  # the tournament's seed

    @property
    def lineup(self) -> Lineup:
        """The keys of the agents."""
        return tuple(entrant.key for entrant in self.entrants)

    @property
    def num_games(self) -> int:
        """Games of the chunk."""
        return self.num_deals * self.config.num_players

    def ids(self) -> list[tuple[Lineup, int, int]]:
        """Returns what identifies the chunk's games (see `GameResult.id`)."""
        deals = range(self.first, self.first + self.num_deals)
        return [(self.lineup, d, k) for d in deals for k in range(self.config.num_players)]

    def play(self, on_progress: Report = nothing) -> list[GameResult]:
        """Plays the chunk and returns its games in the order of `ids`.

        Raises:
            AgentError: an agent cannot be built, has changed, or plays an invalid action.
        """
        keys = sorted(set(self.lineup))
        entrants = {entrant.key: entrant for entrant in self.entrants}
        agents = [cached_agent(entrants[key], self.config) for key in keys]
        deals = range(self.first, self.first + self.num_deals)
        seats = [rotations([keys.index(key) for key in seating(self, deal)]) for deal in deals]
        seated = np.concatenate(seats)  # [N, P]
        seeds = np.array([deal_seed(self.seed, deal) for deal in deals])
        choices = choices_of(stream(self.seed, CHOICES, *_words(self.lineup), self.first))
        engine = play_games(self.config, agents, seated, seeds, choices, on_progress)
        (totals, won), rounds = results_by_rule(engine, agents), engine.rounds
        return [
            GameResult(
                deal=self.first + row // self.config.num_players,
                rotation=row % self.config.num_players,
                agents=tuple(keys[i] for i in seated[row]),
                scores=tuple(totals[row].tolist()),
                winners=tuple(np.flatnonzero(won[row]).tolist()),
                rounds=int(rounds[row]),
            )
            for row in range(engine.num_games)
        ]


def seating(chunk: Chunk, deal: int) -> Lineup:
    """Returns the agents by seat in rotation 0 of a deal.

    They are drawn, so that deals are independent of each other and alike.
    """
    lineup = chunk.lineup
    rng = np.random.default_rng(stream(chunk.seed, SEATS, *_words(lineup), deal))
    return tuple(lineup[i] for i in rng.permutation(len(lineup)))


def _words(lineup: Lineup) -> NDArray[np.uint32]:
    """Returns a lineup as four numbers."""
    return np.frombuffer(sha256("\n".join(lineup).encode()).digest()[:16], dtype="<u4")


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
