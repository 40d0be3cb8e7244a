"""Games of random play, in mixed phases or before every step of some rounds."""

from collections.abc import Iterator

import numpy as np

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.state.state import PLACE, PLAN


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
