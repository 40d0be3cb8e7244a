"""Inputs: shapes and dtypes, rows and parts."""

import numpy as np
import pytest
from gonzaga_agents.gonzaga.features import NUM_OWN, NUM_SHARED
from gonzaga_agents.gonzaga.network.choices import CHOICE_FEATURES, NUM_CHOICES
from gonzaga_agents.gonzaga.network.inputs import Inputs
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.gonzaga.network.sites import SITE_FEATURES

from gonzaga_env.core import Engine, GameConfig
from tests.conftest import played


def some_inputs(num_players: int, num_steps: int, num_games: int = 6) -> Inputs:
    engine = played(Engine(num_games, num_players, seed=4), num_steps)
    reader, games = InputReader(engine.config), np.arange(num_games)
    legal = engine.legal_actions()
    return reader.read(engine.state, engine.observe(), games, engine.seats, *legal)


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("in_place_phase", [False, True])
def test_shape_and_dtype_of_every_field(num_players: int, in_place_phase: bool) -> None:
    inputs = some_inputs(num_players, 4 * num_players + num_players * in_place_phase + 1)
    sizes = InputReader(GameConfig(num_players)).sizes
    assert sizes.numbers > num_players * NUM_OWN + NUM_SHARED
    assert (sizes.sites, sizes.secrets) == (48, (num_players - 1) * 4)
    assert {name: (a.shape, a.dtype) for name, a in inputs.arrays().items()} == {
        "numbers": ((6, sizes.numbers), np.float32),
        "sites": ((6, 48, len(SITE_FEATURES)), np.float32),
        "choices": ((6, NUM_CHOICES, len(CHOICE_FEATURES)), np.float32),
        "spots": ((6, NUM_CHOICES, 4), np.uint8),
        "actions": ((6, NUM_CHOICES), np.int16),
        "secrets": ((6, sizes.secrets), np.float32),
    }
    assert len(inputs) == 6
    for name, array in inputs.arrays().items():
        assert np.isfinite(array).all(), name
        assert array.any() or name == "secrets", name


def test_take_returns_rows_and_concatenate_joins_them() -> None:
    whole = some_inputs(3, 9)
    picked = whole.take(np.array([4, 1, 1]))
    parts = Inputs.concatenate([whole.take(slice(0, 2)), whole.take(slice(2, 3)), picked])
    assert (len(picked), len(parts)) == (3, 6)
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(getattr(picked, name), array[[4, 1, 1]])
        np.testing.assert_array_equal(getattr(parts, name), array[[0, 1, 2, 4, 1, 1]])
        assert getattr(parts, name).dtype == array.dtype
