"""Agents that play the action which a heuristic scores highest: greedy and planner of all games."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.agent import Considered
from gonzaga_env.tabletop.spec import Config

from .agent import InputSize, SizedAgent
from .common.arrays import Floats, Indices, best_of_each


class HeuristicAgent(SizedAgent):
    """Plays what scores highest; ties are broken at random. A game's agents add `score`.

    Attributes:
        name: its name in tables and records.
        unit: what its scores count.
    """

    name: str
    unit: str

    def __init__(self, config: Config) -> None:
        """Takes what is played."""
        self._config: Any = config
        self._size = InputSize.of(config)

    def score(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> tuple[Indices, Indices, Floats]:
        """Returns row, action and score of all legal actions, three arrays [L], sorted by row.

        Args:
            observations: [M, D].
            masks: [M, A], True for legal.
            rng: draws what is hidden, for heuristics that read states; scores don't depend on it.
        """
        raise NotImplementedError

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Returns a legal action for each row, [M] (see `Agent.act`).

        Raises:
            OptionError: the observations or masks are of another game.
        """
        self._size.check(observations, masks)
        rows, actions, scores = self.score(observations, masks, rng)
        return actions[best_of_each(scores, rows, len(masks), rng)]

    def consider(
        self, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
    ) -> Considered:
        """Returns all legal actions with their scores (see `ConsideringAgent`).

        Raises:
            OptionError: the observation or mask is of another game.
        """
        self._size.check(observation[None], mask[None])
        _, actions, scores = self.score(observation[None], mask[None], rng)
        by_action = np.zeros(len(mask))
        by_action[actions] = scores
        return Considered.ranked(mask, by_action, self.unit)
