"""The engine as stable-baselines3's VecEnv: one learner a game, and opponents within `step`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from gonzaga_env.core.engine import Engine
from gonzaga_env.core.errors import OptionError
from gonzaga_env.core.observation import observe
from gonzaga_env.core.scoring import shares, winners
from gonzaga_env.core.state import State

from .agent import Agent

Rows = NDArray[np.int64]
Rewards = NDArray[np.float32]
Info = dict[str, Any]


class GonzagaVecEnv(VecEnv):
    """N games, each with one seat of the learner's; it sees its own turns only.

    The learner's seat moves on by one from game to game and from episode to episode, and the other
    seats are given to opponents anew when a game starts. All opponents that are to act, of all
    games, act in batches, one an agent. Rewards of the learner's seat add up until its next turn,
    so that what others do (the end of the game above all) reaches it.

    Infos at the end of a game: "terminal_observation" (the final state as the learner's seat sees
    it), "episode" (return "r" before scaling, turns "l", seconds "t" since the start), "score",
    "won" (its share of the victory) and "seat".

    Attributes:
        engine: the games.
        opponents: the agents that opponents are drawn from.
        seats: the learner's seat in each game, [N].
        reward_scale: what the rewards are multiplied with.
    """

    def __init__(
        self,
        engine: Engine,
        opponents: Sequence[Agent],
        *,
        shares: Sequence[float] | None = None,
        seed: int = 0,
        reward_scale: float = 1.0,
    ) -> None:
        """Wraps an engine.

        Args:
            engine: N games, with `autoreset`; its seeds decide the deals.
            opponents: one or more agents.
            shares: chance of each to be drawn, adding up to 1; None: all have the same.
            seed: decides who plays against whom, and the opponents' choices.
            reward_scale: what the rewards are multiplied with.

        Raises:
            OptionError: there are no opponents, or the engine does not deal anew.
        """
        if not opponents or not engine.autoreset:
            raise OptionError("GonzagaVecEnv takes one opponent or more, and autoreset=True")
        self.engine, self.opponents, self.reward_scale = engine, tuple(opponents), reward_scale
        self._shares, self._rng = shares, np.random.default_rng(seed)
        num_games = engine.num_games
        self.seats = np.zeros(num_games, dtype=np.int64)
        self._opponent = np.zeros((num_games, engine.num_players), dtype=np.int64)  # by seat
        self._returns = np.zeros(num_games)  # of the games that go on
        self._num_turns = np.zeros(num_games, dtype=np.int64)
        self._actions = np.zeros(num_games, dtype=np.int64)
        self._start, self.render_mode = time.monotonic(), None
        super().__init__(
            num_games,
            spaces.Box(0, 255, (engine.features.size,), np.uint8),
            spaces.Discrete(engine.actions.size),
        )

    def reset(self) -> NDArray[np.uint8]:
        """Deals all games anew and returns the observations of the learner's first turns, [N, D].

        The deals are those of the seeds given by `seed`, else each game's next.
        """
        seeds = [seed for seed in self._seeds if seed is not None]
        self.engine.reset(seeds or None)
        if seeds:
            self._rng = np.random.default_rng(seeds[0])
        self._reset_seeds()
        self._reset_options()
        self._seat(np.arange(self.num_envs))
        self._play_opponents(_Turn(self.num_envs))
        return self.engine.observe()

    def step_async(self, actions: NDArray[np.integer]) -> None:
        """Takes the learner's actions, [N]."""
        self._actions = np.asarray(actions, dtype=np.int64)

    def step_wait(self) -> tuple[NDArray[np.uint8], Rewards, NDArray[np.bool_], list[Info]]:
        """Plays them, then the opponents up to the learner's next turn in every game.

        Returns:
            Observations [N, D], rewards [N], which games ended [N], infos.
        """
        turn = _Turn(self.num_envs)
        self._num_turns += 1
        self._play(np.arange(self.num_envs), self._actions, turn)
        self._play_opponents(turn)
        rewards = turn.rewards * np.float32(self.reward_scale)
        return self.engine.observe(), rewards, turn.done, turn.infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal for the learner, [N, A]."""
        return self.engine.legal_action_mask()

    def _play_opponents(self, turn: _Turn) -> None:
        """Plays opponents until the learner is to act in every game."""
        while True:
            seats = self.engine.seats
            rows = np.flatnonzero(seats != self.seats)
            if not len(rows):
                return
            actions = np.empty(len(rows), dtype=np.int64)
            drawn = self._opponent[rows, seats[rows]]
            for i in np.unique(drawn):
                chosen = drawn == i
                observations = self.engine.observe(rows=rows[chosen])
                masks = self.engine.legal_action_mask(rows=rows[chosen])
                actions[chosen] = self.opponents[i].act(observations, masks, self._rng)
            self._play(rows, actions, turn)

    def _play(self, rows: Rows, actions: Rows, turn: _Turn) -> None:
        """Plays one action in some games and notes what it brings to the learner."""
        result = self.engine.step(actions, rows)
        rewards = result.rewards[np.arange(len(rows)), self.seats[rows]]
        turn.rewards[rows] += rewards
        self._returns[rows] += rewards
        if result.finished.any():
            ended = rows[result.finished]
            turn.done[ended] = True
            for row, info in zip(ended.tolist(), self._infos(ended, result.final), strict=True):
                turn.infos[row] = info
            self._seat(ended)

    def _infos(self, ended: Rows, final: State) -> Iterator[Info]:
        """Yields what is told of games that ended."""
        engine, seats, every = self.engine, self.seats[ended], np.arange(len(ended))
        seen = observe(engine.tables, engine.features, final, every, seats)
        won = shares(winners(engine.tables, final))[every, seats]
        seconds = round(time.monotonic() - self._start, 6)
        for i, row in enumerate(ended.tolist()):
            returns, turns = float(self._returns[row]), int(self._num_turns[row])
            yield {
                "terminal_observation": seen[i],
                "episode": {"r": returns, "l": turns, "t": seconds},
                "score": int(final.totals[i, seats[i]]),
                "won": float(won[i]),
                "seat": int(seats[i]),
            }

    def _seat(self, rows: Rows) -> None:
        """Seats the learner and draws its opponents in games that start."""
        num_players = self.engine.num_players
        episodes = self.engine.state.episode[rows].astype(np.int64)
        self.seats[rows] = (rows + episodes) % num_players
        self._opponent[rows] = self._rng.choice(
            len(self.opponents), size=(len(rows), num_players), p=self._shares
        )
        self._returns[rows] = 0
        self._num_turns[rows] = 0

    def close(self) -> None:
        """Does nothing: there is nothing to close."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Returns an attribute, the same for every game asked for.

        Raises:
            AttributeError: there is none of this name; stable-baselines3 asks this way.
        """
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refused: games have no attributes of their own."""
        raise AttributeError(f"{attr_name!r} can't be set; the games share one engine")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **_: Any
    ) -> list[Any]:
        """Returns `action_masks` of every game asked for; there is no other method.

        Raises:
            AttributeError: any other method.
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


class _Turn:
    """What happened between two turns of the learner, by game."""

    def __init__(self, num_games: int) -> None:
        self.rewards: Rewards = np.zeros(num_games, dtype=np.float32)
        self.done = np.zeros(num_games, dtype=np.bool_)
        self.infos: list[Info] = [{} for _ in range(num_games)]
