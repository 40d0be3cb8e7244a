"""Plays positions on to the end of their round by a heuristic, all in one batch of the engine."""

from __future__ import annotations

import numpy as np

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state.state import PLACE, PLAN, State

from ..common.arrays import best_of_each
from .candidates import Indices
from .heuristic import Heuristic, Scores, Weights


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
            noise: scale of the Gumbel noise on the scores of plans, in points: how far
                players stray from the heuristic's best plan.
        """
        self.config = config
        self.heuristic = Heuristic(config.tables, config.rules, weights)
        self._noise = np.float32(noise)

    def placement_scores(
        self, engine: Engine, games: Indices, seats: Indices, promising_only: bool = False
    ) -> tuple[Indices, Indices, Scores]:
        """Returns row among the games, action and score of legal actions, [L], sorted by row."""
        among = self.heuristic.promising if promising_only else None
        rows, actions = engine.legal_actions(games, among)
        values = self.heuristic.values(engine.state, games, seats)
        return rows, actions, self.heuristic.placements(values, rows, actions)

    def draw_plans(self, state: State, rng: np.random.Generator) -> Indices:
        """Returns plans of all seats, [N, P]."""
        games, seats = np.indices(state.plan.shape).reshape(2, -1)
        return self._draw_plans(state, games, seats, rng).reshape(state.plan.shape)

    def _draw_plans(
        self, state: State, games: Indices, seats: Indices, rng: np.random.Generator
    ) -> Indices:
        scores = self.heuristic.legal_plans(state, games, seats)
        scores += self._noise * rng.gumbel(size=scores.shape).astype(np.float32)
        return scores.argmax(axis=1)

    def choose(self, engine: Engine, games: Indices, rng: np.random.Generator) -> Indices:
        """Returns actions of the seats to act in some games, [M]."""
        seats, planning = engine.seats[games], engine.state.phase[games] == PLAN
        if planning.all():
            return self._draw_plans(engine.state, games, seats, rng)
        if planning.any():  # games outside lockstep: kind by kind
            actions = np.empty(len(games), dtype=np.int64)
            for which in (planning, ~planning):
                actions[which] = self.choose(engine, games[which], rng)
            return actions
        rows, actions, scores = self.placement_scores(engine, games, seats, promising_only=True)
        return actions[best_of_each(scores, rows, len(games), rng)]

    def after_plans(self, state: State, plans: Indices) -> Engine:
        """Returns an engine in which plans [N, P] have been revealed; it takes over the state."""
        last = self.config.num_players - 1
        state.plan[:, :last] = plans[:, :last]
        state.num_acted[:] = last
        engine = self.begin(state)
        engine.step(plans[:, last])
        return engine

    def after_placements(self, state: State, actions: Indices) -> Engine:
        """Returns an engine in which the seats to act have placed; it takes over the state."""
        engine = self.begin(state)
        engine.step(actions)
        return engine

    def begin(self, state: State) -> Engine:
        """Returns an engine with positions; it takes over the state."""
        return Engine.from_state(self.config, state, copy=False, check=False, autoreset=False)

    def play_rounds(self, engine: Engine, num_rounds: int, rng: np.random.Generator) -> None:
        """Plays games in the placing phase to the end of this round, and of rounds after it."""
        self.finish_round(engine, rng)
        for _ in range(num_rounds - 1):
            self.finish_plans(engine, rng)
            self.finish_round(engine, rng)

    def finish_plans(self, engine: Engine, rng: np.random.Generator) -> None:
        """Plans until no game is in the planning phase."""
        while True:
            planning = (engine.state.phase == PLAN) & ~engine.state.finished
            games = planning.nonzero()[0]
            if not len(games):
                return
            engine.step(self.choose(engine, games, rng), games)

    def finish_round(self, engine: Engine, rng: np.random.Generator) -> None:
        """Plays placements until no game is in the placing phase."""
        while True:
            placing = (engine.state.phase == PLACE) & ~engine.state.finished
            games = placing.nonzero()[0]
            if not len(games):
                return
            engine.step(self.choose(engine, games, rng), games)
