"""Games that are not in the same phase."""

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
