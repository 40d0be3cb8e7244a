"""Opponents of a single learner: what is accepted as one, and how it is asked for actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.envs.learner.sb3_agent import SB3Agent
from gonzaga_env.tabletop.agent import Agent, is_sb3_model, is_uniform, make_agent
from gonzaga_env.tabletop.arguments import as_actions
from gonzaga_env.tabletop.engines.decisions import AnyGame
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.spec import Config, Engine

Act = Callable[[NDArray[np.uint8], NDArray[np.bool_], np.random.Generator], NDArray[np.integer]]
"""Chooses for M seats: `(observations [M, D], masks [M, A], rng) -> actions [M]`."""

Opponent = str | Path | type | Agent | Act | Any | None
"""An agent's name or class (as `gonzaga_agents.make_agent` takes it), an agent, a model of
Stable-Baselines3, or a function of `(observations, masks, rng)`; None plays uniformly random legal
actions."""
Opponents = Opponent | Sequence[Opponent]
"""One for all seats, or several to draw from."""


@dataclass(frozen=True)
class EngineOpponent:
    """An agent of an installed package that can choose straight from an engine.

    In batches this saves rebuilding states from observations. It gets the engine, hidden
    information included, so only agents that are given by name are asked this way: those look at
    nothing but what the deciding seats know, which tests show. Ties may be broken by other draws.
    """

    agent: Any

    def __call__(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.integer]:
        """Chooses from observations, as every opponent does."""
        return self.agent.act(observations, masks, rng)

    def choose(
        self, engine: Engine, rows: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.integer]:
        """Chooses for the seats to act in some games, [M]."""
        return self.agent.act_in(engine, rows, engine.seats[rows], rng)


def as_opponents(opponents: Opponents, config: Config) -> tuple[Act | None, ...]:
    """Returns the functions of one or more opponents.

    Raises:
        OptionError: something that is not an opponent.
        GameError: a name that is not an agent's (see `gonzaga_agents.make_agent`).
    """
    given: Any = opponents
    if opponents is None or isinstance(opponents, str) or not isinstance(opponents, Sequence):
        given = [opponents]
    if not given:
        raise OptionError("opponents are empty; they take one opponent or more")
    return tuple(_as_act(opponent, config) for opponent in given)


def _as_act(opponent: Any, config: Config) -> Act | None:
    if isinstance(opponent, str | Path | type):
        named = isinstance(opponent, str) and ":" not in opponent  # not "module:Class"
        opponent = make_agent(opponent, config)
        if named and hasattr(opponent, "act_in"):
            return EngineOpponent(opponent)
    if is_sb3_model(opponent):
        opponent = SB3Agent(opponent, config)
    act: Act | None = getattr(opponent, "act", opponent)
    if act is not None and not callable(act):
        raise OptionError(
            f"opponent is {opponent!r}; it takes an agent's name, an agent, None, a model of "
            "Stable-Baselines3, or a function of (observations, masks, rng)"
        )
    return act


def choose(
    opponent: Act | None, engine: Engine, rng: np.random.Generator, rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Returns an opponent's actions for the seats to act in some games, [M].

    Raises:
        ActionError: the actions have a wrong shape or dtype, or one is outside the space.
    """
    if is_uniform(opponent):
        return engine.sample_legal(rng, rows)
    assert opponent is not None
    if isinstance(opponent, EngineOpponent):
        actions = opponent.choose(engine, rows, rng)
    else:
        actions = opponent(engine.observe(rows=rows), engine.legal_action_mask(rows), rng)
    return as_actions(
        actions, rows, np.zeros(len(rows), dtype=np.bool_), engine.config.actions.size
    )


def choose_one(opponent: Act | None, game: AnyGame, rng: np.random.Generator) -> int:
    """Returns an opponent's action for the seat to act in one game (errors as `choose`)."""
    if opponent is None:
        return game.sample_legal(rng)
    actions = opponent(game.observation()[None], game.mask().view(np.bool_)[None], rng)
    return int(as_actions(actions, np.zeros(1, np.int64), np.array([False]), game.actions.size)[0])
