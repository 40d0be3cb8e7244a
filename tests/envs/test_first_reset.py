"""Environments before their first reset: copies, pickles, and what a call then says."""

import copy
import os
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gonzaga_agents import AgentError, make_agent

from gonzaga_env import castles_of_tuscany_v0, gonzaga_generated_v0, gonzaga_v0, signorie_v0
from gonzaga_env.envs.environment import ResetNeededError
from gonzaga_env.envs.sb3 import make_sb3_vec
from gonzaga_env.kernel.errors import GameError

MAPS = ("europe", "generated:perturb-0")
SEATED = (gonzaga_v0, castles_of_tuscany_v0, signorie_v0)
MAKES: dict[str, Callable[[], Any]] = {
    **{
        name: partial(gymnasium.make, f"gonzaga/{name}-v0", num_players=2)
        for name in ("Gonzaga", "CastlesOfTuscany", "Signorie")
    },
    "few": lambda: gymnasium.make_vec("gonzaga/Gonzaga-v0", 2, num_players=2),
    "many": lambda: gymnasium.make_vec("gonzaga/Gonzaga-v0", 50, num_players=2),
    "sb3": lambda: make_sb3_vec(2, 2),
    "aec": lambda: gonzaga_v0.env(2),
    "Generated": lambda: gymnasium.make("gonzaga/Generated-v0", maps=MAPS, num_players=2),
    "generated aec": lambda: gonzaga_generated_v0.env(2, maps=MAPS),
    "generated parallel": lambda: gonzaga_generated_v0.parallel_env(2, maps="perturb"),
}
EVERY_MAKE = pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)


def seed_of(env: Any) -> int:
    """Returns the seed of an environment's first game."""
    env = getattr(env, "envs", env).unwrapped
    return int(env.engine.state.seed[0]) if hasattr(env, "engine") else int(env.game.seed)


def forked(env: Any) -> int:
    """Resets an environment in a child process; returns the seed of its game."""
    reads, writes = os.pipe()
    if (child := os.fork()) == 0:
        env.reset()
        os.write(writes, str(seed_of(env)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writes)
    with os.fdopen(reads) as stream:
        return int(stream.read())


@EVERY_MAKE
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_copies_made_before_the_first_reset_deal_other_games(make: Callable[[], Any]) -> None:
    env = make()
    copies = [env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    seeds = {forked(env)}
    for one in copies:
        one.reset()
        seeds.add(seed_of(one))
    assert len(seeds) == 4


@EVERY_MAKE
def test_copies_of_seeded_environments_stay_equal(make: Callable[[], Any]) -> None:
    env = make()
    if hasattr(env, "envs") and not isinstance(env, gymnasium.Env):
        env.seed(5)
        env.reset()
    else:
        env.reset(seed=5)
    other = pickle.loads(pickle.dumps(env))  # in mid-game
    seeds = []
    for one in (env, copy.deepcopy(env), other):
        one.reset()
        seeds.append(seed_of(one))
    assert seeds == [5, 5, 5]


@pytest.mark.parametrize("num_envs", [2, 50])
def test_games_left_out_of_the_first_reset_are_dealt_from_a_drawn_seed(num_envs: int) -> None:
    envs: Any = gymnasium.make_vec("gonzaga/Gonzaga-v0", num_envs, num_players=2)
    first = np.arange(num_envs) == 0
    seeds = []
    for one in (envs, copy.deepcopy(envs)):
        one.reset(seed=3, options={"reset_mask": first})
        one.reset(options={"reset_mask": ~first})
        assert int(one.unwrapped.engine.state.seed[0]) == 3
        seeds.append(int(one.unwrapped.engine.state.seed[1]))
    assert seeds[0] != seeds[1]


@pytest.mark.parametrize("make", [MAKES["Generated"], MAKES["generated aec"]])
def test_a_pickle_of_generated_maps_goes_on_alike(make: Callable[[], Any]) -> None:
    env = make()
    env.reset(seed=1)
    env.step(int(env.unwrapped.game.mask().argmax()))
    other = pickle.loads(pickle.dumps(env))
    for one in (env, other):
        one.reset()
    assert env.unwrapped.edition == other.unwrapped.edition
    assert env.unwrapped.game.state == other.unwrapped.game.state


@pytest.mark.parametrize(
    "make",
    [
        gonzaga_v0.env,
        gonzaga_generated_v0.raw_env,
        gonzaga_generated_v0.parallel_env,
        gonzaga_generated_v0.GeneratedEnv,
        lambda **given: gymnasium.make("gonzaga/Gonzaga-v0", **given),
        lambda **given: gymnasium.make("gonzaga/Generated-v0", **given),
        lambda **given: gymnasium.make_vec("gonzaga/Signorie-v0", 2, **given),
    ],
)
def test_an_unknown_keyword_is_told_in_pythons_words(make: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'; there") as found:
        make(frameskip=4)
    assert isinstance(found.value, GameError)
    assert "PettingZooGame" not in str(found.value)


@pytest.mark.parametrize("module", SEATED)
def test_calls_before_the_first_reset_ask_for_it(module: Any) -> None:
    env = module.raw_env()
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.last):
        with pytest.raises(ResetNeededError, match=r"call reset\(\)"):
            call()
    assert not hasattr(env, "agent_selection")


def test_a_number_is_no_configuration() -> None:
    with pytest.raises(AgentError, match=r"config is 4; .*GameConfig\(4\)"):
        make_agent("greedy", 4)
