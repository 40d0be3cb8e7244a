"""Bases of agents, and the random one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.agent import Agent, Considered, agent_name, uniform
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config, Engine

from .arrays import Floats, Indices, Masks, Observations, best_of_each


@runtime_checkable
class EngineAgent(Agent, Protocol):
    """An agent that can also choose straight from an engine's state, which training does.

    This saves rebuilding states from observations. It must play as `act` would, so it may look only
    at what the deciding seats know.
    """

    def act_in(
        self, engine: Engine, games: Indices, seats: Indices, rng: np.random.Generator
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

    def check(self, observations: object, masks: object) -> None:
        """Raises OptionError unless these are uint8 [M, D] and bool [M, A] of this size."""
        seen, legal = np.asarray(observations), np.asarray(masks)
        self._check_array("observations", seen, self.num_features, np.dtype(np.uint8))
        self._check_array("masks", legal, self.num_actions, np.dtype(np.bool_))
        if len(seen) != len(legal):
            raise OptionError(
                f"there are {len(seen)} observations and {len(legal)} masks; "
                "each observation takes one mask"
            )

    def _check_array(
        self, what: str, array: NDArray[np.generic], width: int, dtype: np.dtype[np.generic]
    ) -> None:
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
        return self._act(observations, masks, rng) if len(masks) else np.zeros(0, np.int64)

    def consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        """Returns choices and the agent's value of each, best first (see `ConsideringAgent`).

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


class RandomAgent(SizedAgent):
    """Plays a uniformly random legal action.

    Attributes:
        name: "random".
    """

    name = "random"

    def __init__(self, config: Config | None = None) -> None:
        """Takes what is played, in any game; by default Gonzaga with four players on "europe"."""
        super().__init__(config or game_spec().config())

    @uniform
    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        """Returns a random legal action for each row, [M] (see `SizedAgent.act`)."""
        self._size.check(observations, masks)
        return choose_among(masks, rng)

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        return Considered.ranked(mask, mask / mask.sum(), "probability")


def choose_among(masks: Masks, rng: np.random.Generator) -> Indices:
    """Returns a uniformly random legal action for each row of masks [M, A], [M]."""
    rows, actions = np.nonzero(masks)
    num_choices = np.bincount(rows, minlength=len(masks))
    first = np.cumsum(num_choices) - num_choices
    return actions[first + rng.integers(num_choices)]


class SeatView:
    """The view of M seats to act, as arrays read from observations; all begin with [M].

    A game's subclass adds what its heuristic computes with.

    Attributes:
        config: what is played.
        kind: which decision they take.
    """

    def __init__(self, config: Any, observations: Observations) -> None:
        """Reads observations [M, D] of seats to act."""
        self.config, self._views = config, config.features.views(observations)
        self.kind = self._which("kind")

    def __len__(self) -> int:
        return len(self.kind)

    def _read(self, name: str) -> NDArray[np.uint8]:
        return self._views[name]

    def _own(self, name: str) -> NDArray[np.uint8]:
        """Returns what belongs to the seat, which stands first, or a single number."""
        return self._read(name)[:, 0]

    def _which(self, name: str) -> Indices:
        """Returns what a one-hot feature says."""
        return self._read(name).argmax(axis=-1)


class HeuristicAgent(SizedAgent):
    """Plays what scores highest; ties are broken by position. A game's agents add `score`."""

    name: str  # its name in tables and records
    unit: str  # what its scores count

    def score(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, Floats]:
        """Returns row, action and score of all legal actions, three arrays [L], sorted by row.

        Scores do not depend on `rng`: it draws what is hidden, for heuristics that read states.
        """
        raise NotImplementedError

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        rows, actions, scores = self.score(observations, masks, rng)
        return actions[best_of_each(scores, rows, len(masks))]

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        _, actions, scores = self.score(observation[None], mask[None], rng)
        by_action = np.zeros(len(mask))
        by_action[actions] = scores
        return Considered.ranked(mask, by_action, self.unit)


class WeighingAgent(HeuristicAgent):
    """Plays the action with the highest score by its weights. A game's agents add `_scores`."""

    CONFIG: ClassVar[type[Any]]  # of the game that it plays by default
    weights: ClassVar[Any]  # what things are worth to it

    def __init__(self, config: Config | None = None) -> None:
        """Takes the configuration; by default, that of the game."""
        super().__init__(config or self.CONFIG())

    def score(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, Floats]:
        """See `HeuristicAgent.score`."""
        rows, actions = masks.nonzero()
        return rows, actions, self._scores(observations)[rows, actions]

    def _scores(self, observations: Observations) -> Floats:
        """Returns the scores of all actions, [M, A]; those of illegal ones are not read."""
        raise NotImplementedError
