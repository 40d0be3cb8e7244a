"""Agents that choose straight from an engine's state play as they do from observations."""

from collections.abc import Iterator

import numpy as np
import pytest
from gonzaga_agents.agent import EngineAgent, RandomAgent
from gonzaga_agents.arrays import Indices
from gonzaga_agents.heuristics.gonzaga import GreedyAgent, HeuristicAgent, PlannerAgent, list_legal
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.gonzaga import Floats, GonzagaInputs, GonzagaReader

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.state import PLAN

GAMES = np.array([1, 2, 5, 6, 9])


def moments(config: GameConfig) -> Iterator[Engine]:
    """Yields games before every step of three rounds, early and late."""
    engine, rng = Engine.from_config(config, 12, seed=3), np.random.default_rng(3)
    for step in range(22 * config.num_players):
        if step // (2 * config.num_players) in (0, 5, 10):
            yield engine
        engine.step(engine.sample_legal(rng))


def everyone(engine: Engine) -> tuple[Indices, Indices]:
    """Returns every seat of `GAMES`."""
    return np.repeat(GAMES, engine.num_players), np.tile(np.arange(engine.num_players), len(GAMES))


def by_planner(inputs: GonzagaInputs) -> tuple[Floats, Floats]:
    """Prefers what the planner scores highest, as an untrained network does."""
    return inputs.choices[:, :, 1], inputs.numbers[:, 0]


@pytest.mark.parametrize("make", [GreedyAgent, PlannerAgent])
@pytest.mark.parametrize(
    ("num_players", "league"), [(2, "first_only"), (3, "each_player"), (4, "each_player")]
)
def test_heuristics_score_the_same_actions_alike(make, num_players: int, league) -> None:
    config = GameConfig(num_players, rules=Rules(league, 6))
    agent: HeuristicAgent = make(config)
    for engine in moments(config):
        observations, masks = engine.observe(rows=GAMES), engine.legal_action_mask(GAMES)
        rows, actions, scores = agent.score(observations, masks, np.random.default_rng(0))
        seats = engine.seats[GAMES]
        listed = list_legal(engine, GAMES, seats)
        order = np.lexsort(listed[::-1])
        assert np.array_equal(listed[0][order], rows)
        assert np.array_equal(listed[1][order], actions)
        found = agent._score(engine.state, GAMES, seats, *listed)
        assert np.array_equal(found[order], scores)
        played = agent.act_in(engine, GAMES, seats, np.random.default_rng(0))
        assert np.array_equal(played, agent.act(observations, masks, np.random.default_rng(1)))


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_all_seats_may_plan_at_once(num_players: int) -> None:
    config = GameConfig(num_players)
    agents = GreedyAgent(config), NetworkAgent(GonzagaReader(config), by_planner, "planner")
    for engine in moments(config):
        if engine.state.phase[0] != PLAN or engine.state.num_acted[0]:
            continue
        games, seats = everyone(engine)
        state = engine.state.copy()
        for agent in agents:
            together = agent.act_in(engine, games, seats, np.random.default_rng(0))
            assert engine.state == state
            for seat in range(num_players):
                assert engine.is_legal(together[seats == seat], GAMES).all()
                alone = agent.act(
                    engine.observe(rows=GAMES),
                    engine.legal_action_mask(GAMES),
                    np.random.default_rng(0),
                )
                assert np.array_equal(together[seats == seat], alone)
                plans = engine.sample_legal(np.random.default_rng(0))
                plans[GAMES] = alone
                engine.step(plans)
            engine.state = state


def test_which_agents_choose_from_an_engine() -> None:
    assert isinstance(GreedyAgent(), EngineAgent)
    assert not isinstance(RandomAgent(), EngineAgent)
