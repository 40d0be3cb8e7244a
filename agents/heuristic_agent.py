"""Agents that play what a heuristic scores highest, and what their heuristics read."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.agent import Considered

from .agent import SizedAgent
from .common.arrays import Floats, Indices, Masks, Observations, best_of_each


class Seen:
    """What the seats to act see in M observations, as arrays; all arrays begin with [M].

    A game's subclass adds what its heuristic computes with.

    Attributes:
        config: what is played.
        kind: which decision they take.
    """

    def __init__(self, config: Any, observations: Observations) -> None:
        """Reads observations [M, D] of seats to act."""
        self.config, self._features, self._seen = config, config.features, observations
        self.kind = self._which("kind")

    def __len__(self) -> int:
        return len(self._seen)

    def _read(self, name: str) -> NDArray[np.uint8]:
        return self._features.view(self._seen, name)

    def _own(self, name: str) -> NDArray[np.uint8]:
        """Returns what belongs to the seat, which stands first, or a single number."""
        return self._read(name)[:, 0]

    def _which(self, name: str) -> Indices:
        """Returns what a one-hot feature says."""
        return self._read(name).argmax(axis=-1)


class HeuristicAgent(SizedAgent):
    """Plays what scores highest; ties are broken at random. A game's agents add `score`."""

    name: str  # its name in tables and records
    unit: str  # what its scores count

    def score(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, Floats]:
        """Returns row, action and score of all legal actions, three arrays [L], sorted by row.

        Args:
            observations: [M, D].
            masks: [M, A], True for legal.
            rng: draws what is hidden, for heuristics that read states; scores don't depend on it.
        """
        raise NotImplementedError

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        rows, actions, scores = self.score(observations, masks, rng)
        return actions[best_of_each(scores, rows, len(masks), rng)]

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        _, actions, scores = self.score(observation[None], mask[None], rng)
        by_action = np.zeros(len(mask))
        by_action[actions] = scores
        return Considered.ranked(mask, by_action, self.unit)


class WeighingAgent(HeuristicAgent):
    """Plays the action with the highest score by its weights. A game's agents add `_scores`."""

    weights: ClassVar[Any]  # what things are worth to it

    def score(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, Floats]:
        """See `HeuristicAgent.score`."""
        rows, actions = masks.nonzero()
        return rows, actions, self._scores(observations)[rows, actions]

    def _scores(self, observations: Observations) -> Floats:
        """Returns the scores of all actions, [M, A]; those of illegal ones are not read."""
        raise NotImplementedError
