"""Those who play: the engine, PettingZoo environments and the oracle, all at random."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gonzaga_env.core import Engine
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.edition import EDITIONS, Edition
from tests.oracle import OracleEdition, OracleGame


def rate(play: Callable[[], int], seconds: float) -> float:
    """Returns agent steps a second of something that plays a while and returns its steps.

    Args:
        play: called once at least.
        seconds: for how long at least.
    """
    steps, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds or not steps:
        steps += play()
    return steps / elapsed


class EngineGames:
    """N games of the engine, dealt anew when they end, spread over all rounds from the start.

    A game at random lasts 12 rounds nearly always: started together, all would end in one step,
    and a measurement would hold that step or would not.

    Attributes:
        engine: the games.
        observed: whether mask and observation are made at every step.
        steps_a_round: steps that each game takes in a round.
    """

    def __init__(
        self,
        num_games: int,
        num_players: int = 4,
        edition: str | Path | Edition = "europe",
        *,
        observed: bool,
    ) -> None:
        self.observed = observed
        self.engine = engine = Engine(num_games, num_players, edition=edition)
        self.steps_a_round = 2 * num_players
        self.mask = np.empty((num_games, engine.actions.size), dtype=np.bool_)
        self.observation = np.empty((num_games, engine.features.size), dtype=np.uint8)
        self.rng = np.random.default_rng(0)
        self._spread()
        self.play_round()

    def _spread(self) -> None:
        """Plays game i for i % 12 rounds, so that as many games are in each of the twelve."""
        ahead = np.arange(self.engine.num_games) % NUM_FIEFS
        for number in range(1, NUM_FIEFS):
            rows = np.flatnonzero(ahead >= number)
            for _ in range(self.steps_a_round if len(rows) else 0):
                self.engine.step(self.engine.sample_legal(self.rng, rows), rows)

    def play_round(self) -> int:
        """Plays a round, the least that makes up a whole, and returns its agent steps.

        Plans cost less than placements.
        """
        engine = self.engine
        for _ in range(self.steps_a_round):
            if self.observed:
                engine.legal_action_mask(out=self.mask)
                engine.observe(out=self.observation)
            engine.step(engine.sample_legal(self.rng))
        return self.steps_a_round * engine.num_games


class AecGames:
    """One game after the other of a PettingZoo environment; the same loop for every environment."""

    def __init__(self, env: Any) -> None:
        self.env = env
        env.reset(seed=0)
        for seat, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(seat)
        self.play_game()

    def play_game(self) -> int:
        """Plays one game and returns its steps; as nothing follows, no agent is stepped dead."""
        env, steps = self.env, 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            steps += 1
        return steps


class OracleGames:
    """One game after the other of the tests' naive oracle, on the deals of an engine's games."""

    def __init__(self, engine: Engine) -> None:
        self._edition = OracleEdition(EDITIONS / "europe")
        self._deals = [self._deal(engine, game) for game in range(engine.num_games)]
        self._next, self._random = 0, random.Random(0)
        self.play_game()

    def _deal(self, engine: Engine, game: int) -> dict[str, Any]:
        state, printed = engine.state, engine.tables.edition
        return {
            "scenario": printed.scenarios[state.scenario[game]].name,
            "num_players": engine.num_players,
            "decks": (state.deck[game] + 1).tolist(),
            "objectives": [list(printed.objectives[i]) for i in state.objective[game]],
            "sea_league": engine.rules.sea_league,
            "first_check_round": engine.rules.first_check_round,
        }

    def play_game(self) -> int:
        """Plays one game and returns its steps."""
        game, steps = OracleGame(self._edition, **self._deals[self._next]), 0
        self._next = (self._next + 1) % len(self._deals)
        while not game.finished:
            game.play(self._random.choice(list(game.legal_actions())))
            steps += 1
        return steps
