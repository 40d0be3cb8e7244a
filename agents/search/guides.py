"""What guides a search: a prior that picks candidates, and a value of positions between rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.observation.reconstruct import states_from_observations
from gonzaga_env.core.rules.scoring import win_shares, winners
from gonzaga_env.core.state.state import PLAN

from ..agent import AgentError
from ..baselines.candidates import Indices
from .playouts import Playouts
from .root import Floats
from .value import Value

if TYPE_CHECKING:
    from ..network.agent import NetworkAgent

_PRIOR_WEIGHT = 0.005  # share of the victory that a point of the planner's score stands for
_MARGIN_SCALE = 12.0  # points ahead that multiply the odds of winning by e


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
            engine = Engine.from_state(self._config, state, copy=False)
            rows, actions, scores = self._playouts.placement_scores(engine, games, seats)
        return best_candidates(rows, actions, scores, len(masks), size, _PRIOR_WEIGHT)

    def values(self, engine: Engine, seats: Indices) -> Floats:
        """See `Guide.values`."""
        shares = self._value.shares(engine.state)[np.arange(len(seats)), seats]
        return shares.astype(np.float64)


class LearnedGuide:
    """The policy and the value of a checkpoint."""

    def __init__(self, config: GameConfig, agent: NetworkAgent) -> None:
        """Takes the agent of a checkpoint.

        Raises:
            AgentError: the agent learned from the reward "score", which says nothing of the others.
        """
        if agent.reward == "score":
            raise AgentError(
                f"{agent.name} learned from the reward 'score'; search takes a checkpoint of "
                "'margin' or 'outcome'"
            )
        self._config, self._agent = config, agent

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
        rows, actions = masks.nonzero()
        scores = np.log(found.probabilities[rows, actions] + 1e-6)
        return best_candidates(rows, actions, scores, len(masks), size, _PRIOR_WEIGHT)

    def values(self, engine: Engine, seats: Indices) -> Floats:
        """See `Guide.values`."""
        state, games = engine.state, np.arange(engine.num_games)
        shares = win_shares(winners(engine.tables, state))[games, seats]
        going_on = (~state.finished).nonzero()[0]
        if len(going_on):
            seats = seats[going_on]
            values = self._agent.values(engine.observe(seats, going_on)).astype(np.float64)
            num_players = engine.num_players
            if self._agent.reward == "outcome":
                shares[going_on] = (values * (num_players - 1) + 1) / num_players
            else:
                totals = state.totals[going_on].astype(np.float64)
                own = totals[np.arange(len(seats)), seats]
                ahead = values + own - (totals.sum(axis=1) - own) / (num_players - 1)
                odds = (num_players - 1) * np.exp(-ahead / _MARGIN_SCALE)
                shares[going_on] = 1 / (1 + odds)
        return shares


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
