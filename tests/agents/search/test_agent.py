"""Search: legal, reproducible, within its budget, and better than what guides it."""

from typing import Any

import numpy as np
import pytest
from gonzaga_agents.heuristics.gonzaga import PLANNED
from gonzaga_agents.heuristics.gonzaga_value import Value
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.search import sequential_halving as agent_module
from gonzaga_agents.search.gonzaga import GonzagaModel, Playouts, SearchAgent
from gonzaga_agents.search.sequential_halving import NUM_CANDIDATES, Budget, Root, SequentialHalving

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.state import KINDS, PLAN
from gonzaga_env.kernel.agent import WINNING_CHANCE
from tests.agents.mixed import mixed_engine
from tests.agents.networks import network_agent
from tests.conftest import played
from tests.marks import nightly


@pytest.mark.parametrize("num_players", [3, *nightly(2, 4)])
@pytest.mark.parametrize("sea_league", ["each_player", "first_only"])
def test_it_plays_legal_actions_in_mixed_phases(num_players: int, sea_league: Any) -> None:
    config = GameConfig(num_players, rules=Rules(sea_league, 1))
    engine, agent = mixed_engine(config, 10, 40, seed=6), SearchAgent(config, Budget(12))
    actions = agent.act(engine.observe(), engine.legal_action_mask(), np.random.default_rng(0))
    assert engine.is_legal(actions).all()


def test_the_same_generator_gives_the_same_choices() -> None:
    config = GameConfig(3)
    engine = mixed_engine(config, 10, 40, seed=7)
    seen = engine.observe(), engine.legal_action_mask()
    choices = [
        SearchAgent(config, Budget(24)).act(*seen, np.random.default_rng(seed))
        for seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(choices[0], choices[1])
    assert (choices[0] != choices[2]).any()


@pytest.mark.parametrize("playouts", [1, 2, 5, 14, 48, *nightly(8, 96, 192)])
def test_playouts_stay_within_the_budget(playouts: int) -> None:
    config = GameConfig(4)
    engine, agent = mixed_engine(config, 10, 40, seed=6), SearchAgent(config, Budget(playouts))
    masks = engine.legal_action_mask()
    for observation, mask in zip(engine.observe(), masks, strict=True):
        found = agent.consider(observation, mask, np.random.default_rng(0))
        assert found.playouts is not None
        assert len(found.actions) == len(found.playouts) <= NUM_CANDIDATES
        assert mask[found.actions].all()
        assert found.unit == WINNING_CHANCE
        assert found.playouts.sum() <= playouts
        if len(found.actions) == NUM_CANDIDATES:
            assert found.playouts.sum() >= 0.8 * playouts
            assert (np.diff(found.playouts) <= 0).all()  # better candidates get more
        assert (np.diff(found.values) <= 0).all()  # the numbers agree with the order


def test_a_budget_of_time_plans_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which a playout takes ten times as long plays a tenth as many."""
    config = GameConfig(4)
    engine = mixed_engine(config, 10, 40, seed=6)
    row = int(np.flatnonzero(engine.num_legal() > 20)[0])
    seen = engine.observe()[row], engine.legal_action_mask()[row]
    fast, slow = (num_playouts(config, seen, seconds, monkeypatch) for seconds in (1e-4, 1e-3))
    assert fast == pytest.approx(10 * slow * 2 / 3, rel=0.3)  # for three rounds instead of two


def num_playouts(
    config: GameConfig, seen: Any, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> int:
    """Returns the playouts of a decision of 100 ms by a clock that only playouts move."""
    agent, now = SearchAgent(config, Budget(milliseconds=100)), [0.0]
    agent._seconds, tried = seconds, agent._try

    def slow_try(root: Any, *arguments: Any) -> None:
        before = root.visits.sum()
        tried(root, *arguments)
        now[0] += seconds * root.num_rounds * (root.visits.sum() - before)

    monkeypatch.setattr(agent, "_try", slow_try)
    monkeypatch.setattr(agent_module, "perf_counter", lambda: now[0])
    found = agent.consider(*seen, np.random.default_rng(0))
    assert found.playouts is not None
    assert now[0] == pytest.approx(0.1, rel=0.3)
    return int(found.playouts.sum())


@pytest.mark.parametrize(("playouts", "num_rounds"), [(63, 2), (64, 3)])
def test_playouts_go_on_for_three_rounds_where_there_are_enough(
    playouts: int, num_rounds: int
) -> None:
    config = GameConfig(3)
    engine, agent = mixed_engine(config, 10, 40, seed=6), SearchAgent(config, Budget(playouts))
    rows = np.flatnonzero(engine.state.phase == PLAN)
    seen = engine.observe(rows=rows), engine.legal_action_mask(rows)
    ((_, root),) = agent.search(*seen, np.random.default_rng(0))
    assert root.num_rounds == num_rounds


def test_a_single_legal_action_needs_no_playout() -> None:
    config = GameConfig(2)
    engine = Engine.from_config(config, 400, seed=1)
    rng = np.random.default_rng(1)
    while not (engine.num_legal() == 1).any():
        engine.step(engine.sample_legal(rng))
    row = int((engine.num_legal() == 1).argmax())
    agent = SearchAgent(config, Budget(64))
    found = agent.consider(engine.observe()[row], engine.legal_action_mask()[row], rng)
    assert found.actions.tolist() == [engine.actions.donate]
    assert found.playouts is not None
    assert found.playouts.sum() == 0


class Numbers:
    """A toy game: in kind 0 the largest action is worth most, in kind 1 the smallest."""

    def kinds(self, observations: np.ndarray) -> np.ndarray:
        return observations[:, 0].astype(np.int64)

    def candidates(self, observations: Any, masks: Any, kind: int, size: int, rng: Any) -> Any:
        actions = np.tile(np.arange(size), (len(masks), 1))
        return actions, np.zeros(actions.shape)

    def play(self, root: Root, decisions: Any, candidates: Any, num_deals: int, rng: Any) -> Any:
        worth = root.actions[decisions, candidates] * (1 - 2 * root.kind)
        return worth[:, None] + rng.normal(scale=0.1, size=num_deals)


def test_any_game_with_a_model_can_be_searched() -> None:
    config = GameConfig(2)
    agent = SequentialHalving(config, Numbers(), Budget(48))
    seen = np.zeros((5, config.features.size), dtype=np.uint8)
    seen[:, 0] = kinds = np.array([0, 1, 1, 0, 1])
    masks = np.ones((5, config.actions.size), dtype=np.bool_)
    actions = agent.act(seen, masks, np.random.default_rng(0))
    assert actions.tolist() == np.where(kinds == 0, NUM_CANDIDATES - 1, 0).tolist()


CONFIG = GameConfig(3)


def model(policy: NetworkAgent | None = None) -> GonzagaModel:
    return GonzagaModel(CONFIG, Playouts(CONFIG, PLANNED, 0.5), Value.shipped(CONFIG), policy)


def test_a_checkpoint_picks_the_candidates() -> None:
    agent = network_agent(CONFIG, trained=False)
    engine, rng = played(Engine.from_config(CONFIG, 6, seed=2), 9, 2), np.random.default_rng(2)
    seen = engine.observe(), engine.legal_action_mask()
    search = SearchAgent(CONFIG, Budget(16), policy=agent)
    assert engine.is_legal(search.act(*seen, rng)).all()
    best = agent.evaluate(*seen).probabilities.argsort(axis=1, kind="stable")[:, ::-1]
    found = search.consider(seen[0][0], seen[1][0], rng)
    assert {*found.actions.tolist()} == {*best[0, : len(found.actions)].tolist()}


def test_priors_are_the_policy_s_log_odds() -> None:
    agent, rng = network_agent(CONFIG, trained=False), np.random.default_rng(2)
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
