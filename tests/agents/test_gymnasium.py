"""sb3-contrib's learner and our agents with the Gymnasium environments."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gonzaga_agents import AgentError
from gonzaga_agents.agent import RandomAgent
from gonzaga_agents.heuristics.gonzaga import GreedyAgent

from gonzaga_env.core import GameConfig
from gonzaga_env.core.edition import Edition


def test_agents_are_opponents(europe: Edition) -> None:
    """A random learner gains less from a game against greedy than against random opponents."""
    margins = []
    for agent in (RandomAgent(GameConfig(2)), GreedyAgent(GameConfig(2))):
        envs = gymnasium.make_vec(
            "gonzaga/Gonzaga-v0", num_envs=24, num_players=2, reward="margin", opponents=agent.act
        )
        envs.reset(seed=0)
        rng, total = np.random.default_rng(0), 0.0
        for _ in range(30):
            _, rewards, *_ = envs.step(envs.engine.sample_legal(rng))
            total += rewards.sum()
        margins.append(total)
    assert margins[1] < margins[0]


@pytest.mark.parametrize(
    "opponents", ["greedy", ["greedy", "random"], [None, "greedy", RandomAgent], RandomAgent]
)
def test_opponents_may_be_names_and_classes(opponents: Any) -> None:
    env = gymnasium.make("gonzaga/Gonzaga-v0", num_players=3, opponents=opponents)
    _, info = env.reset(seed=0)
    terminated = False
    while not terminated:
        _, _, terminated, _, info = env.step(int(info["action_mask"].argmax()))
    assert info["round"] >= 7
    envs = gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=9, num_players=3, opponents=opponents)
    _, infos = envs.reset(seed=0)
    for _ in range(4):
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert (infos["round"] == 3).all()


def test_named_opponents_play_as_the_agents_do() -> None:
    def play(opponents: Any) -> list[float]:
        envs = gymnasium.make_vec(
            "gonzaga/Gonzaga-v0", num_envs=4, num_players=2, reward="score", opponents=opponents
        )
        _, infos = envs.reset(seed=0)
        rewards = []
        for _ in range(10):
            _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
            rewards.append(infos["open_sites"].tolist())
        return rewards

    assert play("greedy") == play(GreedyAgent(GameConfig(2)))
    assert play("greedy") != play("random")


@pytest.mark.parametrize("opponents", ["gready", ["random", "no_such_module:Mine"]])
def test_unknown_opponents_are_refused(opponents: Any) -> None:
    with pytest.raises(AgentError):
        gymnasium.make("gonzaga/Gonzaga-v0", opponents=opponents)
    with pytest.raises(AgentError):
        gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs=2, opponents=opponents)
