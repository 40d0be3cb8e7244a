"""Random games, by names that every release since 0.2.0 has.

    python -P -m benchmarks.speeds.random_games engine_1024 0.6

plays the figure `engine_1024` for 0.6 s and prints its agent steps a second. `PYTHONPATH` says
which release plays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.common.measure import rate
from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine

if TYPE_CHECKING:
    from gonzaga_env.core import Edition

_ROUNDS = 12  # four random players nearly always play all of them
RANDOM_GAME_STEPS = 2 * 4 * _ROUNDS


class EngineGames:
    """N games of the engine with autoreset, spread over all rounds.

    Random games last twelve rounds. Started together, all would end in the same step, and one
    measurement would hold that step while another would not.

    Attributes:
        engine: the games.
        observed: whether every step makes mask and observation.
        seen: the last mask and observation.
    """

    def __init__(
        self,
        num_games: int,
        num_players: int = 4,
        edition: str | Path | Edition = "europe",
        *,
        observed: bool = True,
        allocate: bool = False,
    ) -> None:
        """Deals the games; with `allocate`, every step makes new arrays instead of using `out`."""
        self.engine = engine = Engine(num_games, num_players, edition=edition)
        self.observed, self.steps_a_round = observed, 2 * num_players
        self.rng = np.random.default_rng(0)
        mask = np.empty((num_games, engine.actions.size), dtype=np.bool_)
        observation = np.empty((num_games, engine.features.size), dtype=np.uint8)
        self.seen = mask, observation
        self._out = (None, None) if allocate else self.seen
        ahead = np.arange(num_games) % _ROUNDS  # rounds that each game is ahead of game 0
        for number in range(1, _ROUNDS):
            rows = np.flatnonzero(ahead >= number)
            for _ in range(self.steps_a_round if len(rows) else 0):
                engine.step(engine.sample_legal(self.rng, rows), rows)
        self.play_round()

    def play_round(self) -> int:
        """Plays one round, since plans cost less than placements; returns the agent steps."""
        engine, (mask, observation) = self.engine, self._out
        for _ in range(self.steps_a_round):
            if self.observed:
                self.seen = engine.legal_action_mask(out=mask), engine.observe(out=observation)
            engine.step(engine.sample_legal(self.rng))
        return self.steps_a_round * engine.num_games


def aec_games(env: Any) -> Callable[[], int]:
    """Returns a function that plays one game of a PettingZoo environment and returns its steps."""
    env.reset(seed=0)
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)

    def play_game() -> int:
        steps = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            steps += 1
        return steps

    play_game()
    return play_game


def main(figure: str, seconds: str) -> None:
    """Prints the agent steps a second of `raw_env` or of `engine_` and a number of games."""
    if figure == "raw_env":
        play = aec_games(gonzaga_v0.raw_env())
    else:
        play = EngineGames(int(figure.removeprefix("engine_"))).play_round
    for _ in range(3):
        play()  # tables and caches are set up from now on
    print(rate(play, float(seconds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
