"""sb3-contrib's learner and our agents with the Gymnasium environments."""

from __future__ import annotations

import gymnasium
import numpy as np
from gonzaga_agents.baselines.greedy import GreedyAgent
from gonzaga_agents.baselines.random_agent import RandomAgent
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import is_masking_supported

from gonzaga_env.core import GameConfig
from gonzaga_env.core.edition import Edition


def test_maskable_ppo_learns_on_one_game() -> None:
    env = gymnasium.make("gonzaga/Gonzaga-v0", num_players=2, reward="margin")
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=32,
        batch_size=32,
        n_epochs=1,
        policy_kwargs={"net_arch": [16]},
        seed=0,
        device="cpu",
    )
    assert is_masking_supported(model.get_env())
    model.learn(64)
    assert len(model.ep_info_buffer) >= 2
    assert all(info["l"] >= 14 for info in model.ep_info_buffer), "no game ended by illegal actions"


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
