"""Search: legal, reproducible, within its budget, and better than what guides it."""

from typing import Any

import numpy as np
import pytest
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.gonzaga.greedy import GreedyAgent
from gonzaga_agents.gonzaga.search import SearchAgent
from gonzaga_agents.search import agent as agent_module
from gonzaga_agents.search.agent import NUM_CANDIDATES, SequentialHalving
from gonzaga_agents.search.budget import Budget
from gonzaga_agents.search.root import Root

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.state.state import PLAN
from gonzaga_env.tabletop.agent import WINNING_CHANCE
from gonzaga_env.tabletop.errors import OptionError
from tests.agents.mixed import mixed_engine


@pytest.mark.parametrize("num_players", [2, 3, 4])
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


@pytest.mark.parametrize("playouts", [1, 2, 5, 8, 14, 48, 96, 192])
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


def test_what_is_considered_first_is_played() -> None:
    config = GameConfig(4)
    engine, agent = mixed_engine(config, 10, 40, seed=6), SearchAgent(config, Budget(32))
    seen = engine.observe()[:1], engine.legal_action_mask()[:1]
    found = agent.consider(seen[0][0], seen[1][0], np.random.default_rng(3))
    assert found.actions[0] == agent.act(*seen, np.random.default_rng(3))[0]
    assert (found.values <= 1).all()


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


def test_it_refuses_observations_of_another_game() -> None:
    engine = Engine(2, 3)
    with pytest.raises(OptionError, match="made for 2 players"):
        SearchAgent(GameConfig(2)).act(
            engine.observe(), engine.legal_action_mask(), np.random.default_rng(0)
        )


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


def test_it_beats_greedy() -> None:
    config = GameConfig(2)
    agents = [SearchAgent(config, Budget(16)), GreedyAgent(config)]
    match = play_match(config, agents, [0, 1], num_deals=20, seed=3)
    assert match.win_shares[:, match.seating == 0].mean() > 0.65
