"""Agents say what they consider: legal actions, best first, the first as `act` plays it."""

from collections.abc import Callable

import numpy as np
import pytest
from gonzaga_agents import Considered
from gonzaga_agents.gonzaga.greedy import GreedyAgent
from gonzaga_agents.random_agent import RandomAgent

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.tabletop.agent import ConsideringAgent
from gonzaga_env.tabletop.errors import OptionError
from tests.agents.test_agent import network_agent
from tests.conftest import played

Make = Callable[[GameConfig], ConsideringAgent]


def deterministic_network(config: GameConfig) -> ConsideringAgent:
    agent = network_agent(config)
    agent.deterministic = True
    return agent


def positions(num_steps: int) -> tuple[np.ndarray, np.ndarray]:
    engine = played(Engine(6, 3, seed=num_steps), num_steps)
    return engine.observe(), engine.legal_action_mask()


def consider(agent: ConsideringAgent, observation: np.ndarray, mask: np.ndarray) -> Considered:
    return agent.consider(observation, mask, np.random.default_rng(0))


@pytest.mark.parametrize("make", [RandomAgent, GreedyAgent, network_agent])
@pytest.mark.parametrize("num_steps", [0, 4, 31, 66])  # both phases, early and late
def test_legal_actions_are_considered_best_first(make: Make, num_steps: int) -> None:
    agent = make(GameConfig(3))
    assert isinstance(agent, ConsideringAgent)
    for observation, mask in zip(*positions(num_steps), strict=True):
        found = consider(agent, observation, mask)
        assert sorted(found.actions) == np.flatnonzero(mask).tolist()
        assert (np.diff(found.values) <= 0).all()
        assert (found.actions.dtype, found.values.dtype) == (np.int64, np.float64)
        assert (type(found.unit), found.playouts) == (str, None)


@pytest.mark.parametrize("make", [RandomAgent, GreedyAgent, deterministic_network])
@pytest.mark.parametrize("num_steps", [0, 4, 31, 66])
def test_the_action_played_is_among_the_best(make: Make, num_steps: int) -> None:
    agent, (observations, masks) = make(GameConfig(3)), positions(num_steps)
    actions = agent.act(observations, masks, np.random.default_rng(1))
    for observation, mask, action in zip(observations, masks, actions, strict=True):
        found = consider(agent, observation, mask)
        assert found.values[found.actions == action] == pytest.approx(found.values[0], abs=1e-4)


@pytest.mark.parametrize("make", [RandomAgent, network_agent])
def test_probabilities_sum_to_one(make: Make) -> None:
    for observation, mask in zip(*positions(4), strict=True):
        found = consider(make(GameConfig(3)), observation, mask)
        assert found.unit == "probability"
        assert found.values.sum() == pytest.approx(1, abs=1e-5)


def test_the_greedy_agent_values_placements_by_their_points() -> None:
    engine = played(Engine(1, 3, seed=4), 3)
    found = consider(GreedyAgent(GameConfig(3)), engine.observe()[0], engine.legal_action_mask()[0])
    donation = found.actions == engine.actions.donate
    assert found.values[donation] == 2.5
    for action, value in zip(found.actions[:5], found.values, strict=False):
        points = engine.copy().step([int(action)]).points[0]
        # What the objective brings comes on top: 2 points for a first city, 5 for two.
        assert value - points in (0, 2, 5) or "ring" in engine.describe(int(action))


@pytest.mark.parametrize("make", [RandomAgent, GreedyAgent, network_agent])
def test_positions_of_another_game_are_refused(make: Make) -> None:
    observations, masks = positions(0)
    with pytest.raises(OptionError, match="made for 2 players"):
        consider(make(GameConfig(2)), observations[0], masks[0])


def test_ranked_sorts_by_value_and_then_by_index() -> None:
    mask = np.array([True, False, True, True, True])
    found = Considered.ranked(mask, np.array([1.0, 9.0, 3.0, 1.0, 3.0]), "points")
    assert found.actions.tolist() == [2, 4, 0, 3]
    assert found.values.tolist() == [3, 3, 1, 1]
