"""The planner: legal, considers what it plays, and better than greedy."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gonzaga_agents.evaluation.match import play_match
from gonzaga_agents.gonzaga.greedy import GreedyAgent
from gonzaga_agents.gonzaga.heuristic import Heuristic
from gonzaga_agents.gonzaga.planner import PLANNED, PlannerAgent
from gonzaga_agents.gonzaga.rivals import Rivals

from gonzaga_env.core import Engine, GameConfig, Rules
from tests.agents.mixed import mixed_engine
from tests.conftest import played


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("sea_league", ["each_player", "first_only"])
def test_it_plays_legal_actions_in_mixed_phases(num_players: int, sea_league: Any) -> None:
    config = GameConfig(num_players, rules=Rules(sea_league, 1))
    agent, rng = PlannerAgent(config), np.random.default_rng(0)
    engine = mixed_engine(config, 40, 10 * num_players, seed=8)
    for _ in range(6 * num_players):
        actions = agent.act(engine.observe(), engine.legal_action_mask(), rng)
        assert engine.is_legal(actions).all()
        engine.step(actions)


def test_a_row_is_played_alike_alone_and_in_a_batch() -> None:
    config = GameConfig(4)
    engine, agent = mixed_engine(config, 40, 40, seed=8), PlannerAgent(config)
    observations, masks = engine.observe(), engine.legal_action_mask()
    rng = np.random.default_rng(0)
    played = agent.act(observations, masks, rng)
    for row in range(40):
        found = agent.consider(observations[row], masks[row], rng)
        worth = dict(zip(found.actions.tolist(), found.values.tolist(), strict=True))
        assert worth[int(played[row])] == pytest.approx(found.values[0], abs=1e-3)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_plans_are_worth_less_the_more_rivals_come_first(num_players: int) -> None:
    """Half of the gain over a donation, for one and a half rivals at most."""
    config = GameConfig(num_players)
    engine = played(Engine.from_config(config, 3, seed=5), 3 * 2 * num_players)
    agent, rng, games = PlannerAgent(config), np.random.default_rng(0), np.arange(3)
    heuristic = Heuristic(config.tables, config.rules, PLANNED)
    public = Heuristic(config.tables, config.rules, replace(PLANNED, objective=None))
    worth = heuristic.plans(engine.state, heuristic.values(engine.state, games, engine.seats))
    rivals = Rivals(public, engine.state, games, engine.seats, 1.5).before()
    for game, mask in enumerate(engine.legal_action_mask()):
        found = agent.consider(engine.observe()[game], mask, rng)
        for plan, value in zip(found.actions.tolist(), found.values.tolist(), strict=True):
            own, before = float(worth[game, plan]), float(rivals[game, plan])
            wanted = own - 0.5 * min(before, 1.5) * max(own - 3, 0)
            assert value == pytest.approx(wanted, abs=1e-3)


def test_it_beats_greedy() -> None:
    config = GameConfig(2)
    agents = [PlannerAgent(config), GreedyAgent(config)]
    match = play_match(config, agents, [0, 1], num_deals=60, seed=5)
    assert match.win_shares[:, match.seating == 0].mean() > 0.55
