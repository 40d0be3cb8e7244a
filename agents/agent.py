"""Helpers for agents: an engine in place of observations, and inputs of one size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np

from gonzaga_env.tabletop.agent import Agent, Considered, agent_name
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.spec import Config

from .common.arrays import Indices, Masks, Observations


@runtime_checkable
class EngineAgent(Agent, Protocol):
    """An agent that can also choose straight from an engine's state, which training does.

    This saves rebuilding states from observations. It must play as `act` would, so it may look only
    at what the deciding seats know.
    """

    def act_in(
        self, engine: Any, games: Indices, seats: Indices, rng: np.random.Generator
    ) -> Indices:
        """Returns a legal action for each of M decisions of one kind, [M].

        Args:
            engine: N games; it stays as it is.
            games: row of each decision in the engine, [M].
            seats: the deciding seats, [M]: those to act, or several of a game where they decide
                unseen by each other, as those who plan in Gonzaga do.
            rng: the source of all randomness.
        """
        ...


@dataclass(frozen=True)
class InputSize:
    """The width of the observations and masks that an agent was made for."""

    num_players: int  # P
    num_features: int  # D
    num_actions: int  # A

    @classmethod
    def of(cls, config: Config) -> Self:
        """Returns the widths of a game."""
        return cls(config.num_players, config.features.size, config.actions.size)

    def check(self, observations: Any, masks: Any) -> None:
        """Raises OptionError unless these are uint8 [M, D] and bool [M, A] of this size."""
        self._check_array("observations", observations, self.num_features, np.dtype(np.uint8))
        self._check_array("masks", masks, self.num_actions, np.dtype(np.bool_))
        if len(observations) != len(masks):
            raise OptionError(
                f"there are {len(observations)} observations and {len(masks)} masks; "
                "each observation takes one mask"
            )

    def _check_array(self, what: str, array: Any, width: int, dtype: np.dtype[Any]) -> None:
        array = np.asarray(array)
        if array.ndim != 2 or array.shape[1] != width or array.dtype != dtype:
            raise OptionError(
                f"{what} have shape {array.shape} and dtype {array.dtype}; this agent was made "
                f"for {self.num_players} players and takes shape [M, {width}] and dtype {dtype}"
            )


class SizedAgent:
    """A base of agents that were made for one game, and refuse inputs of another one.

    Subclasses add `_act` and `_consider`, which get inputs that fit.
    """

    def __init__(self, config: Config) -> None:
        """Takes what is played."""
        self._config: Any = config
        self._size = InputSize.of(config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {agent_name(self)!r}, {self._size.num_players} players>"

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        """Returns a legal action for each row, [M] (see `Agent.act`).

        Raises:
            OptionError: the observations or masks are of another game.
        """
        self._size.check(observations, masks)
        return self._act(observations, masks, rng)

    def consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        """Returns choices and what they are worth, best first (see `ConsideringAgent`).

        Raises:
            OptionError: the observation or mask is of another game.
        """
        self._size.check(observation[None], mask[None])
        return self._consider(observation, mask, rng)

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        raise NotImplementedError

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        raise NotImplementedError
