"""How much of the time of training the environment takes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from gonzaga_agents.training.command import Arguments, _setup
from gonzaga_agents.training.run import Run

_ENV_METHODS = ("reset", "step_async", "step_wait", "env_method")  # what MaskablePPO calls


class Training:
    """MaskablePPO as `train.py` sets it up, on one thread of the processor.

    Attributes:
        seconds: time spent so far in the "environment", and in it for the "opponents".
    """

    def __init__(self, num_games: int) -> None:
        """Builds the model and trains once, so that all memory is in place."""
        torch.set_num_threads(1)
        arguments = Arguments(num_games=num_games, device="cpu")
        self.seconds: Counter[str] = Counter()
        self.model = Run(_setup(arguments), Path(), resume=False).model
        env: Any = self.model.get_env()
        for name in _ENV_METHODS:
            setattr(env, name, self.timed("environment", getattr(env, name)))
        opponents = env.games.opponents
        env.games.opponents = tuple(self.timed("opponents", act) for act in opponents)
        self.train()

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns a function that also adds its time to `seconds`."""

        def call(*args: Any, **kwargs: Any) -> Any:
            start = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds[name] += time.perf_counter() - start

        return call

    def train(self) -> dict[str, float]:
        """Collects one rollout and learns from it; returns microseconds a turn of the learner."""
        turns = self.model.n_steps * self.model.n_envs
        self.seconds.clear()
        start = time.perf_counter()
        self.model.learn(turns, reset_num_timesteps=False)
        whole = time.perf_counter() - start
        environment = self.seconds["environment"] - self.seconds["opponents"]
        return {
            "training.environment": 1e6 * environment / turns,
            "training.whole": 1e6 * whole / turns,
        }
