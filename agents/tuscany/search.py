"""The agent "search": candidates, playouts and value of The Castles of Tuscany for a search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.state.from_observations import states_from_observations
from gonzaga_env.tuscany.state.state import CASTLE_TILE, CITY_BONUS, MAIN, MARBLE

from ..search.agent import NUM_CANDIDATES, SequentialHalving
from ..search.budget import DEFAULT_BUDGET, NAME, Budget
from ..search.root import Floats, Indices, Root, best_candidates
from .planner import PlannerAgent
from .value import Value

_PRIOR_WEIGHT = 0.01  # share of the victory that a point of the planner's score stands for
_TURNS = 1  # that a round of a playout lasts, the running one included
_SEARCHED = (MAIN, CITY_BONUS, CASTLE_TILE, MARBLE)
"""Kinds of decisions that are worth a search; in all others, the planner decides."""


class SearchAgent(SequentialHalving):
    """Tries candidates on deals of what is hidden, and plays on as the planner does.

    Attributes:
        name: "search", with its budget if that is not the default one ("search@16").
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        budget: Budget = DEFAULT_BUDGET,
        *,
        value: Value | None = None,
        num_rounds: int | None = None,
        num_candidates: int = NUM_CANDIDATES,
    ) -> None:
        """Sets up the search.

        Args:
            config: what is played; by default, four players.
            budget: of each decision.
            value: of positions where playouts end; by default the shipped one.
            num_rounds: how long playouts are (see `SequentialHalving`).
            num_candidates: C, candidates of each decision.
        """
        config = config or GameConfig()
        model = TuscanyModel(config, Value.shipped(config) if value is None else value)
        super().__init__(
            config, model, budget, num_rounds=num_rounds, num_candidates=num_candidates
        )
        self.name = NAME if budget == DEFAULT_BUDGET else f"{NAME}@{budget}"


class TuscanyModel:
    """The planner's candidates and playouts."""

    def __init__(self, config: GameConfig, value: Value) -> None:
        self._config, self._value, self._planner = config, value, PlannerAgent(config)

    def kinds(self, observations: NDArray[np.uint8]) -> Indices:
        """See `Model.kinds`."""
        return self._config.features.view(observations, "kind").argmax(axis=1)

    def candidates(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        kind: int,
        size: int,
        rng: np.random.Generator,
    ) -> tuple[Indices, Floats]:
        """See `Model.candidates`."""
        rows, actions = masks.nonzero()
        scores = self._planner.scores(observations, masks)[rows, actions]
        size = size if kind in _SEARCHED else 1
        return best_candidates(rows, actions, scores, len(masks), size, _PRIOR_WEIGHT)

    def play(
        self,
        root: Root,
        decisions: Indices,
        candidates: Indices,
        num_deals: int,
        rng: np.random.Generator,
    ) -> Floats:
        """See `Model.play`; the observing seat is seat 0 of the states that are drawn."""
        distinct, row = np.unique(decisions, return_inverse=True)
        deals = states_from_observations(self._config, root.observations[distinct], rng, num_deals)
        games = (row[:, None] * num_deals + np.arange(num_deals)).reshape(-1)
        engine = Engine.from_state(
            self._config, deals.take(games), autoreset=False, copy=False, check=False
        )
        engine.step(root.actions[decisions, candidates].repeat(num_deals))
        turns = np.full(engine.num_games, root.num_rounds * _TURNS)
        turns -= engine.state.seat != 0
        while len(running := (~engine.state.finished & (turns > 0)).nonzero()[0]):
            seats = engine.state.seat[running]
            seen, masks = engine.observe(rows=running), engine.legal_action_mask(running)
            engine.step(self._planner.act(seen, masks, rng), running)
            turns[running] -= engine.state.seat[running] != seats
        return self._value.shares(engine.state)[:, 0].astype(np.float64).reshape(-1, num_deals)
