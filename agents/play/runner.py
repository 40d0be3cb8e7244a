"""Plays games between agents: who sits where, on which deals, with which chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import Agent, AgentCrashedError, AgentError, agent_name
from gonzaga_env.kernel.arguments import as_actions
from gonzaga_env.kernel.chance import agent_generators
from gonzaga_env.kernel.errors import ActionError, GameError, IllegalActionError
from gonzaga_env.kernel.spec import Config, Engine

from ..arrays import Indices, Masks
from ..outside.agent import OutsideAgent
from .jobs import OnFraction, ignore

Step = Callable[[Indices], object]
"""Plays an action in each game, as `Engine.step`."""

MOST_DEALS = 10**6
"""Of a match or a table; an interval of a hundredth of a per cent takes fewer."""
DEAL, SEATS, CHOICES = range(3)
"""Purposes of random numbers: the first of the key of a `seed_sequence`."""
SEED_BITS = 53
"""Seeds of games stay exact in every reader of JSON."""
_STEPS = 50  # after which a game that runs is taken to be half played


def rotations(lineup: Sequence[int]) -> Indices:
    """Returns the agent on each seat in each rotation, [R, P], from those of rotation 0, [P]."""
    return np.stack([np.roll(np.asarray(lineup, dtype=np.int64), k) for k in range(len(lineup))])


def seed_sequence(seed: int, *key: int) -> np.random.SeedSequence:
    """Returns random numbers that depend on a seed and a key."""
    return np.random.SeedSequence(seed, spawn_key=key)


def deal_seed(seed: int, deal: int) -> np.uint64:
    """Returns the seed of a deal, which decides all its chance."""
    word = seed_sequence(seed, DEAL, deal).generate_state(1, np.uint64)[0]
    return np.uint64(word >> np.uint64(64 - SEED_BITS))


def agents_secret(sequence: np.random.SeedSequence) -> bytes:
    """Returns the secret that decides what agents draw, as `play_games` takes it."""
    return sequence.generate_state(4, np.uint64).tobytes()


def play_games(
    config: Config,
    agents: Sequence[Agent],
    seating: NDArray[np.integer],
    seeds: NDArray[np.uint64],
    secret: bytes,
    on_progress: OnFraction = ignore,
    *,
    names: Sequence[str] | None = None,
    watch: Callable[[Engine], Step] | None = None,
) -> Engine:
    """Plays games to their end, and returns the engine that holds them.

    The seating is the index of the agent on each seat, [N, P]. Seeds are of the games, [N], or of
    deals, [D], each of which N / D games in a row share. The secret decides what the agents draw.
    After each step `on_progress` gets about the fraction that is done, and `watch` may return what
    is called in place of the engine's `step`. Raises AgentError where an agent fails.
    """
    own = np.repeat(seeds, len(seating) // len(seeds))
    engine = game_spec(config.game).engine.from_config(config, len(own), seed=own, autoreset=False)
    rngs = agent_generators(secret, len(agents))
    step = None if watch is None else watch(engine)
    for agent in agents:
        if isinstance(agent, OutsideAgent):
            agent.begin(engine.num_games)
    play_out(engine, agents, seating.astype(np.int64), rngs, step, on_progress, names)
    return engine


def results_with_forfeits(engine: Engine, agents: Sequence[Agent]) -> tuple[Indices, Masks]:
    """Returns points and winners of games that `play_games` has played, [N, P] each.

    A seat whose bot has failed loses: it has a point less than the others at most, and does not
    win, unless all have failed. If no winner is left, those win who have most points of the others.
    """
    totals, won = np.asarray(engine.totals, dtype=np.int64), np.asarray(engine.winners())
    bots = {id(agent): agent for agent in agents if isinstance(agent, OutsideAgent)}.values()
    lost = np.zeros_like(won)
    for bot in bots:
        lost |= bot.lost
    lost &= ~lost.all(axis=1, keepdims=True)
    if not lost.any():
        return totals, won
    fewest = np.where(lost, totals.max(), totals).min(axis=1, keepdims=True)
    totals = np.where(lost, np.minimum(totals, fewest - 1), totals)
    won = won & ~lost
    best = totals == totals.max(axis=1, keepdims=True)
    return totals, np.where(won.any(axis=1, keepdims=True), won, best)


def play_out(
    engine: Engine,
    agents: Sequence[Agent],
    seating: Indices,
    rngs: Sequence[np.random.Generator],
    step: Step | None = None,
    on_progress: OnFraction = ignore,
    names: Sequence[str] | None = None,
) -> None:
    """Plays N games to their end; each agent acts once a step, for all its rows.

    The arguments are those of `play_games`, with a random generator for each agent; `step` is
    called in place of `engine.step`. Raises AgentError where an agent plays an invalid action, or
    fails.
    """
    step = engine.step if step is None else step
    names = [agent_name(agent) for agent in agents] if names is None else names
    num_steps = 0
    while len(rows := np.flatnonzero(engine.seats >= 0)):
        to_act = seating[rows, engine.seats[rows]]
        actions = np.zeros(engine.num_games, dtype=np.int64)
        for i in np.unique(to_act):
            own = rows[to_act == i]
            actions[own] = ask_agent(agents[i], names[i], engine, own, rngs[i])
        try:
            step(actions)
        except IllegalActionError as error:
            name = names[seating[error.game, error.seat]]
            raise AgentError(f"agent {name}: {error}") from error
        num_steps += 1
        left = (engine.seats >= 0).mean()
        # Nobody knows how long a game will be: a running one counts as n / (n + _STEPS) of one.
        on_progress(1 - float(left) * _STEPS / (num_steps + _STEPS))


def ask_agent(
    agent: Agent, name: str, engine: Engine, rows: Indices, rng: np.random.Generator
) -> Indices:
    """Returns an agent's actions in some games, [M]; raises AgentError if it fails."""
    actions: NDArray[np.integer]
    try:
        if isinstance(agent, OutsideAgent):
            actions = agent.act_for(engine, rows, rng)
        else:
            actions = agent.act(engine.observe(rows=rows), engine.legal_action_mask(rows), rng)
    except GameError:
        raise
    except (Exception, SystemExit) as error:
        raise AgentCrashedError.of(error, name, engine, rows) from error
    try:
        return as_actions(
            actions, rows, np.zeros(len(rows), dtype=np.bool_), engine.config.actions.size
        )
    except ActionError as error:
        raise AgentError(f"agent {name}: {error}") from error
