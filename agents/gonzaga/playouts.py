"""Plays positions on to the end of their round by a heuristic, all in one batch of the engine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state import PLACE, PLAN, State

from ..common.arrays import Floats, Indices, best_of_each
from .heuristic import Heuristic, Scores, Weights


class Luck:
    """How far seats stray from their best plans, and how they break ties, in a round of playouts.

    Playouts of one deal have the same luck, so that it cancels in their differences.
    """

    def __init__(self, deals: Indices, num_players: int, rng: np.random.Generator) -> None:
        """Draws the luck of a round.

        Args:
            deals: of each game, 0 to D - 1, [N].
            num_players: P.
            rng: the source of all randomness.
        """
        self._deals, shape = deals, (int(deals.max(initial=-1)) + 1, num_players)
        self._noise = rng.gumbel(size=(*shape, NUM_PLANS)).astype(np.float32)
        self._ties = rng.random(shape)

    def noise(self, games: Indices, seats: Indices) -> Floats:
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
        self, state: State, games: Indices, seats: Indices, luck: np.random.Generator | Luck
    ) -> Indices:
        scores = self.heuristic.legal_plans(state, games, seats)
        if isinstance(luck, Luck):
            scores += self._noise * luck.noise(games, seats)
        else:
            scores += self._noise * luck.gumbel(size=scores.shape).astype(np.float32)
        return scores.argmax(axis=1)

    def choose(self, engine: Engine, games: Indices, luck: np.random.Generator | Luck) -> Indices:
        """Returns actions of the seats to act in some games, [M]."""
        seats, planning = engine.seats[games], engine.state.phase[games] == PLAN
        if planning.all():
            return self._draw_plans(engine.state, games, seats, luck)
        if planning.any():  # games outside lockstep: kind by kind
            actions = np.empty(len(games), dtype=np.int64)
            for which in (planning, ~planning):
                actions[which] = self.choose(engine, games[which], luck)
            return actions
        rows, actions, scores = self.placement_scores(engine, games, seats, promising_only=True)
        ties = luck.ties(games, seats) if isinstance(luck, Luck) else luck
        return actions[best_of_each(scores, rows, len(games), ties)]

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

    def play_rounds(
        self, engine: Engine, num_rounds: int, deals: Indices, rng: np.random.Generator
    ) -> Iterator[int]:
        """Plays games in the placing phase on, and yields after each round how many were played.

        Args:
            engine: N games.
            num_rounds: how many rounds, this one included.
            deals: of each game, 0 to D - 1, [N]; those of one deal have the same luck.
            rng: the source of all randomness.
        """
        for number in range(num_rounds):
            luck = Luck(deals, self.config.num_players, rng)
            if number:
                self._plan_round(engine, luck)
            self.finish_round(engine, luck)
            yield number + 1

    def _plan_round(self, engine: Engine, luck: Luck) -> None:
        """Plans for all seats of games between rounds; plans are sealed, so they are drawn once."""
        running = (~engine.state.finished).nonzero()[0]
        if not len(running):
            return
        num_players = self.config.num_players
        games, seats = running.repeat(num_players), np.tile(np.arange(num_players), len(running))
        plans = self._draw_plans(engine.state, games, seats, luck).reshape(-1, num_players)
        for _ in range(num_players):
            engine.step(plans[np.arange(len(running)), engine.seats[running]], running)

    def finish_plans(self, engine: Engine, luck: np.random.Generator | Luck) -> None:
        """Plans until no game is in the planning phase."""
        self._finish(engine, PLAN, luck)

    def finish_round(self, engine: Engine, luck: np.random.Generator | Luck) -> None:
        """Plays placements until no game is in the placing phase."""
        self._finish(engine, PLACE, luck)

    def _finish(self, engine: Engine, phase: int, luck: np.random.Generator | Luck) -> None:
        while True:
            games = ((engine.state.phase == phase) & ~engine.state.finished).nonzero()[0]
            if not len(games):
                return
            engine.step(self.choose(engine, games, luck), games)
