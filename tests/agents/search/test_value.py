"""The value: shares of the victory, shipped for every number of players."""

from __future__ import annotations

import numpy as np
import pytest
from gonzaga_agents.search.value import Value

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.rules.scoring import win_shares, winners
from gonzaga_env.core.state.state import PLAN, State


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_shares_are_shares_and_those_of_the_winners_at_the_end(num_players: int) -> None:
    config = GameConfig(num_players)
    engine = Engine.from_config(config, 8, seed=2, autoreset=False)
    value, rng, moments = Value.shipped(config), np.random.default_rng(2), []
    while not engine.state.finished.all():
        if engine.state.num_acted[0] == 0 and engine.state.phase[0] == PLAN:
            moments.append(engine.state.copy())
        engine.step(engine.sample_legal(rng))
    state = State.concatenate([*moments, engine.state])
    shares = value.shares(state)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-5)
    over = state.finished
    final = win_shares(winners(engine.tables, state))
    np.testing.assert_allclose(shares[over], final[over])
    assert (shares[~over] > 0).all()


def test_leading_by_much_is_worth_more() -> None:
    config = GameConfig(4)
    engine, rng = Engine.from_config(config, 20, seed=3), np.random.default_rng(3)
    for _ in range(8 * 6):
        engine.step(engine.sample_legal(rng))
    state = engine.state.copy()
    before = Value.shipped(config).shares(state)
    state.scores[:, 2, 0] += 25
    after = Value.shipped(config).shares(state)
    assert (after[:, 2] > before[:, 2]).all()


def test_seats_are_treated_alike() -> None:
    """Turning the seats of a position turns its shares."""
    config = GameConfig(3)
    engine, rng = Engine.from_config(config, 8, seed=5), np.random.default_rng(5)
    for _ in range(6 * 5):
        engine.step(engine.sample_legal(rng))
    state, value = engine.state, Value.shipped(config)
    turned = state.copy()
    by_seat = [
        name
        for name, array in state.arrays().items()
        if array.ndim > 1 and array.shape[1] == 3 and name != "order"
    ]
    for name in by_seat:
        getattr(turned, name)[:] = np.roll(getattr(state, name), 1, axis=1)
    shares = np.roll(value.shares(state), 1, axis=1)
    np.testing.assert_allclose(value.shares(turned), shares, rtol=1e-4)
