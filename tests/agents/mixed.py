"""Games of random play, in mixed phases or before every step of some rounds."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from gonzaga_agents.agent import HeuristicAgent

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.state import PLACE, PLAN
from gonzaga_env.games import game_spec


@cache
def decisions(game: str, num_players: int) -> Any:
    """Returns an engine of 256 games at all kinds of decisions, which tests do not step."""
    spec, rng = game_spec(game), np.random.default_rng(0)
    engine = spec.engine.from_config(spec.config(num_players=num_players), 256, seed=5)
    for step in range(240):
        rows = np.flatnonzero(rng.random(256) < 0.9)
        engine.step(engine.sample_legal(rng, rows), rows)
        if step % 7 == 0:  # so that rounds differ
            engine.reset(rows=np.arange(step % 31, 256, 31))
    assert len({*engine.kinds.tolist()}) > len(spec.kinds) // 2
    return engine


def seen(engine: Any, rows: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Returns what the seats to act see and may do, in some games or in all."""
    return engine.observe(rows=rows), engine.legal_action_mask(rows)


def resampled(engine: Any) -> Any:
    """Returns the same games to the seats to act; all that they do not know is drawn anew."""
    state = engine.resample(engine.seats, np.random.default_rng(5))
    return engine.from_state(engine.config, state)


def all_scores(agent: HeuristicAgent, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Returns the score of every legal action, [M, A]; -inf for the others."""
    found = np.full(masks.shape, -np.inf, np.float32)
    rows, actions, scores = agent.score(observations, masks, np.random.default_rng(0))
    found[rows, actions] = scores
    return found


def mixed_engine(
    config: GameConfig, num_games: int, num_steps: int, seed: int, share: float = 0.8
) -> Engine:
    """Returns games in mixed phases: a share of them, drawn at random, goes on in each step."""
    engine, rng = Engine.from_config(config, num_games, seed=seed), np.random.default_rng(seed)
    for _ in range(num_steps):
        rows = np.flatnonzero(rng.random(num_games) < share)
        engine.step(engine.sample_legal(rng, rows), rows)
    assert {*engine.state.phase.tolist()} == {PLAN, PLACE}
    return engine


def positions(config: GameConfig, num_games: int, rounds: tuple[int, ...]) -> Iterator[Engine]:
    """Yields games before each step of some rounds, played at random."""
    engine, rng = Engine.from_config(config, num_games, seed=8), np.random.default_rng(8)
    for number in range(1, max(rounds) + 1):
        for _ in range(2 * config.num_players):
            if number in rounds:
                yield engine
            engine.step(engine.sample_legal(rng))
