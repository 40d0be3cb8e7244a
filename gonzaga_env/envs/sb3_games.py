"""N games with one learner each, as Stable-Baselines3 takes them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from gonzaga_env.envs.environment import Observation
from gonzaga_env.envs.learner_vector import LearnerVectorEnv

_KEPT = ("score", "won", "seat", "illegal")  # of a game's last infos


class SB3Games(VecEnv):
    """A `VecEnv` of Stable-Baselines3 over one engine.

    Attributes:
        envs: the games as a vector environment of Gymnasium.
    """

    def __init__(self, envs: LearnerVectorEnv) -> None:
        """Takes games that reset in the same step."""
        self.envs = envs
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)
        self._actions: NDArray[np.int64]
        self._started = time.monotonic()
        self._returns = np.zeros(self.num_envs)
        self._lengths = np.zeros(self.num_envs, dtype=np.int64)

    def reset(self) -> Observation:
        """Deals the games of the seeds given to `seed`, or else the next ones; see `VecEnv`."""
        seeds = [seed for seed in self._seeds if seed is not None] or None  # all or none of them
        observations, _ = self.envs.reset(seed=seeds, options=self._options[0] or None)
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = self._lengths[:] = 0
        return observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Takes the learner's actions, [N]."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Plays up to the learner's next turn in every game; games that end are reset.

        Returns:
            Observations [N, D], rewards [N], which games ended [N], and N infos: empty except
            where a game ended.
        """
        observations, rewards, terminated, truncated, found = self.envs.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        ended = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(ended).tolist():
            infos[row] = self._last_info(row, bool(truncated[row]), found)
        self._returns[ended] = self._lengths[ended] = 0
        return observations, rewards.astype(np.float32), ended, infos

    def _last_info(self, row: int, truncated: bool, infos: dict[str, Any]) -> dict[str, Any]:
        """Returns what is said of a game that ended, as `Monitor` and `DummyVecEnv` say it."""
        seconds = round(time.monotonic() - self._started, 6)
        final = infos["final_info"]
        return {
            "terminal_observation": infos["final_obs"][row],
            "TimeLimit.truncated": truncated,
            "episode": {
                "r": float(self._returns[row]), "l": int(self._lengths[row]), "t": seconds
            },
            **{key: final[key][row] for key in _KEPT if key in final},
        }  # fmt: skip

    def close(self) -> None:
        """Closes the games."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute of `envs` once for each chosen game; AttributeError if missing."""
        return [getattr(self.envs, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: object, indices: Any = None) -> None:
        """Raises AttributeError: games can't be changed after `make_sb3_vec`."""
        raise AttributeError(f"{attr_name} can't be changed; pass it to make_sb3_vec")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Calls a method for each chosen game; AttributeError unless `action_masks` or `view`."""
        rows = self._rows(indices)
        if method_name == "action_masks":
            masks = self.envs.action_masks()
            return list(masks if indices is None else masks[rows])
        if method_name == "view":
            return [self.envs.view(row, *method_args, **method_kwargs) for row in rows]
        raise AttributeError(f"games have no method {method_name!r}; take action_masks or view")

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Returns True for `Monitor`, whose "episode" the infos hold."""
        return [wrapper_class is Monitor] * len(self._rows(indices))

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Returns a picture of each game (render mode "rgb_array")."""
        return list(self.envs.render())

    def _rows(self, indices: Any) -> list[int]:
        return np.arange(self.num_envs)[np.array(self._get_indices(indices))].tolist()
