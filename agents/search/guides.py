"""What guides a search: a prior that picks candidates, and a value of positions between rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state.from_observations import states_from_observations
from gonzaga_env.core.state.state import PLAN

from ..gonzaga.candidates import Indices
from ..gonzaga.playouts import Playouts
from ..gonzaga.value import Value
from .root import Floats

if TYPE_CHECKING:
    from ..network.agent import NetworkAgent

_PRIOR_WEIGHT = 0.005  # share of the victory that a point of the planner's score stands for
_POLICY_WEIGHT = 0.01  # share of the victory that a policy's odds of e to 1 stand for


class Guide(Protocol):
    """A prior and a value."""

    def candidates(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        seats: Indices,
        phase: int,
        size: int,
        rng: np.random.Generator,
    ) -> tuple[Indices, Floats]:
        """Returns the best C or fewer legal actions of M decisions, and what the prior adds.

        Returns:
            Actions, best first, -1 for padding, and their priors in shares of the victory; both
            [M, C].
        """
        ...

    def values(self, engine: Engine, seats: Indices) -> Floats:
        """Returns the expected share of the victory of one seat of each game, [N].

        Args:
            engine: games between rounds, or finished ones.
            seats: [N].
        """
        ...


class HeuristicGuide:
    """The planner's scores, and a value of `FeatureReader`'s features."""

    def __init__(self, config: GameConfig, playouts: Playouts, value: Value) -> None:
        self._config, self._playouts, self._value = config, playouts, value

    def candidates(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        seats: Indices,
        phase: int,
        size: int,
        rng: np.random.Generator,
    ) -> tuple[Indices, Floats]:
        """See `Guide.candidates`."""
        state, games = (
            states_from_observations(self._config, observations, rng),
            np.arange(len(masks)),
        )
        if phase == PLAN:
            rows, actions = masks.nonzero()
            scores = self._playouts.plan_scores(state, games, seats)[rows, actions]
        else:
            engine = Engine.from_state(self._config, state, copy=False, check=False)
            rows, actions, scores = self._playouts.placement_scores(engine, games, seats)
        return best_candidates(rows, actions, scores, len(masks), size, _PRIOR_WEIGHT)

    def values(self, engine: Engine, seats: Indices) -> Floats:
        """See `Guide.values`."""
        shares = self._value.shares(engine.state)[np.arange(len(seats)), seats]
        return shares.astype(np.float64)


class LearnedGuide:
    """The policy of a network, and a value."""

    def __init__(self, agent: NetworkAgent, value: Value) -> None:
        """Takes the agent that picks candidates and the value of positions between rounds."""
        self._agent, self._value = agent, value

    def candidates(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        seats: Indices,
        phase: int,
        size: int,
        rng: np.random.Generator,
    ) -> tuple[Indices, Floats]:
        """See `Guide.candidates`."""
        found = self._agent.evaluate(observations, masks)
        rows, actions = found.probabilities.nonzero()
        scores = np.log(found.probabilities[rows, actions])
        return best_candidates(rows, actions, scores, len(masks), size, _POLICY_WEIGHT)

    def values(self, engine: Engine, seats: Indices) -> Floats:
        """See `Guide.values`."""
        shares = self._value.shares(engine.state)[np.arange(len(seats)), seats]
        return shares.astype(np.float64)


def best_candidates(
    rows: Indices,
    actions: Indices,
    scores: NDArray[np.floating],
    num_rows: int,
    size: int,
    weight: float,
) -> tuple[Indices, Floats]:
    """Returns the `size` best-scored actions of each row and their weighted scores.

    Args:
        rows: the row of each action, [L], ascending.
        actions: [L].
        scores: [L].
        num_rows: M.
        size: C at most.
        weight: what scores are multiplied by.

    Returns:
        Actions, best first, -1 for padding, and weighted scores; both [M, C].
    """
    order = np.lexsort((-scores, rows))
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    top = rank < size
    shape = num_rows, int(rank[top].max()) + 1
    best, priors = np.full(shape, -1), np.zeros(shape)
    best[rows[top], rank[top]] = actions[order][top]
    priors[rows[top], rank[top]] = scores[order][top] * weight
    return best, priors
