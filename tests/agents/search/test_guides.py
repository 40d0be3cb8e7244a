"""Guides: candidates by prior, and values of positions."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from gonzaga_agents.agent import AgentError
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.network import Network
from gonzaga_agents.search.agent import SearchAgent
from gonzaga_agents.search.budget import Budget
from gonzaga_agents.search.guides import LearnedGuide, best_candidates

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.rules.rewards import Reward
from gonzaga_env.core.rules.scoring import win_shares, winners


def network_agent(config: GameConfig, reward: Reward) -> NetworkAgent:
    torch.manual_seed(0)
    network = Network(config.tables, config.num_players, width=16)
    return NetworkAgent(network, "network", True, reward)


def test_best_candidates_are_sorted_and_padded() -> None:
    rows, actions = np.array([0, 0, 0, 1, 2, 2]), np.array([5, 6, 7, 8, 9, 10])
    scores = np.array([1.0, 3.0, 2.0, -1.0, 0.5, 0.25])
    best, priors = best_candidates(rows, actions, scores, 3, 2, 0.1)
    assert best.tolist() == [[6, 7], [8, -1], [9, 10]]
    np.testing.assert_allclose(priors, [[0.3, 0.2], [-0.1, 0], [0.05, 0.025]])


@pytest.mark.parametrize("reward", ["margin", "outcome"])
def test_a_checkpoint_guides_a_search(reward: Reward) -> None:
    config = GameConfig(3)
    agent = network_agent(config, reward)
    engine, rng = Engine.from_config(config, 6, seed=2), np.random.default_rng(2)
    for _ in range(9):
        engine.step(engine.sample_legal(rng))
    seen = engine.observe(), engine.legal_action_mask()
    search = SearchAgent(config, Budget(16), LearnedGuide(config, agent))
    assert engine.is_legal(search.act(*seen, rng)).all()
    best = agent.evaluate(*seen).probabilities.argsort(axis=1)[:, ::-1]
    found = search.consider(seen[0][0], seen[1][0], rng)
    assert {*found.actions.tolist()} == {*best[0, : len(found.actions)].tolist()}


@pytest.mark.parametrize("reward", ["margin", "outcome"])
def test_values_of_a_checkpoint_are_shares(reward: Reward) -> None:
    config = GameConfig(3)
    guide = LearnedGuide(config, network_agent(config, reward))
    engine, rng = Engine.from_config(config, 5, seed=2, autoreset=False), np.random.default_rng(2)
    seats = np.array([0, 1, 2, 1, 0])
    for _ in range(12):
        engine.step(engine.sample_legal(rng))
    values = guide.values(engine, seats)
    assert values.shape == (5,)
    if reward == "margin":
        assert ((values > 0) & (values < 1)).all()
        state = engine.state.copy()
        state.scores[np.arange(5), seats, 0] += 10
        ahead = guide.values(Engine.from_state(config, state), seats)
        assert (ahead > values).all()
    while not engine.state.finished.all():
        engine.step(engine.sample_legal(rng))
    final = win_shares(winners(engine.tables, engine.state))[np.arange(5), seats]
    np.testing.assert_allclose(guide.values(engine, seats), final)


def test_a_value_that_says_nothing_of_the_others_is_refused() -> None:
    config = GameConfig(3)
    with pytest.raises(AgentError, match="'margin' or 'outcome'"):
        LearnedGuide(config, network_agent(config, "score"))
