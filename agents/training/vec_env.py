"""The games of one learner (`gonzaga_env.envs.learner`) as a VecEnv of stable-baselines3."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.errors import OptionError
from gonzaga_env.envs.learner import FinishedGames, LearnerGames

from ..agent import Agent, agent_name

Rewards = NDArray[np.float32]
Info = dict[str, Any]


class GonzagaVecEnv(VecEnv):
    """N games in which the learner has one seat and sees only its own turns.

    The learner's seat advances by one from game to game and from episode to episode. Opponents are
    drawn for the other seats whenever a game starts; each agent acts in batches, for all games at
    once. A reward is the sum of the learner's rewards until its next turn, so it includes what the
    opponents' actions and the end of the game bring.

    Infos at the end of a game: "terminal_observation" (the final state as the learner's seat sees
    it), "episode" (return "r" before scaling, turns "l", seconds "t" since the start), "score",
    "won" (its win share), "seat" and "opponents" (the names of the others, clockwise from it).

    Attributes:
        engine: the games.
        opponents: the agents that opponents are drawn from.
        games: the games as the learner sees them.
        reward_scale: what the rewards are multiplied by.
    """

    def __init__(
        self,
        engine: Engine,
        opponents: Sequence[Agent],
        *,
        probabilities: Sequence[float] | None = None,
        seed: int = 0,
        reward_scale: float = 1.0,
    ) -> None:
        """Wraps an engine.

        Args:
            engine: N games, with `autoreset`; its seeds decide the deals.
            opponents: one or more agents.
            probabilities: of drawing each opponent, with sum 1; None makes them equal.
            seed: decides which opponents are drawn, and their choices.
            reward_scale: what the rewards are multiplied by.

        Raises:
            OptionError: there are no opponents, or the engine has no autoreset.
        """
        if not opponents:
            raise OptionError("GonzagaVecEnv takes one opponent or more")
        self.engine, self.opponents, self.reward_scale = engine, tuple(opponents), reward_scale
        self.games = LearnerGames(
            engine, [agent.act for agent in opponents], probabilities=probabilities
        )
        self._names = [agent_name(agent) for agent in opponents]
        self._rng = np.random.default_rng(seed)
        self._actions = np.zeros(engine.num_games, dtype=np.int64)
        self._start, self.render_mode = time.monotonic(), None
        super().__init__(
            engine.num_games,
            spaces.Box(0, 255, (engine.features.size,), np.uint8),
            spaces.Discrete(engine.actions.size),
        )

    def reset(self) -> NDArray[np.uint8]:
        """Resets all games and returns the observations of the learner's first turns, [N, D].

        Seeds given by `seed` decide the deals; without them each game plays its next deal.
        """
        seeds = [seed for seed in self._seeds if seed is not None]
        self.engine.reset(seeds or None)
        if seeds:
            self._rng = np.random.default_rng(seeds[0])
        self._reset_seeds()
        self._reset_options()
        self.games.start(np.arange(self.num_envs), self._rng)
        return self.engine.observe()

    def step_async(self, actions: NDArray[np.integer]) -> None:
        """Takes the learner's actions, [N]."""
        self._actions = np.asarray(actions, dtype=np.int64)

    def step_wait(self) -> tuple[NDArray[np.uint8], Rewards, NDArray[np.bool_], list[Info]]:
        """Plays the actions, then the opponents up to the learner's next turn in every game.

        Returns:
            Observations [N, D], rewards [N], which games ended [N], infos.
        """
        step = self.games.step(self._actions)
        infos: list[Info] = [{} for _ in range(self.num_envs)]
        for games in step.finished:
            for i, row in enumerate(games.rows.tolist()):
                infos[row] = self._info(games, i)
        rewards = (step.rewards * self.reward_scale).astype(np.float32)
        return self.engine.observe(), rewards, step.done, infos

    def _info(self, games: FinishedGames, i: int) -> Info:
        """Returns the info of the i-th of some games that ended."""
        returns, turns = float(games.returns[i]), int(games.num_turns[i])
        seat = int(games.infos["seat"][i])
        seconds = round(time.monotonic() - self._start, 6)
        return {
            "terminal_observation": games.observations[i],
            "episode": {"r": returns, "l": turns, "t": seconds},
            "score": int(games.infos["score"][i]),
            "won": float(games.infos["won"][i]),
            "seat": seat,
            "opponents": tuple(self._names[k] for k in np.roll(games.opponents[i], -seat)[1:]),
        }

    @property
    def seats(self) -> NDArray[np.int64]:
        """The learner's seat in each game, [N]."""
        return self.games.seats

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal for the learner, [N, A]."""
        return self.engine.legal_action_mask()

    def close(self) -> None:
        """Does nothing; there is nothing to close."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Returns an attribute, which all games share, once for every game asked for.

        Raises:
            AttributeError: there is no such attribute; stable-baselines3 relies on this error.
        """
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Raises AttributeError; games have no attributes of their own."""
        raise AttributeError(f"{attr_name!r} can't be set; the games share one engine")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **_: Any
    ) -> list[Any]:
        """Returns the `action_masks` of every game asked for.

        Raises:
            AttributeError: any other method; there is none.
        """
        if method_name != "action_masks":
            raise AttributeError(f"games have no method {method_name!r}; there is action_masks")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(
        self,
        wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]],
        indices: VecEnvIndices = None,
    ) -> list[bool]:
        """Returns False for every game asked for."""
        return [False for _ in self._get_indices(indices)]
