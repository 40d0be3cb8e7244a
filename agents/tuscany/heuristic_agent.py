"""Agents that play the action which a heuristic scores highest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.agent import Considered
from gonzaga_env.tuscany.config import GameConfig

from ..agent import InputSize, SizedAgent
from .heuristic import Weights, score_actions
from .seat import Floats, Seat

_TIE = 1e-4  # scores that differ by less are equal but for rounding


class HeuristicAgent(SizedAgent):
    """Plays what scores highest; ties are broken at random.

    Attributes:
        name: its name in tables and records.
        unit: what its scores count.
    """

    name: str
    unit: str

    def __init__(self, config: GameConfig, weights: Weights) -> None:
        """Takes what is played, and what positions are worth."""
        self._config, self._size, self._weights = config, InputSize.of(config), weights

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
        scores = self.scores(observations, masks)
        best = scores >= scores.max(axis=1, keepdims=True) - _TIE
        return (best * (1 + rng.random(best.shape))).argmax(axis=1)

    def consider(
        self, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
    ) -> Considered:
        """Returns all legal actions with their scores (see `ConsideringAgent`).

        Raises:
            OptionError: the observation or mask is of another game.
        """
        self._size.check(observation[None], mask[None])
        return Considered.ranked(mask, self.scores(observation[None], mask[None])[0], self.unit)

    def scores(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Floats:
        """Returns the score of every legal action, [M, A]; -inf for the others."""
        scores = score_actions(Seat(self._config, observations), self._weights)
        return np.where(masks, scores, -np.inf)
