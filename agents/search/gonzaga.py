"""The agent "search": Gonzaga's candidates, playouts and value for a search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.observe import states_from_observations
from gonzaga_env.core.state import PLACE, PLAN, State

from ..arrays import Indices, Masks, Observations, best_of_each
from ..heuristics.gonzaga import PLANNED
from ..heuristics.gonzaga_scores import Heuristic, Scores, Weights, candidate_tables
from ..heuristics.gonzaga_value import Value
from .sequential_halving import (
    DEFAULT_BUDGET,
    NUM_CANDIDATES,
    Budget,
    Floats,
    Root,
    SequentialHalving,
    best_candidates,
)

if TYPE_CHECKING:
    from ..network.agent import NetworkAgent


class PlayoutNoise:
    """How far seats stray from their best plans, and how they break ties, in a round of playouts.

    Playouts of one deal have the same noise, so that it cancels in their differences.
    """

    def __init__(self, deals: Indices, num_players: int, rng: np.random.Generator) -> None:
        """Draws the noise of a round, given the deal of each game, 0 to D - 1, [N]."""
        self._deals, shape = deals, (int(deals.max(initial=-1)) + 1, num_players)
        self._noise = rng.gumbel(size=(*shape, NUM_PLANS)).astype(np.float32)
        self._ties = rng.random(shape)

    def gumbel(self, games: Indices, seats: Indices) -> Scores:
        """Returns Gumbel noise on the scores of the plans of M seats, [M, 42]."""
        return self._noise[self._deals[games], seats]

    def ties(self, games: Indices, seats: Indices) -> NDArray[np.float64]:
        """Returns numbers from 0 to 1 that break ties of M seats, [M]."""
        return self._ties[self._deals[games], seats]


class Playouts:
    """The policy of all seats in playouts.

    Attributes:
        config: what is played.
        heuristic: scores plans and placements.
    """

    def __init__(self, config: GameConfig, weights: Weights, noise: float) -> None:
        """Sets up the policy.

        Args:
            config: what is played.
            weights: what positions are worth.
            noise: scale of the Gumbel noise on the scores of plans, in points.
        """
        self.config = config
        self.heuristic = Heuristic(config.tables, config.rules, weights)
        self._noise = np.float32(noise)

    def placement_scores(
        self, engine: Engine, games: Indices, seats: Indices, promising_only: bool = False
    ) -> tuple[Indices, Indices, Scores]:
        """Returns row among the games, action and score of legal actions, [L], sorted by row."""
        among = candidate_tables(self.heuristic.tables).promising if promising_only else None
        rows, actions = engine.legal_actions(games, among)
        values = self.heuristic.values(engine.state, games, seats)
        return rows, actions, self.heuristic.placements(values, rows, actions)

    def draw_plans(self, state: State, rng: np.random.Generator) -> Indices:
        """Returns plans of all seats, [N, P]."""
        games, seats = np.indices(state.plan.shape).reshape(2, -1)
        return self._draw_plans(state, games, seats, rng).reshape(state.plan.shape)

    def _draw_plans(
        self,
        state: State,
        games: Indices,
        seats: Indices,
        noise: np.random.Generator | PlayoutNoise,
    ) -> Indices:
        scores = self.heuristic.legal_plans(state, games, seats)
        if isinstance(noise, PlayoutNoise):
            scores += self._noise * noise.gumbel(games, seats)
        else:
            scores += self._noise * noise.gumbel(size=scores.shape).astype(np.float32)
        return scores.argmax(axis=1)

    def choose(
        self, engine: Engine, games: Indices, noise: np.random.Generator | PlayoutNoise
    ) -> Indices:
        """Returns actions of the seats to act in some games, [M]."""
        seats, planning = engine.seats[games], engine.state.phase[games] == PLAN
        if planning.all():
            return self._draw_plans(engine.state, games, seats, noise)
        if planning.any():  # games outside lockstep: kind by kind
            actions = np.empty(len(games), dtype=np.int64)
            for which in (planning, ~planning):
                actions[which] = self.choose(engine, games[which], noise)
            return actions
        rows, actions, scores = self.placement_scores(engine, games, seats, promising_only=True)
        ties = noise.ties(games, seats) if isinstance(noise, PlayoutNoise) else None
        return actions[best_of_each(scores, rows, len(games), ties)]

    def after_plans(self, state: State, plans: Indices) -> Engine:
        """Returns an engine in which plans [N, P] have been revealed; it takes over the state."""
        last = self.config.num_players - 1
        state.plan[:, :last] = plans[:, :last]
        state.num_acted[:] = last
        engine = self.begin(state)
        engine.step(plans[:, last])
        return engine

    def begin(self, state: State) -> Engine:
        """Returns an engine with positions; it takes over the state."""
        return Engine.from_state(self.config, state, copy=False, check=False, autoreset=False)

    def play_rounds(
        self, engine: Engine, num_rounds: int, deals: Indices, rng: np.random.Generator
    ) -> Iterator[int]:
        """Plays games in the placing phase on, and yields after each round how many were played.

        Games of one deal, 0 to D - 1, [N], have the same noise.
        """
        for number in range(num_rounds):
            noise = PlayoutNoise(deals, self.config.num_players, rng)
            if number:
                self._plan_round(engine, noise)
            self.finish_round(engine, noise)
            yield number + 1

    def _plan_round(self, engine: Engine, noise: PlayoutNoise) -> None:
        """Plans for all seats of games between rounds; plans are sealed, so they are drawn once."""
        running = (~engine.state.finished).nonzero()[0]
        if not len(running):
            return
        num_players = self.config.num_players
        games, seats = running.repeat(num_players), np.tile(np.arange(num_players), len(running))
        plans = self._draw_plans(engine.state, games, seats, noise).reshape(-1, num_players)
        for _ in range(num_players):
            engine.step(plans[np.arange(len(running)), engine.seats[running]], running)

    def finish_plans(self, engine: Engine, noise: np.random.Generator | PlayoutNoise) -> None:
        """Plans until no game is in the planning phase."""
        self._finish(engine, PLAN, noise)

    def finish_round(self, engine: Engine, noise: np.random.Generator | PlayoutNoise) -> None:
        """Plays placements until no game is in the placing phase."""
        self._finish(engine, PLACE, noise)

    def _finish(
        self, engine: Engine, phase: int, noise: np.random.Generator | PlayoutNoise
    ) -> None:
        while True:
            games = ((engine.state.phase == phase) & ~engine.state.finished).nonzero()[0]
            if not len(games):
                return
            engine.step(self.choose(engine, games, noise), games)


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
            engine = self._playouts.begin(deals.take(games))
            engine.step(actions)
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
