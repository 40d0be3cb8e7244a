"""The opponents of a learner: what can be one, and how they choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gonzaga_env.envs.environment import (
    KEYS,
    Form,
    MaskDtype,
    MaskPlace,
    Observation,
    ObservationPacker,
)
from gonzaga_env.kernel.agent import Agent, is_sb3_model, is_uniform, make_agent
from gonzaga_env.kernel.arguments import Indices, as_actions
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.spec import Config, Engine

Act = Callable[[NDArray[np.uint8], NDArray[np.bool_], np.random.Generator], NDArray[np.integer]]
"""Chooses for M seats: `(observations [M, D], masks [M, A], rng) -> actions [M]`."""

Opponent = str | Path | type | Agent | Act | Any | None
"""An agent's name or class (as `gonzaga_agents.make_agent` takes it), an agent, a model of
Stable-Baselines3, or a function of `(observations, masks, rng)`; None plays uniformly random legal
actions."""
Opponents = Opponent | Sequence[Opponent]
"""One for all seats, or several to draw from."""


@runtime_checkable
class _EngineAgent(Agent, Protocol):
    def act_in(
        self, engine: Engine, rows: Indices, seats: Indices, rng: np.random.Generator
    ) -> NDArray[np.integer]: ...


@dataclass(frozen=True)
class EngineOpponent:
    """An agent of an installed package that can choose straight from an engine.

    In batches this saves rebuilding states from observations. It gets the engine, hidden
    information included, so only agents that are given by name are asked this way: those look at
    nothing but what the deciding seats know, which tests show. Ties may be broken by other draws.
    """

    agent: _EngineAgent

    def __call__(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.integer]:
        """Chooses from observations, as every opponent does."""
        return self.agent.act(observations, masks, rng)

    def choose(
        self, engine: Engine, rows: Indices, rng: np.random.Generator
    ) -> NDArray[np.integer]:
        """Chooses for the seats to act in some games, [M]."""
        return self.agent.act_in(engine, rows, engine.seats[rows], rng)


def as_opponents(opponents: Opponents, config: Config) -> tuple[Act | None, ...]:
    """Returns the functions of one or more opponents; OptionError for anything else."""
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        opponents = [opponents]
    if not opponents:
        raise OptionError("opponents are empty; they take one opponent or more")
    return tuple(_as_act(opponent, config) for opponent in opponents)


def _as_act(opponent: Opponent, config: Config) -> Act | None:
    if isinstance(opponent, str | Path | type):
        named = isinstance(opponent, str) and ":" not in opponent  # not "module:Class"
        opponent = make_agent(opponent, config)
        if named and isinstance(opponent, _EngineAgent):
            return EngineOpponent(opponent)
    if is_sb3_model(opponent):
        opponent = SB3Agent(opponent, config)
    act = opponent.act if isinstance(opponent, Agent) else opponent
    if act is not None and not callable(act):
        raise OptionError(
            f"opponent is {opponent!r}; it takes an agent's name, an agent, None, a model of "
            "Stable-Baselines3, or a function of (observations, masks, rng)"
        )
    return act


def choose(
    opponent: Act | None, engine: Engine, rng: np.random.Generator, rows: Indices
) -> Indices:
    """Returns an opponent's actions for the seats to act in some games, [M]."""
    if opponent is None or is_uniform(opponent):
        return engine.sample_legal(rng, rows)
    if isinstance(opponent, EngineOpponent):
        actions = opponent.choose(engine, rows, rng)
    else:
        actions = opponent(engine.observe(rows=rows), engine.legal_action_mask(rows), rng)
    return as_actions(actions, rows, np.zeros(len(rows), np.bool_), engine.actions.size)


def choose_one(opponent: Act | None, game: AnyGame, rng: np.random.Generator) -> int:
    """Returns an opponent's action for the seat to act in one game (errors as `choose`)."""
    if opponent is None:
        return game.sample_legal(rng)
    actions = opponent(game.observation()[None], game.mask().view(np.bool_)[None], rng)
    return int(as_actions(actions, np.zeros(1, np.int64), np.array([False]), game.actions.size)[0])


class SB3Agent:
    """Plays what a model such as sb3-contrib's MaskablePPO has learned.

    Illegal actions are never drawn, so models without masks play too. The model may go on learning:
    the agent always plays its current policy.

    It takes a model, not a file: a model's zip holds pickles, and `MaskablePPO.load` runs whatever
    code is in them. Load only files that you trust.

    Attributes:
        name: the model's class.
    """

    def __init__(self, model: Any, config: Config, deterministic: bool = False) -> None:
        """Takes a model that learned in one of this package's environments.

        Args:
            model: of a class with a distribution over actions: PPO, A2C, MaskablePPO.
            config: what is played.
            deterministic: plays the most probable action instead of drawing one.

        Raises:
            OptionError: a model of another class, or one that learned another game.
        """
        self.name = type(model).__name__
        if not callable(getattr(model.policy, "get_distribution", None)):
            raise OptionError(
                f"model is {self.name}, which has no distribution over actions; "
                "it takes PPO, A2C or MaskablePPO"
            )
        self._model, self._deterministic = model, deterministic
        self._packer = _packer_of(model.observation_space, config)
        num_actions = getattr(model.action_space, "n", None)
        if self._packer.space != model.observation_space or num_actions != config.actions.size:
            raise OptionError(
                f"model takes {model.observation_space} and {num_actions} actions; "
                f"{config.summary} takes {self._packer.space} and {config.actions.size} actions"
            )

    def act(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], rng: np.random.Generator
    ) -> Indices:
        """Returns a legal action for each row, [M] (see `Agent.act`)."""
        chosen = self._logits(self._packer.observation(observations, masks))[masks]
        if not self._deterministic:  # the highest of logits with Gumbel noise is a draw by softmax
            chosen += rng.gumbel(size=len(chosen)).astype(np.float32)
        scores = np.full(masks.shape, -np.inf, dtype=np.float32)
        scores[masks] = chosen
        return scores.argmax(axis=1)

    def _logits(self, observations: Observation) -> NDArray[np.float32]:
        """Returns the policy's logits of all actions, [M, A]."""
        import torch  # which the model has imported

        policy, normalise = self._model.policy, self._model.get_vec_normalize_env()
        if normalise is not None:
            observations = normalise.normalize_obs(observations)
        policy.set_training_mode(False)
        with torch.no_grad():
            inputs, _ = policy.obs_to_tensor(observations)
            logits = policy.get_distribution(inputs).distribution.logits
        return np.asarray(logits.cpu(), dtype=np.float32)

    def __repr__(self) -> str:
        return f"<SB3Agent {self.name!r}>"


def _packer_of(space: spaces.Space[Observation], config: Config) -> ObservationPacker:
    """Returns the layout of observations like those of a model's space, if it is of this game."""
    size, observed, keys = config.actions.size, space, [*KEYS]
    mask: MaskPlace = "info"
    dtype: MaskDtype = "int8"
    if isinstance(space, spaces.Dict) and len(space) == 2:
        keys = sorted(space, key=lambda key: bool(space[key].shape == (size,)))
        observed, mask = space[keys[0]], "observation"
        dtype = "bool" if space[keys[1]].dtype == np.bool_ else "int8"
    form: Form = "planes" if len(observed.shape or ()) == 3 else "features"
    normalised = observed.dtype == np.float32
    return ObservationPacker(config, mask, keys, normalised, dtype, form)
