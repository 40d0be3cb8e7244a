"""A door for LightZero: an environment with its names, observations and time steps.

As in "play_with_bot_mode" of its board games, `to_play` is -1. With LightZero installed, derive it
from `ding.envs.BaseEnv` and register it with `ENV_REGISTRY.register("gonzaga_lightzero")`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import gymnasium
import numpy as np

import gonzaga_env  # noqa: F401  registers the environments


class BaseEnvTimestep(NamedTuple):
    """What `step` returns; DI-engine's has the same fields."""

    obs: dict[str, Any]
    reward: Any
    done: bool
    info: dict[str, Any]


class GonzagaLightZeroEnv:
    """One game of a learner against bots; cfg holds arguments of `gymnasium.make`, with its id."""

    def __init__(self, cfg: dict[str, Any]) -> None:
        self._env: Any = gymnasium.make(**{"normalised": True} | cfg).unwrapped
        self.observation_space = self._env.observation_space
        self.action_space = self._env.action_space
        self.reward_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)
        self._seed: int | None = None

    def seed(self, seed: int, dynamic_seed: bool = True) -> None:
        """Sets the seed of the next `reset`."""
        self._seed = seed

    def reset(self) -> dict[str, Any]:
        """Deals a game and returns the learner's first observation."""
        observation, _ = self._env.reset(seed=self._seed)
        self._seed, self._return = None, 0.0
        return self._seen(observation)

    def step(self, action: int) -> BaseEnvTimestep:
        """Plays the learner's action and the bots'; the last info has "eval_episode_return"."""
        observation, reward, done, _, info = self._env.step(action)
        self._return += reward
        end = {"eval_episode_return": self._return} if done else {}
        return BaseEnvTimestep(self._seen(observation), np.float32([reward]), done, info | end)

    @property
    def legal_actions(self) -> list[int]:
        """The learner's legal actions."""
        return np.flatnonzero(self._env.action_masks()).tolist()

    def _seen(self, observation: Any) -> dict[str, Any]:
        mask = self._env.action_masks().view(np.int8)
        return {"observation": observation, "action_mask": mask, "to_play": -1}
