"""The vector environment against Gymnasium's own, which steps single environments in a loop."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from gonzaga_env.core import Engine
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.envs.learner import ResetNeededError
from gonzaga_env.envs.single_agent import GonzagaEnv
from gonzaga_env.envs.vector import GonzagaVectorEnv
from gonzaga_env.tabletop.errors import ActionError, GameError, OptionError
from gonzaga_env.tabletop.rewards import Reward
from tests.envs.opponents import canny

ID = "gonzaga/Gonzaga-v0"


def choose(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Returns a random legal action of each row."""
    return (masks * rng.random(masks.shape)).argmax(axis=1)


def play(envs: VectorEnv, num_turns: int) -> list[Any]:
    """Plays random legal actions and returns everything that the learner gets."""
    rng, masks = np.random.default_rng(0), envs.unwrapped.action_masks
    return [envs.step(choose(masks(), rng)) for _ in range(num_turns)]


@pytest.mark.parametrize("num_envs", [1, 3, 64])
def test_make_vec_outputs_are_in_the_spaces(num_envs: int) -> None:
    envs = gymnasium.make_vec(ID, num_envs=num_envs, num_players=3)
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


@pytest.mark.parametrize(
    ("num_players", "reward", "seat"), [(2, "score", None), (3, "margin", 1), (4, "outcome", None)]
)
def test_game_i_is_the_single_environment_with_its_seed(
    num_players: int, reward: Reward, seat: int | None
) -> None:
    """Over several episodes, all outputs equal those of Gymnasium's loop exactly."""
    options = {"num_players": num_players, "reward": reward, "seat": seat, "opponents": canny}
    envs = gymnasium.make_vec(ID, num_envs=3, **options)
    loop = SyncVectorEnv([lambda: GonzagaEnv(**options)] * 3, autoreset_mode="SameStep")
    rng, num_ended, num_illegal = np.random.default_rng(0), 0, 0
    assert data_equivalence(envs.reset(seed=5), loop.reset(seed=5), exact=True)
    for turn in range(60):
        actions = choose(envs.action_masks(), rng)
        if turn % 25 == 20:
            actions[turn % 3] = envs.action_masks()[turn % 3].argmin()
        given = envs.step(actions)
        assert data_equivalence(given, loop.step(actions), exact=True)
        num_ended += given[2].sum()
        num_illegal += given[4].get("final_info", {}).get("illegal", np.zeros(3)).sum()
    assert num_ended >= 6
    assert num_illegal == 2
    assert data_equivalence(envs.reset(), loop.reset(), exact=True)


def test_illegal_actions_lose_their_own_games_only() -> None:
    envs = GonzagaVectorEnv(4, 3)
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
    envs = RecordEpisodeStatistics(GonzagaVectorEnv(5, 2, reward="score"))
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
    envs = DictInfoToList(GonzagaVectorEnv(4, 2))
    _, infos = envs.reset(seed=2)
    keys = infos[0].keys()
    for _, rewards, ended, _, infos in play(envs, 30):
        for game, info in enumerate(infos):
            assert info.keys() - {"final_obs", "final_info"} == keys
            assert ("final_info" in info) == ended[game]
            if ended[game]:
                assert info["final_info"].keys() == keys
                assert info["final_info"]["won"] == (rewards[game] + 1) / 2


def test_seeds_determine_everything() -> None:
    def episodes(seed: Any) -> list[Any]:
        envs = GonzagaVectorEnv(3, 3, opponents=[canny, None])
        return [envs.reset(seed=seed), *play(envs, 30), envs.reset()]

    first = episodes(5)
    assert data_equivalence(first, episodes(5), exact=True)
    assert data_equivalence(first, episodes([5, 6, 7]), exact=True)
    assert not data_equivalence(first, episodes(6), exact=True)


def test_fresh_environments_without_a_seed_differ() -> None:
    decks = []
    for _ in range(2):
        envs = GonzagaVectorEnv(2)
        envs.reset()
        decks.append(envs.engine.state.deck.tolist())
    assert decks[0] != decks[1]


def test_given_deals_are_played() -> None:
    envs, source = GonzagaVectorEnv(2, 3), Engine(2, 3, seed=99).state
    envs.reset(options={"deal": Deal(source.scenario, source.deck, source.objective)})
    assert (envs.engine.state.deck == source.deck).all()


@pytest.mark.parametrize(
    "twin", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))], ids=["deepcopy", "pickle"]
)
def test_copies_in_mid_game_continue_alike_and_independently(twin: Any) -> None:
    envs = gymnasium.make_vec(ID, num_envs=4, num_players=2, opponents=[canny, None])
    envs.reset(seed=3)
    play(envs, 10)
    other = twin(envs)
    state = envs.engine.state.copy()
    ahead = play(other, 20)
    assert envs.engine.state == state
    assert data_equivalence(play(envs, 20), ahead, exact=True)


def test_earlier_outputs_do_not_change() -> None:
    envs = GonzagaVectorEnv(3, 2)
    given = [envs.reset(seed=0)]
    kept = copy.deepcopy(given)
    for _ in range(30):
        given += play(envs, 1)
        kept.append(copy.deepcopy(given[-1]))
    assert data_equivalence(given, kept, exact=True)


def test_a_step_before_the_first_reset_asks_for_one() -> None:
    envs = GonzagaVectorEnv(2)
    with pytest.raises(ResetNeededError, match=r"reset\(\)"):
        envs.step([0, 0])


@pytest.mark.parametrize("actions", [[0], [0, 10**6], [0.0, 1.0], [[0, 1]], 3])
def test_invalid_actions_change_nothing(actions: Any) -> None:
    envs = GonzagaVectorEnv(2)
    envs.reset(seed=0)
    before = envs.engine.state.copy()
    with pytest.raises(ActionError, match="action"):
        envs.step(actions)
    assert envs.engine.state == before
    play(envs, 1)


@pytest.mark.parametrize(
    ("kwargs", "says"),
    [
        ({"num_envs": 0}, "num_envs is 0; it takes an integer of 1 or more"),
        ({"num_envs": 2.0}, "num_envs is 2.0"),
        ({"num_players": 1}, "num_players is 1"),
        ({"edition": "atlantis"}, "'atlantis'"),
        ({"render_mode": "window"}, "render_mode is 'window'"),
        ({"seat": 2, "num_players": 2}, "seat is 2; it takes None or 0 to 1"),
        ({"opponents": [None, 7]}, "opponent is 7; it takes"),
    ],
)
def test_wrong_arguments_are_named(kwargs: dict[str, Any], says: str) -> None:
    with pytest.raises(GameError, match=says):
        GonzagaVectorEnv(**kwargs)


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
