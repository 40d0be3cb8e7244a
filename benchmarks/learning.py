"""How much of the time of training the environment takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from gonzaga_agents.training.command import Arguments
from gonzaga_agents.training.run import Run, Setup

from gonzaga_env.core import GameConfig
from gonzaga_env.core.options import Rules

_ENV_METHODS = ("reset", "step_async", "step_wait", "env_method")  # what MaskablePPO calls


class Stopwatch:
    """Adds up the time spent in functions; calls within calls count once.

    Attributes:
        seconds: so far.
    """

    def __init__(self) -> None:
        self.seconds, self._running = 0.0, False

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the function, timed."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            if self._running:
                return function(*args, **kwargs)
            self._running, start = True, time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds += time.perf_counter() - start
                self._running = False

        return timed


class Training:
    """MaskablePPO as train.py sets it up, on one thread of the processor."""

    def __init__(self, num_games: int) -> None:
        """Builds it and trains once, so that all memory is in place."""
        torch.set_num_threads(1)  # also where torch was imported before the threads were limited
        self._env_watch, self._opponents_watch = Stopwatch(), Stopwatch()
        self.model = Run(_setup(num_games), Path(), resume=False).model
        env: Any = self.model.get_env()
        for name in _ENV_METHODS:
            setattr(env, name, self._env_watch.around(getattr(env, name)))
        env.games.opponents = tuple(map(self._opponents_watch.around, env.games.opponents))
        self.train()

    def train(self) -> dict[str, float]:
        """Collects one rollout and learns from it; returns microseconds a turn of the learner.

        What the environment takes is without the time in which the opponents choose.
        """
        turns = self.model.n_steps * self.model.n_envs
        for watch in (self._env_watch, self._opponents_watch):
            watch.seconds = 0.0
        start = time.perf_counter()
        self.model.learn(turns, reset_num_timesteps=False)
        whole = time.perf_counter() - start
        environment = self._env_watch.seconds - self._opponents_watch.seconds
        return {
            "training.environment": 1e6 * environment / turns,
            "training.whole": 1e6 * whole / turns,
        }


def _setup(num_games: int) -> Setup:
    default = Arguments()
    rules = Rules(default.sea_league, default.first_check_round)
    return Setup(
        config=GameConfig(default.players, default.scenario, default.edition, rules),
        timesteps=default.timesteps,
        opponents=tuple(default.opponents.split(",")),
        num_games=num_games,
        reward=default.reward,
        seed=default.seed,
        device="cpu",
        checkpoint_every=default.checkpoint_every,
        eval_deals=0,
        arguments={},
    )
