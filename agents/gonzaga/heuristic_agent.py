"""Greedy and planner of Gonzaga: what they have in common."""

from __future__ import annotations

import numpy as np

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state.from_observations import states_from_observations
from gonzaga_env.core.state.state import PLACE, State

from ..common.arrays import Masks, Observations, best_of_each
from ..heuristic_agent import HeuristicAgent as HeuristicBase
from .candidates import Indices
from .choice import list_legal
from .heuristic import Heuristic, Scores, Weights


class HeuristicAgent(HeuristicBase):
    """Plays what scores highest, from observations or straight from an engine's state."""

    def __init__(self, config: GameConfig, weights: Weights) -> None:
        """Builds the tables.

        Args:
            config: what is played.
            weights: what positions are worth.
        """
        super().__init__(config)
        self._features = config.features
        self._heuristic = Heuristic(config.tables, config.rules, weights)

    def act_in(
        self, engine: Engine, games: Indices, seats: Indices, rng: np.random.Generator
    ) -> Indices:
        """Returns a legal action for each decision, [M] (see `EngineAgent.act_in`)."""
        rows, actions = list_legal(engine, games, seats)
        scores = self._score(engine.state, games, seats, rows, actions)
        return actions[best_of_each(scores, rows, len(games), rng)]

    def score(
        self, observations: Observations, masks: Masks, rng: np.random.Generator
    ) -> tuple[Indices, Indices, Scores]:
        """See `HeuristicBase.score`."""
        state = states_from_observations(self._config, observations, rng)
        seats = self._features.view(observations, "seat").argmax(axis=1)
        rows, actions = masks.nonzero()
        return rows, actions, self._score(state, np.arange(len(masks)), seats, rows, actions)

    def _score(
        self, state: State, games: Indices, seats: Indices, rows: Indices, actions: Indices
    ) -> Scores:
        """Returns the scores of the legal actions [L] of M decisions, which may be of any phase."""
        scores = np.empty(len(rows), dtype=np.float32)
        placing = state.phase[games] == PLACE
        for is_placing in np.unique(placing):
            decisions = (placing == is_placing).nonzero()[0]
            at = (placing[rows] == is_placing).nonzero()[0]
            among = np.searchsorted(decisions, rows[at])
            own = state, games[decisions], seats[decisions]
            if is_placing:
                values = self._heuristic.values(*own)
                scores[at] = self._heuristic.placements(values, among, actions[at])
            else:
                scores[at] = self._plan_scores(*own)[among, actions[at]]
        return scores

    def _plan_scores(self, state: State, games: Indices, seats: Indices) -> Scores:
        """Returns the score of every plan, [M, 42]."""
        return self._heuristic.plans(state, self._heuristic.values(state, games, seats))
