"""Random games: batches of any game, vector environments, no game, and the oracle."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import cycle
from typing import Any

import gymnasium
import numpy as np

from benchmarks.speeds.random_games import RANDOM_GAME_STEPS
from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine
from gonzaga_env.core.board.edition import EDITIONS
from gonzaga_env.games import game_spec
from tests.oracle import OracleEdition, OracleGame

_SPREAD = 300  # steps after which games of one deal differ
_STEPS = 16


def batch_games(game: str, num_games: int) -> Callable[[], int]:
    """Returns a function that plays some steps of N games, with mask and observation.

    Args:
        game: the name of any game, which four players play.
        num_games: N.
    """
    spec, rng = game_spec(game), np.random.default_rng(0)
    engine = spec.engine.from_config(spec.config(num_players=4), num_games)
    mask = np.empty((num_games, engine.actions.size), dtype=np.bool_)
    observation = np.empty((num_games, engine.features.size), dtype=np.uint8)

    def play_steps() -> int:
        for _ in range(_STEPS):
            engine.legal_action_mask(out=mask)
            engine.observe(out=observation)
            engine.step(engine.sample_legal(rng))
        return _STEPS * num_games

    for _ in range(_SPREAD // _STEPS):
        play_steps()
    return play_steps


def vector_games(num_envs: int, mode: str) -> Callable[[], int]:
    """Returns a function that plays one step of N games with a learner and returns N.

    Args:
        num_envs: N.
        mode: Gymnasium's `vectorization_mode`; both deal the next game in the same step.
    """
    same = {"autoreset_mode": "SameStep"}
    options = {"vector_kwargs": same} if mode == "sync" else same
    envs = gymnasium.make_vec(
        "gonzaga/Gonzaga-v0", num_envs=num_envs, vectorization_mode=mode, **options
    )
    rng, infos = np.random.default_rng(0), envs.reset(seed=0)[1]

    def play_step() -> int:
        nonlocal infos
        legal = [np.flatnonzero(mask.view(np.bool_)) for mask in infos["action_mask"]]
        actions = np.array([row[rng.integers(len(row))] for row in legal])
        *_, infos = envs.step(actions)
        return num_envs

    return play_step


def sb3_games(num_envs: int, *, single: bool = False) -> Callable[[], int]:
    """Returns a function that plays one step of N games of Stable-Baselines3 and returns N.

    The learner plays at random against planner.

    Args:
        num_envs: N.
        single: plays single environments in SB3's `DummyVecEnv`, instead of `make_sb3_vec`.
    """
    from sb3_contrib.common.maskable.utils import get_action_masks
    from stable_baselines3.common.env_util import make_vec_env

    from gonzaga_env.envs.sb3 import make_sb3_vec

    if single:
        options = {"opponents": "planner"}
        envs = make_vec_env("gonzaga/Gonzaga-v0", num_envs, seed=0, env_kwargs=options)
    else:
        envs = make_sb3_vec(num_envs, opponents="planner", seed=0)
    rng = np.random.default_rng(0)
    envs.reset()

    def play_step() -> int:
        legal = [np.flatnonzero(mask) for mask in get_action_masks(envs)]
        envs.step(np.array([row[rng.integers(len(row))] for row in legal]))
        return num_envs

    for _ in range(12):  # into the middle of the games
        play_step()
    return play_step


class NullEnv(gonzaga_v0.raw_env):
    """An environment with the agents and spaces of `gonzaga_v0` and without a game.

    Every action is legal, `observe` returns the same arrays each time, and an episode takes
    `RANDOM_GAME_STEPS` steps.
    """

    def __init__(self) -> None:
        super().__init__()
        self._observation = {
            "observation": np.zeros(self.features.size, dtype=np.uint8),
            "action_mask": np.ones(self.actions.size, dtype=np.int8),
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts an episode."""
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection, self._steps = None, 0
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns the arrays."""
        return self._observation

    def step(self, action: int | None) -> None:
        """Passes the turn on."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._steps += 1
        self.agent_selection = self.agents[self._steps % len(self.agents)]
        if self._steps == RANDOM_GAME_STEPS:
            self.terminations = dict.fromkeys(self.agents, True)


def null_env() -> Any:
    """Returns a `NullEnv` in the wrappers of `gonzaga_v0.env()`."""
    innermost = wrapped = gonzaga_v0.env()
    while innermost.env is not wrapped.unwrapped:
        innermost = innermost.env
    innermost.env = NullEnv()
    return wrapped


def oracle_games(engine: Engine) -> Callable[[], int]:
    """Returns a function that plays the next of an engine's deals on the tests' naive oracle."""
    edition, rng = OracleEdition(EDITIONS / "europe"), random.Random(0)
    deals = cycle([_deal(engine, game) for game in range(engine.num_games)])

    def play_game() -> int:
        game, steps = OracleGame(edition, **next(deals)), 0
        while not game.finished:
            game.play(rng.choice(list(game.legal_actions())))
            steps += 1
        return steps

    play_game()
    return play_game


def _deal(engine: Engine, game: int) -> dict[str, Any]:
    state, edition = engine.state, engine.edition
    return {
        "scenario": edition.scenarios[state.scenario[game]].name,
        "num_players": engine.num_players,
        "decks": (state.deck[game] + 1).tolist(),
        "objectives": [list(edition.objectives[i]) for i in state.objective[game]],
        "sea_league": engine.rules.sea_league,
        "first_check_round": engine.rules.first_check_round,
    }
