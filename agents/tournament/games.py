"""Plays chunks of a tournament: a few deals of one lineup each, in all seat rotations.

A chunk is the unit of work. What it returns depends on its fields alone, so any process of any
machine may play it, in any order.

| random | depends on |
|---|---|
| the deal | the tournament's seed and the number of the deal, so all lineups play the same deals |
| who sits where in rotation 0 | the seed, the lineup and the number of the deal |
| an agent's choices | the seed, the lineup and the first deal of the chunk |

The order in which agents are named plays no part: adding an agent changes no game.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.agent import Agent, AgentError, agent_name
from gonzaga_env.tabletop.chance import agent_generators

from ..common.executor import Executor, Report, Work
from ..common.executor.work import nothing
from ..common.processes import WorkerDiedError, WorkerError
from ..evaluation.match import deal_games, play_out, rotations
from ..registry import make_agent
from ..statistics.rankings import places_of
from .entrants import Entrant, identify

Lineup = tuple[str, ...]
"""The keys of the agents at a table, [P], sorted; an agent may fill several seats."""

_DEAL, _SEATS, _CHOICES = range(3)  # what a stream of random numbers is for
_SEED_BITS = 53  # seeds of deals stay exact in every reader of JSON


@dataclass(frozen=True)
class GameResult:
    """How one game ended.

    Attributes:
        deal: number of the deal, from 0.
        rotation: 0 to P - 1.
        agents: the key of the agent on each seat, [P].
        scores: final score of each seat, [P].
        winners: the seats that won; more than one in a shared victory.
        rounds: rounds played.
    """

    deal: int
    rotation: int
    agents: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int

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
    """Some deals of one lineup.

    Attributes:
        config: what is played.
        entrants: the agents at the table, [P], sorted by key.
        first: number of the first deal.
        num_deals: number of deals.
        seed: the tournament's seed.
    """

    config: Any
    entrants: tuple[Entrant, ...]
    first: int
    num_deals: int
    seed: int

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


def play_chunk(chunk: Chunk, on_progress: Report = nothing) -> list[GameResult]:
    """Plays a chunk and returns its games in the order of `Chunk.ids`.

    Args:
        chunk: what to play.
        on_progress: called now and then with the fraction that is at least done, 0 to 1.

    Raises:
        AgentError: an agent cannot be built, has changed, or plays an invalid action.
    """
    keys = sorted(set(chunk.lineup))
    entrants = {entrant.key: entrant for entrant in chunk.entrants}
    agents = [cached_agent(entrants[key], chunk.config) for key in keys]
    names = [agent_name(agent) for agent in agents]
    deals = range(chunk.first, chunk.first + chunk.num_deals)
    seats = [rotations([keys.index(key) for key in seating(chunk, deal)]) for deal in deals]
    seated = np.concatenate(seats)  # [N, P]
    engine = deal_games(chunk.config, np.array([deal_seed(chunk.seed, deal) for deal in deals]))
    choices = stream(chunk.seed, _CHOICES, *_words(chunk.lineup), chunk.first)
    rngs = agent_generators(choices.generate_state(4, np.uint64).tobytes(), len(keys))
    play_out(engine, agents, seated, rngs, on_progress=on_progress, names=names)
    totals, won, rounds = engine.totals, engine.winners(), engine.rounds
    return [
        GameResult(
            deal=chunk.first + row // chunk.config.num_players,
            rotation=row % chunk.config.num_players,
            agents=tuple(keys[i] for i in seated[row]),
            scores=tuple(totals[row].tolist()),
            winners=tuple(np.flatnonzero(won[row]).tolist()),
            rounds=int(rounds[row]),
        )
        for row in range(engine.num_games)
    ]


def play_chunks(
    chunks: Sequence[Chunk], executor: Executor, on_progress: Report = nothing
) -> Generator[tuple[Chunk, list[GameResult]]]:
    """Yields chunks with their games as they end, in any order.

    Closing the iterator, or an interrupt, drops what is being played.

    Args:
        chunks: what to play.
        executor: where they are played.
        on_progress: called with the number of games played within unfinished chunks.

    Raises:
        AgentError: an agent cannot be built, plays an invalid action or fails, or a worker died
            with each attempt at a chunk.
        ClusterError: the cluster that the executor uses has failed.
    """
    configs = {id(chunk.config): chunk.config for chunk in chunks}
    work = Work(_play_in_games, tuple(configs.values()), "plays games")
    try:
        with closing(executor.run(work, chunks, on_progress)) as playing:
            yield from playing
    except WorkerDiedError as error:
        raise AgentError(
            f"{error} (is there enough memory?); the same command continues; use fewer --workers"
        ) from error
    except WorkerError as error:
        raise AgentError(str(error)) from error


def _play_in_games(chunk: Chunk, report: Report) -> list[GameResult]:
    """Plays a chunk and reports the number of games that are done."""
    return play_chunk(chunk, lambda done: report(done * chunk.num_games))


def deal_seed(seed: int, deal: int) -> np.uint64:
    """Returns the seed of a deal."""
    word = stream(seed, _DEAL, deal).generate_state(1, np.uint64)[0]
    return np.uint64(word >> np.uint64(64 - _SEED_BITS))


def seating(chunk: Chunk, deal: int) -> Lineup:
    """Returns the agents by seat in rotation 0 of a deal.

    They are drawn, so that deals are independent of each other and alike.
    """
    lineup = chunk.lineup
    rng = np.random.default_rng(stream(chunk.seed, _SEATS, *_words(lineup), deal))
    return tuple(lineup[i] for i in rng.permutation(len(lineup)))


@lru_cache(maxsize=64)
def cached_agent(entrant: Entrant, config: Any) -> Agent:
    """Returns an agent, built once in each process.

    Raises:
        AgentError: it cannot be built, or its file has changed since the tournament began.
        CheckpointError: the checkpoint is broken, or was trained for another game.
    """
    if identify(entrant.spec) != entrant:
        raise AgentError(f"{entrant.spec} has changed; run the same command again")
    return make_agent(entrant.spec, config)


def stream(seed: int, *key: Any) -> np.random.SeedSequence:
    """Returns random numbers that depend on a seed and a key."""
    return np.random.SeedSequence(seed, spawn_key=key)


def _words(lineup: Lineup) -> NDArray[np.uint32]:
    """Returns a lineup as four numbers."""
    return np.frombuffer(sha256("\n".join(lineup).encode()).digest()[:16], dtype="<u4")
