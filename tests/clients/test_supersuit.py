"""SuperSuit's wrappers, which take observations that are arrays."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from gonzaga_env import gonzaga_v0
from tests.clients.client import ID, QUIET, need, run_examples

supersuit = need("supersuit")
pytestmark = QUIET

WRAPPERS = {
    "dtype": lambda env: supersuit.dtype_v0(env, np.float32),
    "normalize_obs": lambda env: supersuit.normalize_obs_v0(supersuit.dtype_v0(env, np.float32)),
    "frame_stack": lambda env: supersuit.frame_stack_v1(env, 3),
    "pad_observations": lambda env: supersuit.pad_observations_v0(env),
    "pad_action_space": lambda env: supersuit.pad_action_space_v0(env),
    "agent_indicator": lambda env: supersuit.agent_indicator_v0(env),
    "flatten": lambda env: supersuit.flatten_v0(env),
    "clip_reward": lambda env: supersuit.clip_reward_v0(env),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_whole_game_is_played_in_a_wrapper(name: str) -> None:
    env: Any = WRAPPERS[name](gonzaga_v0.env(num_players=2, mask="info"))
    env.reset(seed=0)
    num_turns = 0
    for agent in env.agent_iter():
        observation, _, terminated, _, info = env.last()
        assert env.observation_space(agent).contains(observation)
        env.step(None if terminated else int(info["action_mask"].argmax()))
        num_turns += not terminated
    assert 28 <= num_turns <= 48, "7 to 12 rounds, without an illegal action"


def test_one_learners_environment_is_wrapped() -> None:
    env = supersuit.dtype_v0(gymnasium.make(ID, num_players=2), np.float32)
    observation, _ = env.reset(seed=0)
    assert observation.dtype == np.float32


def test_the_examples_of_the_documents_run() -> None:
    run_examples("SuperSuit")
