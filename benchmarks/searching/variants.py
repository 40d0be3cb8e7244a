"""The variants of search that were tried beside the shipped one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from gonzaga_agents.gonzaga.candidates import Indices
from gonzaga_agents.gonzaga.heuristic import IMMEDIATE, Scores
from gonzaga_agents.gonzaga.planner import PLANNED, PlannerAgent
from gonzaga_agents.gonzaga.playouts import Playouts
from gonzaga_agents.gonzaga.value import Value
from gonzaga_agents.search.agent import NOISE, SearchAgent
from gonzaga_agents.search.budget import Budget
from gonzaga_agents.search.guides import HeuristicGuide, best_candidates
from gonzaga_agents.search.root import Floats, Root
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.batch.scoring import winners
from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.state.from_observations import states_from_observations
from gonzaga_env.core.state.state import PLAN, State
from gonzaga_env.tabletop.rewards import win_shares

_POINT = 0.005  # share of the victory that a point of the planner's score stands for
_POINTS_PER_E = 12  # points ahead that multiply the odds of winning by e


@dataclass(frozen=True)
class Variant:
    """A search that differs from the shipped one in one thing.

    Attributes:
        name: what differs.
        build: makes the agent.
    """

    name: str
    build: Callable[[GameConfig, Budget], SearchAgent]


def _with(**options: Any) -> Callable[[GameConfig, Budget], SearchAgent]:
    """Returns what builds a search with other options."""
    return lambda config, budget: SearchAgent(config, budget, **options)


def _guided(
    kind: type[HeuristicGuide], **options: Any
) -> Callable[[GameConfig, Budget], SearchAgent]:
    """Returns what builds a search with another guide."""

    def build(config: GameConfig, budget: Budget) -> SearchAgent:
        playouts = Playouts(config, PLANNED, NOISE)
        guide = kind(config, playouts, Value.shipped(config))
        return SearchAgent(config, budget, guide, **options)

    return build


# ------------------------------------------------------------------ prior and leaf


class NoPrior(HeuristicGuide):
    """The planner picks the candidates and adds nothing to their estimates."""

    def candidates(self, *arguments: Any) -> tuple[Indices, Floats]:
        """Returns candidates [M, C] and zeros."""
        actions, priors = super().candidates(*arguments)
        return actions, np.zeros_like(priors)


class DoublePrior(HeuristicGuide):
    """The prior counts twice."""

    def candidates(self, *arguments: Any) -> tuple[Indices, Floats]:
        """Returns candidates and their doubled priors, both [M, C]."""
        actions, priors = super().candidates(*arguments)
        return actions, 2 * priors


class PointsLeaf(HeuristicGuide):
    """Values positions by the points that everybody has, squashed."""

    def values(self, engine: Engine, seats: Indices) -> Floats:
        """Returns shares by a softmax over points, [N]."""
        games = np.arange(len(seats))
        totals = engine.state.totals / _POINTS_PER_E
        shares = np.exp(totals - totals.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        over = engine.state.finished.nonzero()[0]
        shares[over] = win_shares(winners(engine.tables, engine.state))[over]
        return shares[games, seats]


class RivalPlayouts(Playouts):
    """Scores plans as the planner does: less where others are likely to place first."""

    def __init__(self, config: GameConfig) -> None:
        """Builds the planner."""
        super().__init__(config, PLANNED, NOISE)
        self._planner = PlannerAgent(config)

    def plan_scores(self, state: State, games: Indices, seats: Indices) -> Scores:
        """Returns the scores of one seat per game, [M, 42]; -inf for illegal plans."""
        plain = super().plan_scores(state, games, seats)
        weighed = self._planner._plan_scores(state, games, seats)
        return np.where(plain > -np.inf, weighed, plain)


def _with_rivals(in_playouts: bool) -> Callable[[GameConfig, Budget], SearchAgent]:
    """Returns what builds a search whose candidates, or all plans, weigh rivals."""

    def build(config: GameConfig, budget: Budget) -> SearchAgent:
        playouts = RivalPlayouts(config)
        guide = HeuristicGuide(config, playouts, Value.shipped(config))
        agent = SearchAgent(config, budget, guide)
        if in_playouts:
            agent._playouts = playouts
        return agent

    return build


# ------------------------------------------------------------------ allocation


class Uniform(SearchAgent):
    """Tries all candidates on equally many deals."""

    def _stages(self, root: Root) -> Iterator[int]:
        simulations = self._budget.simulations or 0
        yield max(1, simulations // root.actions.shape[1])


class Ucb(SearchAgent):
    """Tries the two candidates of each decision with the highest bounds, by UCB1."""

    exploration = 0.1  # shares of the victory; a playout's value strays about as far
    num_deals = 2

    def _compare(self, root: Root, phase: int, rng: np.random.Generator) -> None:
        num_contested = int(root.contested().any(axis=1).sum())
        budget = (self._budget.simulations or 0) * num_contested
        candidates = root.alive.copy()
        self._try(root, phase, self.num_deals, rng)
        while root.visits.sum() < budget:
            visits = np.maximum(root.visits, 1)
            total = root.visits.sum(axis=1, keepdims=True)
            width = np.sqrt(np.log(total) / visits)
            bounds = root.estimates() + self.exploration * width
            rank = (-bounds).argsort(axis=1).argsort(axis=1)
            root.alive[:] = candidates & (rank < 2)
            self._try(root, phase, self.num_deals, rng)
        root.alive[:] = candidates


class IndependentDeals(SearchAgent):
    """Deals anew for each candidate, so that luck does not cancel."""

    def _play(
        self,
        root: Root,
        tried: NDArray[np.bool_],
        phase: int,
        decisions: Indices,
        num_deals: int,
        rng: np.random.Generator,
    ) -> None:
        number = tried.cumsum(axis=1)  # 1 for the first candidate tried, and so on
        for k in range(1, number[decisions].max() + 1):
            one = tried & (number == k)
            rows = decisions[one[decisions].any(axis=1)]
            super()._play(root, one, phase, rows, num_deals, rng)


# ------------------------------------------------------------------ own placements


class BetterPlacements(SearchAgent):
    """Follows each plan by the better of two placements, as a search of the placement would.

    A playout with both placements counts as two.
    """

    num_placements = 2

    def _try(self, root: Root, phase: int, num_deals: int, rng: np.random.Generator) -> None:
        if phase != PLAN:
            super()._try(root, phase, num_deals, rng)
            return
        num_deals = max(1, num_deals // self.num_placements)
        deals = states_from_observations(self._config, root.observations, rng, num_deals)
        row, candidate = root.contested().nonzero()
        games = (row[:, None] * num_deals + np.arange(num_deals)).reshape(-1)
        seats = root.seats[row].repeat(num_deals)
        plans = self._playouts.draw_plans(deals, rng)[games]
        plans[np.arange(len(games)), seats] = root.actions[row, candidate].repeat(num_deals)
        engine = self._playouts.after_plans(deals.take(games), plans)
        values = self._best_values(engine, seats, root.num_rounds, rng).reshape(-1, num_deals)
        root.totals[row, candidate] += values.sum(axis=1) * self.num_placements
        root.visits[row, candidate] += num_deals * self.num_placements

    def _best_values(
        self, engine: Engine, seats: Indices, num_rounds: int, rng: np.random.Generator
    ) -> Floats:
        """Returns the value of each game's better placement by its seat, [N]."""
        while len(games := (engine.seats != seats).nonzero()[0]):
            engine.step(self._playouts.choose(engine, games, rng), games)
        num_games, size = len(seats), self.num_placements
        everyone = np.arange(num_games)
        rows, actions, scores = self._playouts.placement_scores(engine, everyone, seats, True)
        best, _ = best_candidates(rows, actions, scores, num_games, size, 1.0)
        best = np.where(best < 0, best[:, :1], best)
        forked = engine.state.take(everyone.repeat(best.shape[1]))
        after = self._playouts.after_placements(forked, best.reshape(-1))
        self._playouts.play_rounds(after, num_rounds, rng)
        values = self._guide.values(after, seats.repeat(best.shape[1]))
        return values.reshape(best.shape).max(axis=1)


# ------------------------------------------------------------------ the others' plans


class ResponsivePlans(SearchAgent):
    """Lets all seats respond to what their plans have brought in this decision's playouts.

    The value says every seat's share after each playout. Plans of all seats are drawn by the
    planner's scores plus what a plan brought its seat more than its other plans did, shrunk while
    few playouts know it: a softmax best response for each seat, over the round's simultaneous
    plans. Objectives stay hidden: what a plan brings is a mean over deals.
    """

    trust = 8  # playouts after which what a plan brought counts half

    def __init__(self, config: GameConfig, budget: Budget) -> None:
        """Sets up the search."""
        super().__init__(config, budget)
        self._value = Value.shipped(config)

    def _compare(self, root: Root, phase: int, rng: np.random.Generator) -> None:
        shape = root.num_decisions, self._config.num_players, NUM_PLANS
        self._brought, self._tried = np.zeros(shape), np.zeros(shape)
        super()._compare(root, phase, rng)

    def _try(self, root: Root, phase: int, num_deals: int, rng: np.random.Generator) -> None:
        if phase != PLAN:
            super()._try(root, phase, num_deals, rng)
            return
        deals = states_from_observations(self._config, root.observations, rng, num_deals)
        row, candidate = root.contested().nonzero()
        games = (row[:, None] * num_deals + np.arange(num_deals)).reshape(-1)
        seats = root.seats[row].repeat(num_deals)
        plans = self._draw(deals, num_deals, rng)[games]
        plans[np.arange(len(games)), seats] = root.actions[row, candidate].repeat(num_deals)
        engine = self._playouts.after_plans(deals.take(games), plans)
        self._playouts.play_rounds(engine, root.num_rounds, rng)
        shares = self._value.shares(engine.state).astype(np.float64)
        values = shares[np.arange(len(games)), seats]
        root.totals[row, candidate] += values.reshape(-1, num_deals).sum(axis=1)
        root.visits[row, candidate] += num_deals
        at = (games // num_deals)[:, None], np.arange(self._config.num_players), plans
        np.add.at(self._brought, at, shares)
        np.add.at(self._tried, at, 1)

    def _draw(self, deals: State, num_deals: int, rng: np.random.Generator) -> Indices:
        """Returns plans of all seats, [M * num_deals, P]."""
        games, seats = np.indices(deals.plan.shape).reshape(2, -1)
        scores: Scores = self._playouts.plan_scores(deals, games, seats)
        scores += (self._gains() / _POINT)[games // num_deals, seats]
        scores += NOISE * rng.gumbel(size=scores.shape)
        return scores.argmax(axis=1).reshape(deals.plan.shape)

    def _gains(self) -> Floats:
        """Returns what each plan brought beyond the mean of its seat, shrunk, [M, P, 42]."""
        tried = self._tried
        mean = self._brought.sum(axis=2, keepdims=True) / np.maximum(
            tried.sum(axis=2, keepdims=True), 1
        )
        gain = self._brought / np.maximum(tried, 1) - mean
        return np.where(tried > 0, gain, 0) * tried / (tried + self.trust)


VARIANTS = (
    Variant("as shipped", _with()),
    Variant("without the prior in the estimates", _guided(NoPrior)),
    Variant("the prior doubled", _guided(DoublePrior)),
    Variant("4 candidates", _with(num_candidates=4)),
    Variant("12 candidates", _with(num_candidates=12)),
    Variant("20 candidates", _with(num_candidates=20)),
    Variant("the others' plans without noise", _with(noise=0.0)),
    Variant("the others' plans with three times the noise", _with(noise=1.5)),
    Variant("candidates that weigh rivals", _with_rivals(in_playouts=False)),
    Variant("all plans weigh rivals", _with_rivals(in_playouts=True)),
    Variant("uniform allocation", Uniform),
    Variant("UCB1", Ucb),
    Variant("deals of its own for each candidate", IndependentDeals),
    Variant("greedy playouts", _guided(HeuristicGuide, weights=IMMEDIATE)),
    Variant("leaves valued by points", _guided(PointsLeaf)),
    Variant("playouts of one round", _with(num_rounds=1)),
    Variant("playouts to the end of the game", _with(num_rounds=NUM_FIEFS)),
    Variant("plans followed by the better of two placements", BetterPlacements),
    Variant("all seats respond to each other's plans", ResponsivePlans),
)
"""The shipped search comes first; the others are compared with it."""
