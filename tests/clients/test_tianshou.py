"""Tianshou: DQN with masked actions, and the wrapper of PettingZoo's environments."""

import gymnasium
import numpy as np

from gonzaga_env import gonzaga_v0
from tests.clients.client import ID, QUIET, need, run_examples

need("tianshou")
pytestmark = QUIET


def make() -> gymnasium.Env:
    return gymnasium.make(
        ID, num_players=2, mask="observation", keys=("obs", "mask"), normalised=True
    )


def test_dqn_collects_and_learns_with_masked_actions() -> None:
    from tianshou.algorithm import DQN
    from tianshou.algorithm.algorithm_base import policy_within_training_step
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.utils.net.common import Net

    env = make()
    shape, num_actions = env.observation_space["obs"].shape, int(env.action_space.n)
    net = Net(state_shape=shape, action_shape=num_actions, hidden_sizes=[32])
    policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.5)
    dqn = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3))
    buffer = VectorReplayBuffer(500, 2)
    collector = Collector(dqn, DummyVectorEnv([make, make]), buffer, exploration_noise=True)
    collector.reset()
    with policy_within_training_step(policy):
        collected = collector.collect(n_episode=4)
        trained = dqn.update(sample_size=32, buffer=buffer)
    assert all(14 <= length <= 24 for length in collected.lens), "no illegal action"
    assert np.isfinite(trained.loss)


def test_the_pettingzoo_environment_is_wrapped() -> None:
    from tianshou.env import PettingZooEnv

    env = PettingZooEnv(gonzaga_v0.env(num_players=2))
    given, _ = env.reset()
    over, turns = False, 0
    while not over:
        given, _, over, _, _ = env.step(int(np.argmax(given["mask"])))
        turns += 1
    assert 28 <= turns <= 48, "a whole game, without an illegal action"


def test_the_examples_of_the_documents_run() -> None:
    run_examples("Tianshou")
