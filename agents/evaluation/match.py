"""Plays deals between agents, each deal in all seat rotations, so that luck cancels.

With P players a deal is played P times with the same scenario, decks and objectives. The agents
move one seat on each time: whoever sits on seat s at first sits on seat (s + k) % P in rotation k,
and so plays every hand of the deal, on every seat, once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.errors import OptionError
from gonzaga_env.core.records import Record, Recorder
from gonzaga_env.core.rules.scoring import win_shares, winners

from ..agent import Agent

CHUNK_GAMES = 1024  # games in memory at once; a part of what a seed means, so not an option
_SEED_BITS = 53  # seeds of games stay exact in every reader of JSON


@dataclass(frozen=True)
class Match:
    """How D deals ended, each in R = P rotations.

    Attributes:
        seating: index of the agent on each seat, [R, P] int64.
        scores: points by source (`SOURCES`), [D, R, P, 6] int64; P is the seat.
        won: [D, R, P] bool; more than one in a shared victory (R8.3).
        rounds: rounds played, [D, R] int64.
    """

    seating: NDArray[np.int64]
    scores: NDArray[np.int64]
    won: NDArray[np.bool_]
    rounds: NDArray[np.int64]

    @property
    def win_shares(self) -> NDArray[np.float64]:
        """The part of each victory that a seat has, [D, R, P]: 1 / k where k share it."""
        return win_shares(self.won)


def rotations(lineup: Sequence[int]) -> NDArray[np.int64]:
    """Returns the agent on each seat in each rotation, [R, P], from those of rotation 0, [P]."""
    return np.stack([np.roll(np.asarray(lineup, dtype=np.int64), k) for k in range(len(lineup))])


def play_match(
    config: GameConfig,
    agents: Sequence[Agent],
    lineup: Sequence[int],
    *,
    num_deals: int,
    seed: int,
    on_progress: Callable[[float], None] = lambda done: None,
    on_records: Callable[[list[Record]], None] | None = None,
    names: Sequence[str] | None = None,
) -> Match:
    """Plays deals in all seat rotations. The same arguments give the same match.

    Args:
        config: what is played.
        agents: those who play.
        lineup: index of the agent on each seat in rotation 0, [P]; one may fill several.
        num_deals: D.
        seed: decides the deals and the agents' choices.
        on_progress: told now and then which part, 0 to 1, is done.
        on_records: given the records of games as they end; None records nothing.
        names: the agents' names in records; None takes their own.

    Raises:
        OptionError: an argument has a value that it does not take.
    """
    _check(config, agents, lineup, num_deals, seed)
    names = [agent.name for agent in agents] if names is None else names
    chunk_deals = CHUNK_GAMES // config.num_players
    starts = range(0, num_deals, chunk_deals)
    deal_stream, *chunk_streams = np.random.SeedSequence(seed).spawn(1 + len(starts))
    seeds = deal_stream.generate_state(num_deals, np.uint64) >> np.uint64(64 - _SEED_BITS)
    table, chunks = _Table(config, agents, rotations(lineup), names), []
    for index, (start, stream) in enumerate(zip(starts, chunk_streams, strict=True)):

        def on_part(part: float, done: int = index) -> None:
            on_progress((done + part) / len(starts))

        own = seeds[start : start + chunk_deals]
        chunks.append(table.play(own, stream, on_part, on_records))
    return _joined(chunks)


def play_out(
    engine: Engine,
    agents: Sequence[Agent],
    seating: NDArray[np.int64],
    rngs: Sequence[np.random.Generator],
    step: Callable[[NDArray[np.int64]], object] | None = None,
    on_progress: Callable[[float], None] = lambda done: None,
) -> None:
    """Plays an engine's games to their end; each agent is asked once a step, for all its rows.

    Args:
        engine: N games, without autoreset.
        agents: those who play.
        seating: index of the agent on each seat, [N, P].
        rngs: each agent's own chance, one an agent.
        step: called in place of `engine.step` (by a recorder, say).
        on_progress: told after each step which part, 0 to 1, is done at least.
    """
    step = engine.step if step is None else step
    num_steps, longest = 0, 2 * NUM_FIEFS * engine.num_players  # R7.2
    while len(rows := np.flatnonzero(engine.seats >= 0)):
        to_act = seating[rows, engine.seats[rows]]
        actions = np.zeros(engine.num_games, dtype=np.int64)
        for agent in np.unique(to_act):
            own = rows[to_act == agent]
            actions[own] = agents[agent].act(
                engine.observe(rows=own), engine.legal_action_mask(own), rngs[agent]
            )
        step(actions)
        num_steps += 1
        on_progress(num_steps / longest)


def _check(
    config: GameConfig, agents: Sequence[Agent], lineup: Sequence[int], num_deals: int, seed: int
) -> None:
    if len(lineup) != config.num_players or not set(lineup) <= set(range(len(agents))):
        raise OptionError(f"lineup are {lineup!r}; they name one agent for each seat")
    if num_deals < 1:
        raise OptionError(f"deals is {num_deals}; it takes 1 or more")
    if seed < 0:
        raise OptionError(f"seed is {seed}; it takes 0 or more")


@dataclass(frozen=True)
class _Table:
    """Who sits where in which game."""

    config: GameConfig
    agents: Sequence[Agent]
    seating: NDArray[np.int64]  # [R, P]
    names: Sequence[str]

    def play(
        self,
        seeds: NDArray[np.uint64],
        stream: np.random.SeedSequence,
        on_progress: Callable[[float], None],
        on_records: Callable[[list[Record]], None] | None,
    ) -> Match:
        """Plays the deals of some seeds [D] in all rotations."""
        engine = self._dealt(seeds)
        seating = np.tile(self.seating, (len(seeds), 1))  # [N, P]
        rngs = [np.random.default_rng(child) for child in stream.spawn(len(self.agents))]
        if on_records is None:
            play_out(engine, self.agents, seating, rngs, on_progress=on_progress)
        else:
            recorder = Recorder(engine, [[self.names[i] for i in seats] for seats in seating])
            play_out(engine, self.agents, seating, rngs, recorder.step, on_progress)
            on_records(recorder.pop())
        return _results(engine, self.seating)

    def _dealt(self, seeds: NDArray[np.uint64]) -> Engine:
        # A seed decides a whole deal, so the rotations of a deal are games of one seed.
        games = np.repeat(seeds, self.config.num_players)
        return Engine.from_config(self.config, len(games), seed=games, autoreset=False)


def _results(engine: Engine, seating: NDArray[np.int64]) -> Match:
    """Returns how an engine's finished games ended."""
    state, num_players = engine.state, engine.num_players
    shape = (-1, num_players, num_players)
    return Match(
        seating=seating,
        scores=state.scores.astype(np.int64).reshape(*shape, state.scores.shape[2]),
        won=winners(engine.tables, state).reshape(shape),
        rounds=state.round.astype(np.int64).reshape(-1, num_players),
    )


def _joined(chunks: Sequence[Match]) -> Match:
    """Returns the chunks of a match as one."""
    return Match(
        seating=chunks[0].seating,
        scores=np.concatenate([chunk.scores for chunk in chunks]),
        won=np.concatenate([chunk.won for chunk in chunks]),
        rounds=np.concatenate([chunk.rounds for chunk in chunks]),
    )
