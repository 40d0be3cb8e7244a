"""The network's policy and values, in the units of its reward."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from gonzaga_agents.network.agent import VALUE_UNITS, NetworkAgent
from gonzaga_agents.network.network import Network

from gonzaga_env.core import Engine
from gonzaga_env.core.errors import OptionError
from gonzaga_env.core.rules.rewards import Reward


@pytest.fixture(scope="module")
def engine() -> Engine:
    """Returns games in mixed phases."""
    engine, rng = Engine(16, 3, seed=1), np.random.default_rng(0)
    for _ in range(9):
        rows = np.flatnonzero(rng.random(16) < 0.7)
        engine.step(engine.sample_legal(rng, rows), rows)
    return engine


def agent(engine: Engine, reward: Reward = "margin", scale: float = 1.0) -> NetworkAgent:
    torch.manual_seed(0)
    network = Network(engine.tables, 3, width=16)
    return NetworkAgent(network, "network", True, reward, scale)


def test_probabilities_are_a_policy_over_legal_actions(engine: Engine) -> None:
    masks = engine.legal_action_mask()
    found = agent(engine).evaluate(engine.observe(), masks)
    assert found.probabilities.shape == masks.shape
    assert (found.probabilities[~masks] == 0).all()
    assert (found.probabilities[masks] > 0).all()
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1, rtol=1e-5)


def test_the_most_probable_action_is_played(engine: Engine) -> None:
    seen, player = (engine.observe(), engine.legal_action_mask()), agent(engine)
    best = player.evaluate(*seen).probabilities.argmax(axis=1)
    np.testing.assert_array_equal(best, player.act(*seen, np.random.default_rng(0)))


def test_drawn_actions_follow_the_probabilities(engine: Engine) -> None:
    seen, player = (engine.observe(), engine.legal_action_mask()), agent(engine)
    player.deterministic = False
    rng, counts = np.random.default_rng(0), np.zeros(seen[1].shape)
    for _ in range(400):
        counts[np.arange(16), player.act(*seen, rng)] += 1
    assert abs(counts / 400 - player.evaluate(*seen).probabilities).max() < 0.13  # 5 deviations


def test_values_are_in_the_unit_of_the_reward(engine: Engine) -> None:
    seen = engine.observe(), engine.legal_action_mask()
    plain, scaled = agent(engine).evaluate(*seen), agent(engine, "score", 0.05).evaluate(*seen)
    assert plain.values.shape == (16,)
    assert plain.values.dtype == plain.probabilities.dtype == np.float32
    np.testing.assert_allclose(scaled.values, plain.values / 0.05, rtol=1e-5)
    assert plain.unit == VALUE_UNITS["margin"]
    assert plain.unit.startswith("points ahead of the mean of the others")
    assert scaled.unit.startswith("points")
    assert agent(engine, "outcome").evaluate(*seen).unit.startswith("expected outcome")


def test_another_game_is_refused(engine: Engine) -> None:
    other = Engine(2, 2)
    with pytest.raises(OptionError, match="made for 3 players"):
        agent(engine).evaluate(other.observe(), other.legal_action_mask())
