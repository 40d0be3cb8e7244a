"""The agent "search": candidates, playouts and value of The Castles of Tuscany for a search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.rewards import win_shares
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.state.from_observations import states_from_observations
from gonzaga_env.tuscany.state.state import CASTLE_TILE, CITY_BONUS, MAIN, MARBLE

from ..network.agent import NetworkAgent
from ..search.agent import SequentialHalving
from ..search.budget import DEFAULT_BUDGET, NAME, Budget
from ..search.root import Floats, Indices, Root, best_candidates
from .network.plain import shipped_policy
from .planner import PlannerAgent
from .value import Floats as Scores
from .value import Value

_NUM_CANDIDATES = 4  # as playouts are noisy, few are told apart better
_PRIOR_WEIGHT = 0.03  # share of the victory that a point of the planner's score stands for
_POLICY_WEIGHT = 0.05  # share that a policy's log-probability stands for
_POINTS_APART = 7.0  # margin of points at which odds of winning change by e
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
        policy: NetworkAgent | None = None,
        value: Value | None = None,
        num_rounds: int = 1,
        num_candidates: int = _NUM_CANDIDATES,
    ) -> None:
        """Sets up the search.

        Args:
            config: what is played; by default, four players.
            budget: of each decision.
            policy: picks candidates, and says what positions are worth where playouts end; by
                default the shipped one.
            value: of positions where playouts end, with the planner's candidates; by default, only
                where no policy ships for the game.
            num_rounds: how long playouts are: laps with a policy, turns without one.
            num_candidates: C, candidates of each decision.
        """
        config = config or GameConfig()
        if policy is None and value is None:
            policy = shipped_policy(config)
        if policy is not None:
            model: TuscanyModel = PolicyModel(config, policy)
        else:
            model = TuscanyModel(config, Value.shipped(config) if value is None else value)
        super().__init__(
            config, model, budget, num_rounds=num_rounds, num_candidates=num_candidates
        )
        self.name = NAME if budget == DEFAULT_BUDGET else f"{NAME}@{budget}"


class TuscanyModel:
    """The planner's candidates and playouts."""

    def __init__(self, config: GameConfig, value: Value) -> None:
        self._config, self._value, self._planner = config, value, PlannerAgent(config)
        self._turns = 1

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
        scores = self._priors(observations, masks)[rows, actions]
        size = size if kind in _SEARCHED else 1
        return best_candidates(rows, actions, scores, len(masks), size, 1.0)

    def _priors(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Scores:
        """Returns what each action is worth before a search, in shares of the victory, [M, A]."""
        return self._planner.scores(observations, masks) * np.float32(_PRIOR_WEIGHT)

    def _shares(self, engine: Engine) -> Scores:
        """Returns what share of the victory seat 0 may expect, [N]."""
        shares: Scores = self._value.shares(engine.state)[:, 0]
        return shares

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
        turns = np.full(engine.num_games, root.num_rounds * self._turns)
        turns -= engine.state.seat != 0
        while len(running := (~engine.state.finished & (turns > 0)).nonzero()[0]):
            seats = engine.state.seat[running]
            seen, masks = engine.observe(rows=running), engine.legal_action_mask(running)
            engine.step(self._planner.act(seen, masks, rng), running)
            turns[running] -= engine.state.seat[running] != seats
        return self._shares(engine).astype(np.float64).reshape(-1, num_deals)


class PolicyModel(TuscanyModel):
    """A policy's candidates, and what it expects at the own next turn; the planner's playouts."""

    def __init__(self, config: GameConfig, policy: NetworkAgent) -> None:
        self._config, self._policy, self._planner = config, policy, PlannerAgent(config)
        self._turns = config.num_players

    def _priors(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Scores:
        found = self._policy.evaluate(observations, masks).probabilities
        return np.log(found + np.float32(1e-9)) * np.float32(_POLICY_WEIGHT)

    def _shares(self, engine: Engine) -> Scores:
        state = engine.state
        shares = win_shares(engine.winners())[:, 0].astype(np.float32)
        if len(rows := (~state.finished).nonzero()[0]):
            totals = state.totals[rows].astype(np.float32)
            ahead = (totals[:, 0] - totals[:, 1:].mean(axis=1)) + self._expected(engine, rows)
            odds = np.exp(ahead / _POINTS_APART) / (self._config.num_players - 1)
            shares[rows] = odds / (1 + odds)
        return shares

    def _expected(self, engine: Engine, rows: Indices) -> Scores:
        """Returns by how many points seat 0 is expected to get further ahead."""
        seen = engine.observe(0, rows), engine.legal_action_mask(rows)
        values: Scores = self._policy.evaluate(*seen).values
        return values
