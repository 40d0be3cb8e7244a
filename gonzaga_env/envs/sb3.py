"""N games for Stable-Baselines3, on one engine, and its models as agents.

    from sb3_contrib import MaskablePPO
    from gonzaga_env.envs.sb3 import make_sb3_vec

    envs = make_sb3_vec(256, num_players=3, opponents="planner", seed=0, normalised=True)
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=1024)
    model.learn(100_000)

This is a `VecEnv`, so `DummyVecEnv`, `SubprocVecEnv` and `VecMonitor` are not needed around it. A
game that ends is reset in the same step. Infos are empty except where a game ended:
`terminal_observation`, `TimeLimit.truncated`, `episode` (return "r", length "l", seconds "t"), and
`score`, `won`, `seat`, `illegal`. `action_masks` of all games are what
`sb3_contrib.common.maskable.utils.get_action_masks` returns, [N, A].

MaskablePPO's buffer takes 4 bytes for each action and 1 (normalised: 4) for each feature, for
`n_steps` turns of every game: with four players 17 (28) kB a turn, so keep `n_steps` near 32 with
256 games.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from gonzaga_env.envs.environment import Observation
from gonzaga_env.envs.learner_vector import LearnerVectorEnv
from gonzaga_env.envs.opponents import Opponents, SB3Agent
from gonzaga_env.envs.registration import learner_id
from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.errors import MissingPackageError, OptionError
from gonzaga_env.kernel.spec import Info

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices
except ModuleNotFoundError as error:
    raise MissingPackageError(
        'stable-baselines3 is not installed; run: pip install "gonzaga-env[train]"',
        name="stable_baselines3",
    ) from error

__all__ = ["SB3Agent", "make_sb3_vec"]


def make_sb3_vec(
    num_envs: int,
    num_players: int = 4,
    opponents: Opponents = None,
    seed: int | None = None,
    game: str = DEFAULT_GAME,
    **options: Any,
) -> SB3Games:
    """Returns N games with one learner each, a `VecEnv`.

    Args:
        num_envs: N; from 48 on (96 of Signorie against random opponents), one engine plays them on
            arrays.
        num_players: P.
        opponents: one opponent for all seats, or several to draw from: names ("planner"), agents,
            functions, or models of Stable-Baselines3 (see `gonzaga_v0`).
        seed: decides the deals, the learner's seats and the opponents' choices; None draws it.
        game: the game's name.
        options: the other arguments of the game's `gymnasium.make_vec`, such as reward,
            normalised, scenario, seat or max_episode_steps.

    Raises:
        GameError: an argument has an invalid value.
    """
    if "autoreset_mode" in options:
        raise OptionError("autoreset_mode is given; games for Stable-Baselines3 reset at once")
    if seed is not None and not is_integer(seed):
        raise OptionError(f"seed is {seed!r}; it takes an integer or None")
    options |= {"num_players": num_players, "opponents": opponents, "autoreset_mode": "SameStep"}
    envs = gymnasium.make_vec(learner_id(game), num_envs, **options).unwrapped
    assert isinstance(envs, LearnerVectorEnv)
    games = SB3Games(envs)
    if seed is not None:
        games.seed(seed)
    return games


_KEPT = ("score", "won", "seat", "illegal")  # of a game's last infos


class SB3Games(VecEnv):
    """A `VecEnv` of Stable-Baselines3 over one engine."""

    def __init__(self, envs: LearnerVectorEnv) -> None:
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

    def step_wait(self) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], list[Info]]:
        """Plays up to the learner's next turn in every game; games that end are reset."""
        observations, rewards, terminated, truncated, found = self.envs.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        ended = terminated | truncated
        infos: list[Info] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(ended).tolist():
            infos[row] = self._last_info(row, bool(truncated[row]), found)
        self._returns[ended] = self._lengths[ended] = 0
        return observations, rewards.astype(np.float32), ended, infos

    def _last_info(self, row: int, truncated: bool, infos: Info) -> Info:
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
        self.envs.close()

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Returns an attribute of `envs` once for each chosen game; AttributeError if missing."""
        return [getattr(self.envs, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: object, indices: VecEnvIndices = None) -> None:
        """Raises AttributeError: games can't be changed after `make_sb3_vec`."""
        raise AttributeError(f"{attr_name} can't be changed; pass it to make_sb3_vec")

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> list[Any]:
        """Calls a method for each chosen game; AttributeError unless `action_masks` or `view`."""
        rows = self._rows(indices)
        if method_name == "action_masks":
            masks = self.envs.action_masks()
            return list(masks if indices is None else masks[rows])
        if method_name == "view":
            return [self.envs.view(row, *args, **kwargs) for row in rows]
        raise AttributeError(f"games have no method {method_name!r}; take action_masks or view")

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """Returns True for `Monitor`, whose "episode" the infos hold."""
        return [wrapper_class is Monitor] * len(self._rows(indices))

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Returns a picture of each game (render mode "rgb_array")."""
        return list(self.envs.render())

    def _rows(self, indices: VecEnvIndices) -> list[int]:
        return np.arange(self.num_envs)[np.array(self._get_indices(indices))].tolist()
