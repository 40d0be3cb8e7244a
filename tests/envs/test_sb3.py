"""N games as Stable-Baselines3 takes them, and its models as opponents and agents."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gonzaga_agents import evaluate, make_agent
from gonzaga_agents.heuristics.gonzaga import HeuristicAgent
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecNormalize

from gonzaga_env.core import GameConfig
from gonzaga_env.envs.learner_games import BatchGames
from gonzaga_env.envs.opponents import as_opponents
from gonzaga_env.envs.sb3 import SB3Agent, make_sb3_vec
from gonzaga_env.envs.torchrl import make_torchrl
from gonzaga_env.kernel.errors import MissingPackageError, OptionError

ID = "gonzaga/Gonzaga-v0"
SMALL: dict[str, Any] = {
    **{"n_steps": 4, "batch_size": 8, "n_epochs": 1, "device": "cpu", "seed": 0},
    "policy_kwargs": {"net_arch": [8]},
}


def first_legal(envs: Any) -> np.ndarray:
    return get_action_masks(envs).argmax(axis=1)


@pytest.mark.parametrize("num_envs", [3, 50])
def test_the_games_are_those_of_make_vec(num_envs: int) -> None:
    options: dict[str, Any] = {"num_players": 2, "opponents": "greedy", "reward": "score"}
    games = make_sb3_vec(num_envs, seed=7, **options)
    envs: Any = gymnasium.make_vec(ID, num_envs, autoreset_mode="SameStep", **options)
    # `VecEnv.seed` gives a list of seeds, which are the same games.
    assert np.array_equal(games.reset(), envs.reset(seed=list(range(7, 7 + num_envs)))[0])
    returns, lengths = np.zeros(num_envs), np.zeros(num_envs, int)
    ended_games = 0
    for _ in range(30):
        actions = first_legal(games)
        assert np.array_equal(get_action_masks(games), envs.unwrapped.action_masks())
        observations, rewards, dones, infos = games.step(actions)
        expected, given, terminated, _, found = envs.step(actions)
        assert np.array_equal(observations, expected)
        assert np.array_equal(rewards, given.astype(np.float32))
        assert np.array_equal(dones, terminated)
        returns, lengths = returns + given, lengths + 1
        for row, info in enumerate(infos):
            if not dones[row]:
                assert info == {}
                continue
            ended_games += 1
            assert np.array_equal(info["terminal_observation"], found["final_obs"][row])
            assert info["TimeLimit.truncated"] is False
            assert (info["episode"]["r"], info["episode"]["l"]) == (returns[row], lengths[row])
            assert info["score"] == found["final_info"]["score"][row]
            returns[row] = lengths[row] = 0
    assert ended_games >= num_envs


def test_a_seed_decides_everything_and_the_next_reset_deals_other_games() -> None:
    one, other = (make_sb3_vec(3, 2, "greedy", seed=5) for _ in range(2))
    first = one.reset()
    assert np.array_equal(first, other.reset())
    assert not np.array_equal(first, one.reset())
    one.seed(5)
    assert np.array_equal(first, one.reset())
    assert make_sb3_vec(2, 2).reset().shape[0] == 2  # without a seed


def test_maskable_ppo_learns_and_is_evaluated() -> None:
    envs = make_sb3_vec(4, 2, "greedy", seed=0)
    model = MaskablePPO("MlpPolicy", envs, **SMALL)
    model.learn(100)
    assert model.ep_info_buffer
    assert all(info["l"] >= 14 for info in model.ep_info_buffer), "no illegal action ended a game"
    _, lengths = evaluate_policy(model, envs, n_eval_episodes=4, return_episode_rewards=True)
    assert all(14 <= length <= 24 for length in lengths)


def test_what_a_vec_env_answers() -> None:
    envs = make_sb3_vec(3, 2, seed=0, render_mode="rgb_array")
    envs.reset()
    assert is_masking_supported(envs)
    assert not envs.has_attr("no_such_attribute")
    assert envs.get_attr("num_envs", indices=[0, 2]) == [3, 3]
    masks = get_action_masks(envs)
    assert np.array_equal(envs.env_method("action_masks", indices=1)[0], masks[1])
    assert [view.viewer for view in envs.env_method("view")] == envs.envs._games.seats.tolist()
    assert [image.ndim for image in envs.get_images()] == [3, 3, 3]
    with pytest.raises(AttributeError, match="take action_masks or view"):
        envs.env_method("reset")
    with pytest.raises(AttributeError, match="make_sb3_vec"):
        envs.set_attr("opponents", None)
    envs.close()


def test_truncated_games_say_so() -> None:
    envs = make_sb3_vec(3, 2, seed=0, max_episode_steps=5)
    envs.reset()
    for turn in range(1, 11):
        _, _, dones, infos = envs.step(first_legal(envs))
        assert dones.all() == dones.any() == (turn % 5 == 0)
    assert [info["TimeLimit.truncated"] for info in infos] == [True] * 3
    assert [info["episode"]["l"] for info in infos] == [5] * 3


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"normalised": True},
        {"mask": "observation", "keys": ("seen", "legal"), "mask_dtype": "bool"},
    ],
)
def test_a_model_plays_as_opponent_whatever_it_sees(options: dict[str, Any]) -> None:
    envs = make_sb3_vec(2, 2, seed=0, **options)
    policy = "MultiInputPolicy" if "mask" in options else "MlpPolicy"
    model = MaskablePPO(policy, envs, **SMALL)
    among = make_sb3_vec(50, 2, model, seed=0)
    among.reset()
    for _ in range(26):
        _, _, _, infos = among.step(first_legal(among))
        assert not any(info.get("illegal") for info in infos)
    assert gymnasium.make(ID, num_players=2, opponents=model).reset(seed=0)[1]["illegal"] == 0


def test_a_model_plays_its_current_policy_and_what_normalised_its_observations() -> None:
    envs = VecNormalize(make_sb3_vec(2, 2, seed=0))
    model = MaskablePPO("MlpPolicy", envs, **SMALL)
    agent = SB3Agent(model, GameConfig(2), deterministic=True)
    games = BatchGames(envs.unwrapped.envs.game_spec, GameConfig(2), 4)
    games.deal(3)
    games.start(np.random.default_rng(0))
    rows, rng = np.arange(4), np.random.default_rng(0)
    observations, masks = games.observe(rows), games.action_masks(rows)
    for _ in range(2):
        expected, _ = model.predict(
            envs.normalize_obs(observations), action_masks=masks, deterministic=True
        )
        assert np.array_equal(agent.act(observations, masks, rng), expected)
        model.learn(16)


def test_drawn_actions_follow_the_policy() -> None:
    model = MaskablePPO("MlpPolicy", make_sb3_vec(2, 2, seed=0), **SMALL)
    games = make_sb3_vec(1, 2, seed=0)
    observation, mask = games.reset(), get_action_masks(games)
    inputs, _ = model.policy.obs_to_tensor(observation)
    with_mask = model.policy.get_distribution(inputs, mask).distribution.probs[0]
    agent, count = SB3Agent(model, GameConfig(2)), 4000
    drawn = agent.act(observation.repeat(count, 0), mask.repeat(count, 0), np.random.default_rng(0))
    found = np.bincount(drawn, minlength=mask.shape[1]) / count
    assert np.abs(found - with_mask.detach().numpy()).max() < 0.02


def test_a_model_is_an_agent() -> None:
    model = MaskablePPO("MlpPolicy", make_sb3_vec(2, 2, seed=0), **SMALL)
    assert make_agent(model, GameConfig(2)).name == "MaskablePPO"
    assert make_agent(lambda config: model, GameConfig(2)).name == "MaskablePPO"
    names = [agent.name for agent in evaluate([model, "random"], deals=2, seed=0).agents]
    assert names == ["MaskablePPO", "random"]


class NoPolicy:
    """What SB3 would call a model, of a class that has no distribution."""

    policy = object()

    def predict(self) -> None:
        raise AssertionError


def test_models_of_other_games_or_classes_are_refused() -> None:
    model = MaskablePPO("MlpPolicy", make_sb3_vec(2, 2, seed=0), **SMALL)
    with pytest.raises(OptionError, match=r"model takes Box.* and 3203 actions"):
        make_sb3_vec(2, 3, model)
    with pytest.raises(OptionError, match="NoPolicy, which has no distribution over actions"):
        make_sb3_vec(2, 2, NoPolicy())
    with pytest.raises(OptionError, match="autoreset_mode is given"):
        make_sb3_vec(2, 2, autoreset_mode="NextStep")
    with pytest.raises(OptionError, match="seed is 'x'; it takes an integer"):
        make_sb3_vec(2, 2, seed="x")  # type: ignore[arg-type]


def test_tuscany_is_played_too() -> None:
    envs = make_sb3_vec(3, 2, "random", seed=0, game="tuscany")
    envs.reset()
    for _ in range(3):
        envs.step(first_legal(envs))
    with pytest.raises(OptionError, match="known: gonzaga, tuscany"):
        make_sb3_vec(3, game="chess")


def test_the_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gonzaga_env.envs.sb3")
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.monitor", None)
    with pytest.raises(MissingPackageError, match=r'pip install "gonzaga-env\[train\]"'):
        import_module("gonzaga_env.envs.sb3")
    monkeypatch.setitem(sys.modules, "torchrl.envs", None)
    with pytest.raises(MissingPackageError, match="pip install torchrl"):
        make_torchrl(2)


STRANGER = """
from gonzaga_agents.heuristics.gonzaga import GreedyAgent
class Stranger(GreedyAgent):
    def act_in(self, *given):
        raise AssertionError("a stranger's code was given the engine")
"""


def test_only_agents_of_the_package_choose_from_the_engine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "stranger.py"
    file.write_text(STRANGER)
    stranger = make_agent(f"{file}:Stranger", GameConfig(2))
    for opponent in (f"{file}:Stranger", stranger, type(stranger)):
        envs = make_sb3_vec(50, 2, opponent, seed=0)
        envs.reset()
        envs.step(first_legal(envs))

    def refuse(*arguments: Any) -> None:
        pytest.fail("greedy is asked by `act_in`")

    monkeypatch.setattr(HeuristicAgent, "act", refuse)
    envs = make_sb3_vec(50, 2, "greedy", seed=0)
    envs.reset()
    envs.step(first_legal(envs))


def test_a_named_opponent_also_answers_to_observations() -> None:
    (greedy,) = as_opponents("greedy", GameConfig(2))
    games: Any = gymnasium.make_vec(ID, 3, num_players=2).unwrapped
    observations, _ = games.reset(seed=0)
    masks = games.action_masks()
    assert greedy is not None
    actions = greedy(observations, masks, np.random.default_rng(0))
    assert masks[np.arange(3), actions].all()
