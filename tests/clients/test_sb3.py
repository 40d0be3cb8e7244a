"""Stable-Baselines3 and sb3-contrib."""

import numpy as np

import gonzaga_env  # noqa: F401  registers the environments
from tests.clients.client import ID, QUIET, need, run_examples

need("stable_baselines3")
need("sb3_contrib")
pytestmark = QUIET


def test_maskable_ppo_makes_the_environment_by_its_id() -> None:
    from sb3_contrib import MaskablePPO

    model = MaskablePPO("MlpPolicy", ID, n_steps=32, batch_size=32, n_epochs=1, device="cpu")
    model.learn(64)
    assert len(model.ep_info_buffer) >= 2
    assert all(info["l"] >= 14 for info in model.ep_info_buffer), "no illegal action ended a game"


def test_make_vec_env_takes_the_id_and_arguments() -> None:
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.utils import get_action_masks
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env(ID, n_envs=2, env_kwargs={"num_players": 2, "normalised": True})
    assert envs.observation_space.dtype == np.float32
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=32, n_epochs=1, device="cpu")
    model.learn(128)
    observations = envs.reset()
    for _ in range(20):
        masks = get_action_masks(envs)
        actions, _ = model.predict(observations, action_masks=masks)
        assert masks[np.arange(2), actions].all()
        observations, *_ = envs.step(actions)


def test_a_policy_reads_dictionaries_of_observation_and_mask() -> None:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env(ID, env_kwargs={"num_players": 2, "mask": "observation"})
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=32, batch_size=32, n_epochs=1)
    model.learn(32)
    assert model.num_timesteps == 32


def test_the_examples_of_the_documents_run() -> None:
    run_examples("Stable-Baselines3")
