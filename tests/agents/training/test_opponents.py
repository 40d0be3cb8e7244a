"""Opponents of every kind in the games of self-play."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from gonzaga_agents.common.arrays import Indices
from gonzaga_agents.gonzaga.network.inputs import Floats, Inputs
from gonzaga_agents.gonzaga.network.network import Network
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.gonzaga.planner import PlannerAgent
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.parts import TorchForward
from gonzaga_agents.random_agent import RandomAgent
from gonzaga_agents.training.league import LEARNER, PAST, League
from gonzaga_agents.training.self_play import SelfPlay

from gonzaga_env.core import GameConfig
from gonzaga_env.core.state.state import PLACE


def best(inputs: Inputs) -> tuple[Indices, Floats, Floats]:
    """Takes the planner's first choice."""
    zeros = np.zeros(len(inputs), dtype=np.float32)
    return np.zeros(len(inputs), dtype=np.int64), zeros, zeros


def new_games(num_players: int, self_play: float) -> SelfPlay:
    """Returns games with opponents that read observations, states, inputs, and the same inputs."""
    config = GameConfig(num_players)
    torch.manual_seed(0)
    reader, network = InputReader(config), Network(InputReader(config).sizes, 8)
    other = NetworkAgent(InputReader(config), TorchForward(network), "other reader")
    agents = [RandomAgent(config), PlannerAgent(config), other]
    league = League(agents, num_players=num_players, self_play=self_play, most_past=2)
    learner = NetworkAgent(reader, TorchForward(network), "learner")
    for turns in range(2):
        league.remember(learner, network, turns)
    return SelfPlay(config, reader, league, num_games=12, reward="margin", reward_scale=1.0, seed=2)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_all_kinds_of_opponents_play_whole_games(num_players: int) -> None:
    games = new_games(num_players, self_play=0.3)
    names = {member.name for member in games.league.members}
    assert names == {"random", "planner", "other reader", PAST}
    seen = set[str]()
    while len(games.results) < 40:
        turns = (games._lineups == LEARNER).sum()
        ended = len(games.results)
        experience = games.collect(best, num_steps=2 * num_players, gae_lambda=0.8)
        if len(games.results) == ended:  # no one was seated anew
            assert len(experience) == 2 * turns
            assert (experience.kinds == PLACE).sum() == turns
    for result in games.results:
        seen |= result.opponents
        assert (result.share is None) == (not result.opponents)
    assert seen == names


def test_only_the_learner_is_learned_from() -> None:
    games = new_games(4, self_play=0.0)
    experience = games.collect(best, num_steps=2 * 4 * 2, gae_lambda=0.8)
    assert len(experience) == 2 * 2 * 12
    assert (experience.chosen == 0).all()


def test_opponents_do_not_depend_on_when_the_learner_is_asked() -> None:
    one, other = new_games(3, self_play=0.5), new_games(3, self_play=0.5)
    once = one.collect(best, num_steps=2 * 3 * 4, gae_lambda=0.8)
    parts = [other.collect(best, num_steps=2 * 3, gae_lambda=0.8) for _ in range(4)]
    assert np.array_equal(
        once.inputs.numbers, np.concatenate([part.inputs.numbers for part in parts])
    )
    assert one.engine.state == other.engine.state
