"""The agent "search": Gonzaga's candidates, playouts and value for a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.observe import states_from_observations
from gonzaga_env.core.state import PLAN, State

from ..common.arrays import Indices, Masks, Observations
from ..search.agent import NUM_CANDIDATES, SequentialHalving
from ..search.budget import DEFAULT_BUDGET, Budget
from ..search.root import Floats, Root, best_candidates
from .heuristic import Weights
from .planner import PLANNED
from .playouts import Playouts
from .value import Value

if TYPE_CHECKING:
    from ..network.agent import NetworkAgent

NOISE = 0.5
_PRIOR_WEIGHT = 0.005  # share of the victory that a point of the planner's score stands for
_POLICY_WEIGHT = 0.01  # share of the victory that a policy's odds of e to 1 stand for


class SearchAgent(SequentialHalving):
    """Tries candidates on deals of what is hidden: objectives, decks and sealed plans.

    The others' plans are the planner's, with noise. A playout lasts for three rounds, with small
    budgets for two (see `SequentialHalving`), and its value is the mean of those after each round:
    earlier ones are less noisy, later ones see more.
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        budget: Budget = DEFAULT_BUDGET,
        *,
        policy: NetworkAgent | None = None,
        value: Value | None = None,
        num_rounds: int | None = None,
        num_candidates: int = NUM_CANDIDATES,
        noise: float = NOISE,
        weights: Weights = PLANNED,
    ) -> None:
        """Sets up the search.

        Args:
            config: what is played; by default, four players on "europe".
            budget: of each decision.
            policy: picks the candidates; by default, the planner's scores do.
            value: of positions between rounds; by default the shipped one.
            num_rounds: rounds that a playout lasts (see `SequentialHalving`).
            num_candidates: C, candidates of each decision.
            noise: how far the others' plans stray from the planner's, in points.
            weights: what playouts play by.
        """
        config = config or GameConfig()
        value = Value.shipped(config) if value is None else value
        model = GonzagaModel(config, Playouts(config, weights, noise), value, policy)
        super().__init__(
            config, model, budget, num_rounds=num_rounds, num_candidates=num_candidates
        )


class GonzagaModel:
    """Candidates of the planner or of a policy, and playouts of some rounds."""

    def __init__(
        self,
        config: GameConfig,
        playouts: Playouts,
        value: Value,
        policy: NetworkAgent | None = None,
    ) -> None:
        self._config, self._features = config, config.features
        self._playouts, self._value, self._policy = playouts, value, policy

    def kinds(self, observations: Observations) -> Indices:
        """See `Model.kinds`."""
        return self._features.view(observations, "phase")[:, 0].astype(np.int64)

    def candidates(
        self, seen: Observations, masks: Masks, kind: int, size: int, rng: np.random.Generator
    ) -> tuple[Indices, Floats]:
        """See `Model.candidates`."""
        if self._policy is not None:
            shares = self._policy.evaluate(seen, masks).probabilities
            rows, actions = shares.nonzero()
            scores, weight = np.log(shares[rows, actions]), _POLICY_WEIGHT
        else:
            state = states_from_observations(self._config, seen, rng)
            games, weight = np.arange(len(masks)), _PRIOR_WEIGHT
            seats = self._seats(seen)
            if kind == PLAN:
                rows, actions = masks.nonzero()
                scores = self._playouts.heuristic.legal_plans(state, games, seats)[rows, actions]
            else:
                engine = Engine.from_state(self._config, state, copy=False, check=False)
                rows, actions, scores = self._playouts.placement_scores(engine, games, seats)
        return best_candidates(rows, actions, scores, len(masks), size, weight)

    def play(
        self,
        root: Root,
        decisions: Indices,
        candidates: Indices,
        num_deals: int,
        rng: np.random.Generator,
    ) -> Floats:
        """See `Model.play`."""
        distinct, row = np.unique(decisions, return_inverse=True)
        seen = root.observations[distinct]
        deals = states_from_observations(self._config, seen, rng, num_deals)
        games = (row[:, None] * num_deals + np.arange(num_deals)).reshape(-1)
        each, seats = np.arange(len(games)), self._seats(seen)[row].repeat(num_deals)
        actions = root.actions[decisions, candidates].repeat(num_deals)
        if root.kind == PLAN:
            plans = self._playouts.draw_plans(deals, rng)[games]
            plans[each, seats] = actions
            engine = self._playouts.after_plans(deals.take(games), plans)
        else:
            engine = self._playouts.after_placements(deals.take(games), actions)
        shares = np.zeros(len(games))
        for _ in self._playouts.play_rounds(engine, root.num_rounds, games, rng):
            shares += self._value.shares(engine.state)[each, seats]
        return (shares / root.num_rounds).reshape(-1, num_deals)

    def chances(self, state: State, num_playouts: int, rng: np.random.Generator) -> Floats:
        """See `Model.chances`."""
        engine = self._playouts.begin(state.take(np.arange(len(state.phase)).repeat(num_playouts)))
        self._playouts.finish_plans(engine, rng)
        self._playouts.finish_round(engine, rng)
        shares = self._value.shares(engine.state).astype(np.float64)
        return shares.reshape(-1, num_playouts, shares.shape[1]).mean(axis=1)

    def _seats(self, observations: Observations) -> Indices:
        """Returns the seat to act of each decision, [M]."""
        return self._features.view(observations, "seat").argmax(axis=1)
