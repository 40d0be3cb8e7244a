"""Agents that play the action which a heuristic scores highest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state.from_observations import states_from_observations
from gonzaga_env.core.state.state import PLACE, State
from gonzaga_env.tabletop.agent import Considered

from ..agent import InputSize, SizedAgent
from .candidates import Indices
from .choice import best_of_each, list_legal
from .heuristic import Heuristic, Scores, Weights


class HeuristicAgent(SizedAgent):
    """Plays what scores highest; ties are broken at random.

    Attributes:
        name: its name in tables and records.
        unit: what its scores count.
    """

    name: str
    unit: str

    def __init__(self, config: GameConfig, weights: Weights) -> None:
        """Builds the tables.

        Args:
            config: what is played.
            weights: what positions are worth.
        """
        self._config, self._size = config, InputSize.of(config)
        self._features = config.features
        self._heuristic = Heuristic(config.tables, config.rules, weights)

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
        rows, actions, scores = self._scores(observations, masks, rng)
        return actions[best_of_each(scores, rows, len(masks), rng)]

    def act_in(
        self, engine: Engine, games: Indices, seats: Indices, rng: np.random.Generator
    ) -> Indices:
        """Returns a legal action for each decision, [M] (see `EngineAgent.act_in`)."""
        rows, actions = list_legal(engine, games, seats)
        scores = self._score(engine.state, games, seats, rows, actions)
        return actions[best_of_each(scores, rows, len(games), rng)]

    def consider(
        self, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
    ) -> Considered:
        """Returns all legal actions with their scores (see `ConsideringAgent`).

        Raises:
            OptionError: the observation or mask is of another game.
        """
        _, actions, scores = self._scores(observation[None], mask[None], rng)
        by_action = np.zeros(len(mask))
        by_action[actions] = scores
        return Considered.ranked(mask, by_action, self.unit)

    def _scores(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> tuple[Indices, Indices, Scores]:
        """Returns row, action and score of all legal actions, [L], sorted by row."""
        self._size.check(observations, masks)
        # What is drawn for the hidden rest is not looked at.
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
