"""RLlib's PPO with the module for action masks that RLlib brings."""

from typing import Any

import pytest

from tests.clients.client import QUIET, need, run_examples

ray = need("ray")
need("ray.rllib")
pytestmark = QUIET


@pytest.fixture(scope="module", autouse=True)
def _ray(monkeypatch_module: pytest.MonkeyPatch) -> Any:
    monkeypatch_module.setenv("RAY_AUTH_MODE", "disabled")  # writes no token into the home folder
    monkeypatch_module.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=1, include_dashboard=False)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def monkeypatch_module() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def test_ppo_learns_with_masked_actions() -> None:
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes import action_masking_rlm

    module = RLModuleSpec(
        module_class=action_masking_rlm.ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [32], "head_fcnet_hiddens": [32]},
    )
    options = {"mask": "observation", "keys": ("observations", "action_mask"), "normalised": True}
    config = (
        PPOConfig()
        .environment("gonzaga_env:gonzaga/Gonzaga-v0", env_config={"num_players": 2, **options})
        .env_runners(num_env_runners=0)
        .training(train_batch_size_per_learner=64, minibatch_size=32, num_epochs=1)
        .rl_module(rl_module_spec=module)
    )
    algorithm = config.build_algo()
    found = [algorithm.train()["env_runners"] for _ in range(2)][-1]
    algorithm.stop()
    assert found["num_env_steps_sampled_lifetime"] == 128
    assert found["episode_len_min"] >= 14, "an illegal action would end a game early"


def test_the_pettingzoo_environment_is_wrapped() -> None:
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

    from gonzaga_env import gonzaga_v0

    env = PettingZooEnv(gonzaga_v0.env(num_players=2, keys=("observations", "action_mask")))
    observations, _ = env.reset(seed=0)
    over = {"__all__": False}
    turns = 0
    while not over["__all__"]:
        ((agent, given),) = observations.items()
        assert set(given) == {"observations", "action_mask"}
        observations, _, over, _, _ = env.step({agent: int(given["action_mask"].argmax())})
        turns += 1
    assert 28 <= turns <= 48


def test_the_examples_of_the_documents_run() -> None:
    run_examples("RLlib")
