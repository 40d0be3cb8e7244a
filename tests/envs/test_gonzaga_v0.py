"""The PettingZoo environment."""

import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest

import gonzaga_env
from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine
from gonzaga_env.core.state import Deal
from gonzaga_env.envs.gonzaga_v0 import GonzagaEnv
from gonzaga_env.kernel.errors import OptionError


def choose(observation: dict[str, np.ndarray], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def play(env, steps: int, seed: int = 0) -> list[object]:
    """Plays random legal actions and returns everything that the agents get."""
    rng, seen = np.random.default_rng(seed), []
    for agent in env.agent_iter(steps):
        observation, reward, terminated, truncated, info = env.last()
        info = {k: v.tolist() if k == "scores" else v for k, v in info.items()}
        raw = [observation["observation"].tobytes(), observation["action_mask"].tobytes()]
        seen.append((agent, raw, reward, terminated, truncated, info))
        env.step(None if terminated or truncated else choose(observation, rng))
    return seen


def test_rewards_reach_every_agent_and_infos_keep_their_keys() -> None:
    env = gonzaga_v0.env(num_players=3, reward="outcome")
    env.reset(seed=2)
    seen = play(env, 10_000)
    ends = seen[-3:]
    assert {agent for agent, *_ in ends} == {"player_0", "player_1", "player_2"}
    assert all(terminated for _, _, _, terminated, _, _ in ends)
    assert sum(reward for _, _, reward, *_ in ends) == 0
    best = max(ends, key=lambda end: end[-1]["score"])
    assert best[2] > 0
    assert best[-1]["won"] > 0
    assert all(reward == 0 for _, _, reward, *_ in seen[:-3])
    keys = {tuple(info) for *_, info in seen}
    assert len(keys) == 1
    assert {type(value) for *_, info in seen for value in info.values()} == {
        np.int64,
        np.float64,
        list,
    }
    for _, _, _, _, _, info in ends:
        assert sum(info["scores"]) == info["score"]


@pytest.mark.filterwarnings("ignore:.*:UserWarning")  # the wrapper logs the illegal move
def test_env_turns_an_illegal_action_into_a_loss() -> None:
    env = gonzaga_v0.env(num_players=3)
    env.reset(seed=1)
    play(env, 5)
    loser = env.agent_selection
    env.step(int(np.flatnonzero(env.observe(loser)["action_mask"] == 0)[0]))
    assert env.rewards == {agent: -1.0 * (agent == loser) for agent in env.possible_agents}
    assert all(env.terminations.values())
    assert not env.observe(loser)["action_mask"].any()
    while env.agents:
        env.step(None)


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has it from 1.27 on")
def test_the_registry_knows_it() -> None:
    env = pettingzoo.make("aec", "gonzaga/gonzaga-v0", num_players=2)
    env.reset(seed=0)
    assert env.metadata["name"] == "gonzaga_v0"
    assert len(env.agents) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # registering twice is not an override
        gonzaga_env.envs.registration.register_all()


def test_infos_and_rewards_follow_an_assigned_state() -> None:
    env, other = gonzaga_v0.raw_env(num_players=3), gonzaga_v0.raw_env(num_players=3)
    for one in (env, other):
        one.reset(seed=4)
        for _ in range(3 + 6 * 3):
            one.step(int(np.flatnonzero(one.observe(one.agent_selection)["action_mask"])[-1]))
    later = other.game.state.copy()
    env.reset(seed=5)
    env.game.state = later
    env.agent_selection = other.agent_selection
    for one in (env, other):
        one.rewards["player_0"] = 5.0  # set by the caller; the next step overwrites it
        one.step(int(np.flatnonzero(one.observe(one.agent_selection)["action_mask"])[-1]))
    assert env.rewards == other.rewards == dict.fromkeys(env.agents, 0.0)
    for agent in env.agents:
        for key, value in other.infos[agent].items():
            assert np.array_equal(env.infos[agent][key], value), key


@pytest.mark.parametrize("make", [gonzaga_v0.raw_env, gonzaga_v0.parallel_env, GonzagaEnv])
def test_given_deals_are_played(make: Any) -> None:
    env, source = make(2), Engine(1, 2, seed=99).state
    env.reset(options={"deal": Deal(source.scenario, source.deck, source.objective)})
    assert (env.game.state.deck == source.deck).all()
    with pytest.raises(OptionError, match="deal"):
        env.reset(options={"deal": Deal([0], [[0]], [[0]])})
