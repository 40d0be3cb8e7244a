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

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..statistics.rankings import places_of
from ..units.entrants import Entrant
from ..units.games import (
    CHOICES,
    SEATS,
    cached_agent,
    choices_of,
    deal_seed,
    play_games,
    results_by_rule,
    rotations,
    stream,
)
from ..units.play import Report, nothing

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
