"""The vector environment against Gymnasium's own, which steps single environments in a loop."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from gonzaga_env.envs.environment import ResetNeededError
from gonzaga_env.envs.gonzaga_v0 import GonzagaVectorEnv
from gonzaga_env.kernel.errors import ActionError, GameError, OptionError
from tests.envs.opponents import random_legal

ID = "gonzaga/Gonzaga-v0"


def play(envs: VectorEnv, num_turns: int) -> list[Any]:
    """Plays random legal actions and returns everything that the learner gets."""
    rng, masks = np.random.default_rng(0), envs.unwrapped.action_masks
    return [envs.step(random_legal(masks(), rng)) for _ in range(num_turns)]


@pytest.mark.parametrize("num_envs", [1, 3, 64])
def test_make_vec_outputs_are_in_the_spaces(num_envs: int) -> None:
    envs = gymnasium.make_vec(ID, num_envs=num_envs, num_players=3, autoreset_mode="SameStep")
    assert isinstance(envs, GonzagaVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.num_envs == num_envs
    assert envs.action_space.shape == (num_envs,)
    observations, infos = envs.reset(seed=1)
    for _ in range(26):  # a game takes 14 to 24 turns
        assert observations in envs.observation_space
        assert all(row in envs.single_observation_space for row in observations[:3])
        masks = envs.action_masks()
        assert masks.shape == (num_envs, envs.single_action_space.n)
        assert masks.any(axis=1).all()
        np.testing.assert_array_equal(infos["action_mask"], masks)
        actions = np.array([envs.single_action_space.sample(m) for m in infos["action_mask"]])
        observations, rewards, ended, truncated, infos = envs.step(actions)
        dtypes = [array.dtype for array in (rewards, ended, truncated)]
        assert dtypes == [np.float64, np.bool_, np.bool_]
        assert rewards.shape == ended.shape == truncated.shape == (num_envs,)
        assert not truncated.any()
        assert ("final_obs" in infos) == ended.any()
    envs.close()


def test_illegal_actions_lose_their_own_games_only() -> None:
    envs = GonzagaVectorEnv(4, 3, autoreset_mode="SameStep")
    _, infos = envs.reset(seed=0)
    before = envs.engine.state.copy()
    actions = envs.action_masks().argmax(axis=1)
    actions[2] = envs.action_masks()[2].argmin()
    _, rewards, ended, _, infos = envs.step(actions)
    assert rewards.tolist() == [0, 0, -1, 0]
    assert ended.tolist() == [False, False, True, False]
    assert envs.engine.state.episode.tolist() == (before.episode + ended).tolist()
    assert infos["final_info"]["illegal"].tolist() == [0, 0, 1, 0]
    assert infos["illegal"].tolist() == [0, 0, 0, 0]
    assert envs.action_masks().any(axis=1).all()


def test_unmasked_samples_can_be_played() -> None:
    """Checkers of other libraries play them."""
    envs = gymnasium.make_vec(ID, num_envs=8)
    envs.reset(seed=0)
    envs.action_space.seed(0)
    for _ in range(20):
        observations, *_ = envs.step(envs.action_space.sample())
        assert observations in envs.observation_space


def test_gymnasiums_statistics_sum_the_rewards() -> None:
    """Lengths are not compared: Gymnasium's versions count them differently."""
    envs = RecordEpisodeStatistics(
        GonzagaVectorEnv(5, 2, reward="score", autoreset_mode="SameStep")
    )
    envs.reset(seed=2)
    rewards, num_ended = np.zeros(5), 0
    for _, given, ended, _, infos in play(envs, 60):
        rewards += given
        num_ended += ended.sum()
        if ended.any():
            np.testing.assert_allclose(infos["episode"]["r"][ended], rewards[ended])
            np.testing.assert_array_equal(infos["final_info"]["score"][ended], rewards[ended])
        rewards[ended] = 0
    assert num_ended >= 10


def test_gymnasiums_list_of_infos_holds_the_end_of_games() -> None:
    envs = DictInfoToList(GonzagaVectorEnv(4, 2, autoreset_mode="SameStep"))
    _, infos = envs.reset(seed=2)
    keys = infos[0].keys()
    for _, rewards, ended, _, infos in play(envs, 30):
        for game, info in enumerate(infos):
            assert info.keys() - {"final_obs", "final_info"} == keys
            assert ("final_info" in info) == ended[game]
            if ended[game]:
                assert info["final_info"].keys() == keys
                assert info["final_info"]["won"] == (rewards[game] + 1) / 2


@pytest.mark.parametrize("actions", [[0], [0, 10**6], [0.0, 1.0], [[0, 1]], 3])
def test_invalid_actions_change_nothing(actions: Any) -> None:
    envs = GonzagaVectorEnv(2)
    envs.reset(seed=0)
    before = envs.engine.state.copy()
    with pytest.raises(ActionError, match="action"):
        envs.step(actions)
    assert envs.engine.state == before
    play(envs, 1)


def test_a_step_before_the_first_reset_asks_for_one() -> None:
    with pytest.raises(ResetNeededError, match=r"reset\(\)"):
        GonzagaVectorEnv(2).step([0, 0])


@pytest.mark.parametrize(
    ("kwargs", "says"),
    [
        ({"num_envs": 0}, "num_envs is 0; it takes an integer of 1 or more"),
        ({"num_envs": 2.0}, "num_envs is 2.0"),
        ({"mask_dtype": "float32"}, "mask_dtype is 'float32'; it takes 'int8' or 'bool'"),
        ({"max_episode_steps": 0}, "max_episode_steps is 0; it takes None or 1 or more"),
    ],
)
def test_wrong_arguments_are_named(kwargs: dict[str, Any], says: str) -> None:
    with pytest.raises(GameError, match=says):
        GonzagaVectorEnv(**kwargs)


def test_what_was_refused_is_closed_without_an_error() -> None:
    """Gymnasium 1.1 closes it when it is collected."""
    GonzagaVectorEnv.__new__(GonzagaVectorEnv).close()


@pytest.mark.parametrize(
    ("kwargs", "says"),
    [
        ({"seed": [1, 2, 3]}, r"seed is \[1, 2, 3\]; it takes one integer, or 2"),
        ({"seed": [1, None]}, r"seed is \[1, None\]"),
        ({"options": {"mask": np.ones(2, dtype=bool)}}, "'mask'.*'deal' and 'reset_mask' only"),
        ({"options": {"reset_mask": [True, False]}}, "reset_mask is .*an array of 2 bool"),
        ({"options": {"reset_mask": np.ones(3, dtype=bool)}}, "an array of 2 bool"),
        ({"options": {"reset_mask": np.zeros(2, dtype=bool)}}, "False for all games"),
    ],
)
def test_wrong_resets_are_named(kwargs: dict[str, Any], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        GonzagaVectorEnv(2).reset(**kwargs)
