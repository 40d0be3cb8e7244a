"""Guides: candidates by prior, and values of positions."""

from __future__ import annotations

import numpy as np
import torch
from gonzaga_agents.gonzaga.network.network import Network, TorchForward
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.gonzaga.value import Value
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.search.agent import SearchAgent
from gonzaga_agents.search.budget import Budget
from gonzaga_agents.search.guides import LearnedGuide, best_candidates

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.batch.scoring import winners
from gonzaga_env.core.state.state import PLAN, SOURCES
from gonzaga_env.tabletop.rewards import win_shares


def network_agent(config: GameConfig) -> NetworkAgent:
    torch.manual_seed(0)
    reader = InputReader(config)
    return NetworkAgent(reader, TorchForward(Network(reader.sizes, width=16)), "network")


def test_best_candidates_are_sorted_and_padded() -> None:
    rows, actions = np.array([0, 0, 0, 1, 2, 2]), np.array([5, 6, 7, 8, 9, 10])
    scores = np.array([1.0, 3.0, 2.0, -1.0, 0.5, 0.25])
    best, priors = best_candidates(rows, actions, scores, 3, 2, 0.1)
    assert best.tolist() == [[6, 7], [8, -1], [9, 10]]
    np.testing.assert_allclose(priors, [[0.3, 0.2], [-0.1, 0], [0.05, 0.025]])


def test_a_checkpoint_guides_a_search() -> None:
    config = GameConfig(3)
    agent, value = network_agent(config), Value.shipped(config)
    engine, rng = Engine.from_config(config, 6, seed=2), np.random.default_rng(2)
    for _ in range(9):
        engine.step(engine.sample_legal(rng))
    seen = engine.observe(), engine.legal_action_mask()
    search = SearchAgent(config, Budget(16), LearnedGuide(agent, value))
    assert engine.is_legal(search.act(*seen, rng)).all()
    best = agent.evaluate(*seen).probabilities.argsort(axis=1, kind="stable")[:, ::-1]
    found = search.consider(seen[0][0], seen[1][0], rng)
    assert {*found.actions.tolist()} == {*best[0, : len(found.actions)].tolist()}


def test_priors_are_the_policy_s_log_odds() -> None:
    config = GameConfig(3)
    agent, rng = network_agent(config), np.random.default_rng(2)
    guide = LearnedGuide(agent, Value.shipped(config))
    engine = Engine.from_config(config, 4, seed=2)
    seen = engine.observe(), engine.legal_action_mask()
    actions, priors = guide.candidates(*seen, engine.seats, PLAN, 8, rng)
    assert actions.shape == priors.shape == (4, 8)
    shares = np.take_along_axis(agent.evaluate(*seen).probabilities, actions, axis=1)
    np.testing.assert_allclose(priors, 0.01 * np.log(shares), atol=1e-6)
    assert (np.diff(priors, axis=1) <= 0).all()


def test_values_are_shares_of_the_victory() -> None:
    config = GameConfig(3)
    guide = LearnedGuide(network_agent(config), Value.shipped(config))
    engine, rng = Engine.from_config(config, 5, seed=2, autoreset=False), np.random.default_rng(2)
    seats = np.array([0, 1, 2, 1, 0])
    for _ in range(12):
        engine.step(engine.sample_legal(rng))
    values = guide.values(engine, seats)
    assert values.shape == (5,)
    assert ((values > 0) & (values < 1)).all()
    state = engine.state.copy()
    state.scores[np.arange(5), seats, SOURCES.index("donations")] += 9
    richer = Engine.from_state(config, state, check=False)  # by donations that nobody made
    assert (guide.values(richer, seats) > values).all()
    while not engine.state.finished.all():
        engine.step(engine.sample_legal(rng))
    final = win_shares(winners(engine.tables, engine.state))[np.arange(5), seats]
    np.testing.assert_allclose(guide.values(engine, seats), final)
