"""Environments that draw a map for each game."""

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from gonzaga_env import gonzaga_generated_v0
from gonzaga_env.core.board.tables import tables_for
from gonzaga_env.core.config import GameConfig
from gonzaga_env.kernel.errors import OptionError

MAPS = ("generated:grow-0", "generated:perturb-0", "europe")


def _play(env: gymnasium.Env, seed: int | None) -> tuple[str, float, bytes]:
    """Plays a game; returns its map, its reward and its last observation."""
    _, info = env.reset(seed=seed)
    rng, done, reward = np.random.default_rng(0), False, 0.0
    while not done:
        legal = np.flatnonzero(info["action_mask"])
        observation, reward, done, _, info = env.step(int(rng.choice(legal)))
        assert env.observation_space.contains(observation)
    return env.unwrapped.edition.name, float(reward), observation.tobytes()


def test_a_seed_decides_maps_and_games() -> None:
    env = gymnasium.make("gonzaga/Generated-v0", maps=MAPS[1:], num_players=2)
    seeds = (5, None, None, 6)
    games = [_play(env, seed) for seed in seeds]
    assert {name for name, _, _ in games} == {"Map perturb-0", "Europe"}
    assert [_play(env, seed) for seed in seeds] == games


def test_opponents_are_made_for_each_map() -> None:
    env = gymnasium.make(
        "gonzaga/Generated-v0", maps=MAPS[1:], num_players=2, opponents="greedy", seat=1
    )
    for seed in (5, 6):
        env.reset(seed=seed)
        (opponent,) = env.unwrapped._opponents
        assert opponent.agent._config.edition == env.unwrapped.edition


def test_spaces_are_those_of_europe() -> None:
    env = gymnasium.make_vec("gonzaga/Generated-v0", num_envs=2, maps=MAPS)
    usual = gymnasium.make("gonzaga/Gonzaga-v0")
    assert env.single_observation_space == usual.observation_space
    assert env.single_action_space == usual.action_space
    observations, _ = env.reset(seed=1)
    assert observations.shape == (2, *usual.observation_space.shape)


def test_pettingzoo_plays_them() -> None:
    env = gonzaga_generated_v0.env(num_players=2, maps=MAPS[:1])
    env.reset(seed=1)
    raw = env.unwrapped
    assert (env.metadata["name"], raw.edition.name) == ("gonzaga_generated_v0", "Map grow-0")
    for _agent in env.agent_iter():
        observation, _, over, cut, _ = env.last()
        env.step(None if over or cut else int(observation["action_mask"].argmax()))
    assert not env.agents
    parallel_api_test(gonzaga_generated_v0.parallel_env(num_players=2, maps=MAPS[2:]), 30)


def test_planes_show_the_map() -> None:
    env = gonzaga_generated_v0.raw_env(maps=MAPS[1:2])
    env.reset(seed=0)
    planes, tables = env.map_planes(), tables_for(env.edition)
    assert planes.shape == (20, 316)
    assert (planes[:12].sum(axis=0) == 1).all()  # each hex in one region or sea
    assert planes[18].sum() == planes[19].sum() == 24
    assert (planes[:6].argmax(axis=0) == tables.region[:-1])[planes[:6].any(axis=0)].all()
    sides = sum(len(barrier.edges) for barrier in env.edition.barriers)
    assert planes[12:18].sum() == 2 * sides


@pytest.mark.parametrize("maps", ["all", "", (), (1,)])
def test_other_maps_are_refused(maps: object) -> None:
    with pytest.raises(OptionError, match="maps is"):
        gonzaga_generated_v0.raw_env(maps=maps)


@pytest.mark.parametrize("seed", ["\ud800", 1.5, True])
def test_other_seeds_are_refused(seed: object) -> None:
    for env in (gonzaga_generated_v0.raw_env(), gonzaga_generated_v0.GeneratedEnv()):
        with pytest.raises(OptionError, match="seed is"):
            env.reset(seed=seed)


def test_maps_with_other_hexes_are_refused() -> None:
    env = gonzaga_generated_v0.raw_env(num_players=2, maps=("mini-c3",))
    with pytest.raises(OptionError, match="edition mini-c3 has other hexes than europe"):
        env.reset(seed=0)
    assert len(GameConfig(edition="europe").edition.grid) == 316
