"""Gonzaga's model for search: candidates of a policy, and values of playouts."""

import numpy as np
import torch
from gonzaga_agents.gonzaga.network.network import Network
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.gonzaga.planner import PLANNED
from gonzaga_agents.gonzaga.playouts import Playouts
from gonzaga_agents.gonzaga.search import GonzagaModel, SearchAgent
from gonzaga_agents.gonzaga.value import Value
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.parts import TorchForward
from gonzaga_agents.search.budget import Budget
from gonzaga_agents.search.root import Root

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.state.state import KINDS, PLAN
from tests.agents.mixed import mixed_engine
from tests.conftest import played

CONFIG = GameConfig(3)


def network_agent() -> NetworkAgent:
    torch.manual_seed(0)
    reader = InputReader(CONFIG)
    return NetworkAgent(reader, TorchForward(Network(reader.sizes, width=16)), "network")


def model(policy: NetworkAgent | None = None) -> GonzagaModel:
    return GonzagaModel(CONFIG, Playouts(CONFIG, PLANNED, 0.5), Value.shipped(CONFIG), policy)


def test_a_checkpoint_picks_the_candidates() -> None:
    agent = network_agent()
    engine, rng = played(Engine.from_config(CONFIG, 6, seed=2), 9, 2), np.random.default_rng(2)
    seen = engine.observe(), engine.legal_action_mask()
    search = SearchAgent(CONFIG, Budget(16), policy=agent)
    assert engine.is_legal(search.act(*seen, rng)).all()
    best = agent.evaluate(*seen).probabilities.argsort(axis=1, kind="stable")[:, ::-1]
    found = search.consider(seen[0][0], seen[1][0], rng)
    assert {*found.actions.tolist()} == {*best[0, : len(found.actions)].tolist()}


def test_priors_are_the_policy_s_log_odds() -> None:
    agent, rng = network_agent(), np.random.default_rng(2)
    engine = Engine.from_config(CONFIG, 4, seed=2)
    seen = engine.observe(), engine.legal_action_mask()
    actions, priors = model(agent).candidates(*seen, PLAN, 8, rng)
    assert actions.shape == priors.shape == (4, 8)
    shares = np.take_along_axis(agent.evaluate(*seen).probabilities, actions, axis=1)
    np.testing.assert_allclose(priors, 0.01 * np.log(shares), atol=1e-6)
    assert (np.diff(priors, axis=1) <= 0).all()


def test_kinds_are_those_of_the_engine() -> None:
    engine = mixed_engine(CONFIG, 20, 40, seed=2)
    assert len({*engine.kinds.tolist()}) == len(KINDS)
    np.testing.assert_array_equal(model().kinds(engine.observe()), engine.kinds)


def test_values_are_shares_of_the_victory() -> None:
    """Those of games that end in the playout are 0, 1 or, in a tie, between."""
    engine, rng = Engine.from_config(CONFIG, 12, seed=2, autoreset=False), np.random.default_rng(2)
    for _ in range(3):
        engine.step(engine.sample_legal(rng))
    early = values(engine, np.arange(12), rng)
    assert ((early > 0) & (early < 1)).all()
    while not (last := engine.state.last_round & (engine.state.num_acted == 2)).any():
        engine.step(engine.sample_legal(rng))
    rows = np.flatnonzero(last)
    assert {*values(engine, rows, rng).ravel().tolist()} <= {0, 1 / 2, 1}


def test_values_of_longer_playouts_are_means_over_their_rounds() -> None:
    """With the same luck: the first round of a playout of two is that of a playout of one."""
    engine = played(Engine.from_config(CONFIG, 12, seed=2, autoreset=False), 3, 2)
    one, two = (values(engine, np.arange(12), np.random.default_rng(5), n) for n in (1, 2))
    second = 2 * two - one
    assert ((second > 0) & (second < 1)).all()
    assert (one != second).any()


def values(
    engine: Engine, rows: np.ndarray, rng: np.random.Generator, num_rounds: int = 1
) -> np.ndarray:
    """Returns values of a random placement in each game on five deals."""
    actions, seen = engine.sample_legal(rng, rows)[:, None], engine.observe(rows=rows)
    root = Root.of(seen, KINDS.index("place"), actions, np.zeros(actions.shape), num_rounds)
    return model().play(root, np.arange(len(rows)), 0 * rows, 5, rng)
