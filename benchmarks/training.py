"""How much of the time of training the environment takes."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import torch
from gonzaga_agents.training.command import Arguments, setup_of
from gonzaga_agents.training.run import Run

from benchmarks.measure import Measure, timed


def training(num_games: int) -> Measure:
    """Trains MaskablePPO as `train.py` sets it up, on one thread of the processor.

    Each measurement collects one rollout and learns from it, and returns microseconds a turn of the
    learner. The time of the environment excludes the opponents' choices.
    """
    torch.set_num_threads(1)
    model = Run(setup_of(Arguments(num_games=num_games, device="cpu")), Path(), resume=False).model
    env: Any = model.get_env()
    seconds: Counter[str] = Counter()
    for name in ("reset", "step_async", "step_wait", "env_method"):  # what MaskablePPO calls
        setattr(env, name, timed(seconds, "environment", getattr(env, name)))
    env.games.opponents = tuple(timed(seconds, "opponents", act) for act in env.games.opponents)
    turns = model.n_steps * model.n_envs

    def train() -> dict[str, float]:
        seconds.clear()
        start = time.perf_counter()
        model.learn(turns, reset_num_timesteps=False)
        whole = time.perf_counter() - start
        environment = seconds["environment"] - seconds["opponents"]
        return {
            "training.environment": 1e6 * environment / turns,
            "training.whole": 1e6 * whole / turns,
        }

    train()  # puts all memory in place
    return train
