"""Games of The Castles of Tuscany to draw."""

import numpy as np
import pytest

from gonzaga_env.tabletop.records import Record
from gonzaga_env.tuscany import Game, GameConfig, Options
from gonzaga_env.tuscany.records import Recorder


def play(
    num_players: int, seed: int, moves: int = 100_000, max_laps: int = 100
) -> tuple[Game, Recorder]:
    """Returns a random game after some moves, and what has recorded it."""
    game = Game.from_config(GameConfig(num_players, rules=Options(max_laps=max_laps)), seed)
    names = [f"agent{i}" for i in range(num_players)]
    recorder, rng = Recorder(game, names), np.random.default_rng(seed)
    while not game.finished and moves:
        recorder.play(game.sample_legal(rng))
        moves -= 1
    return game, recorder


@pytest.fixture(scope="session")
def tuscany_record() -> Record:
    """Returns a random game of two players."""
    return play(2, 3)[1].record()
