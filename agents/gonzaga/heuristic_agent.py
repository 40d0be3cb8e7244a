"""Greedy and planner of Gonzaga: what they have in common."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.observe import states_from_observations
from gonzaga_env.core.state import PLACE, PLAN, State, list_plans

from ..common.arrays import Indices, Masks, Observations, best_of_each
from ..heuristic_agent import HeuristicAgent as HeuristicBase
from .heuristic import Heuristic, Scores, Weights


class HeuristicAgent(HeuristicBase):
    """Plays what scores highest, from observations or straight from an engine's state."""

    weights: ClassVar[Weights]  # what positions are worth to it

    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, four players on "europe"."""
        config = config or GameConfig()
        super().__init__(config)
        self._features = config.features
        self._heuristic = Heuristic(config.tables, config.rules, self.weights)

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


def list_legal(engine: Engine, games: Indices, seats: Indices) -> tuple[Indices, Indices]:
    """Returns the legal actions of M decisions of any kinds (see `EngineAgent.act_in`).

    Returns:
        Positions among the M decisions and actions, two arrays [L], sorted by position.
    """
    kinds, listed = engine.kinds[games], []
    for kind in np.unique(kinds):
        which = (kinds == kind).nonzero()[0]
        if kind == PLAN:
            rows, actions = list_plans(engine.tables, engine.state, games[which], seats[which])
        else:
            rows, actions = engine.legal_actions(games[which])
        listed.append((which[rows], actions))
    if len(listed) == 1:
        return listed[0]
    rows, actions = map(np.concatenate, zip(*listed, strict=True))
    order = rows.argsort(kind="stable")
    return rows[order], actions[order]
