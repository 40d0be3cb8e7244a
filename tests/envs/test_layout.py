"""Where observations and masks lie, the state for critics, and specs that survive JSON."""

import copy
import json
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from gonzaga_env import gonzaga_v0
from gonzaga_env.core import Engine, GameError, OptionError, Rules
from gonzaga_env.envs.gonzaga_v0 import GonzagaEnv, GonzagaVectorEnv
from tests.envs.opponents import canny

ID = "gonzaga/Gonzaga-v0"
OPTIONS: list[dict[str, Any]] = [
    {"mask": "info"},
    {"mask": "info", "normalised": True},
    {"mask": "observation"},
    {"mask": "observation", "keys": ["observations", "mask"], "normalised": True},
    {"mask": "observation", "mask_dtype": "bool"},
    {"mask": "info", "mask_dtype": "bool"},
]
ALL_OPTIONS = pytest.mark.parametrize("options", OPTIONS, ids=lambda o: " ".join(map(str, o)))


def unpacked(given: Any, info: dict[str, Any], options: dict[str, Any]) -> tuple[Any, Any]:
    """Returns observation and mask, wherever they lie."""
    key, mask_key = options.get("keys", ("observation", "action_mask"))
    if options["mask"] == "info":
        return given, info[mask_key]
    assert mask_key not in info
    assert list(given) == [key, mask_key]
    return given[key], given[mask_key]


@ALL_OPTIONS
def test_one_learner_gets_the_same_in_every_layout(options: dict[str, Any]) -> None:
    plain = GonzagaEnv(2, opponents=canny)
    env = GonzagaEnv(2, opponents=canny, **options)
    expected, given = plain.reset(seed=3), env.reset(seed=3)
    over = False
    while not over:
        observation, mask = unpacked(*given, options)
        if options.get("normalised"):
            expected = plain.features.normalise(expected[0]), expected[1]
        assert (observation == expected[0]).all()
        assert observation.dtype == expected[0].dtype
        assert (mask == expected[1]["action_mask"]).all()
        assert mask.dtype == np.dtype(options.get("mask_dtype", "int8"))
        assert given[0] in env.observation_space
        action = int(np.flatnonzero(mask)[-1])
        *expected, over, _, info = plain.step(action)
        expected = expected[0], info
        given = env.step(action)
        assert given[2] == over
        given = given[0], given[4]
    assert not unpacked(*given, options)[1].any()


@ALL_OPTIONS
def test_gymnasiums_checker_passes(options: dict[str, Any]) -> None:
    check_env(gymnasium.make(ID, num_players=2, opponents=canny, **options).unwrapped)


@ALL_OPTIONS
@pytest.mark.filterwarnings(  # PettingZoo warns of every Dict observation
    "ignore:Observation space for each agent:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)
def test_pettingzoos_tests_pass(options: dict[str, Any]) -> None:
    if "mask_dtype" in options:
        pytest.skip("PettingZoo's tests sample actions, and Gymnasium's Discrete takes int8 masks")
    options = {key: value for key, value in options.items() if key != "keys"}  # it knows its own
    api_test(gonzaga_v0.env(num_players=2, **options), num_cycles=200)
    seed_test(lambda: gonzaga_v0.env(num_players=2, **options), num_cycles=50)


@ALL_OPTIONS
def test_agents_get_the_same_in_every_layout(options: dict[str, Any]) -> None:
    plain, env = gonzaga_v0.raw_env(num_players=3), gonzaga_v0.raw_env(num_players=3, **options)
    plain.reset(seed=1)
    env.reset(seed=1)
    while not any(plain.terminations.values()):
        handed_out = env.infos, copy.deepcopy(env.infos)
        for agent in plain.agents:
            expected = plain.observe(agent)
            observation, mask = unpacked(env.observe(agent), env.infos[agent], options)
            if options.get("normalised"):
                expected["observation"] = plain.features.normalise(expected["observation"])
            assert (observation == expected["observation"]).all()
            assert (mask == expected["action_mask"]).all()
            assert env.observe(agent) in env.observation_space(agent)
        action = int(np.flatnonzero(expected_mask(plain))[-1])
        plain.step(action)
        env.step(action)
        assert str(handed_out[0]) == str(handed_out[1])
    assert env.terminations == plain.terminations


def expected_mask(env: gonzaga_v0.raw_env) -> np.ndarray:
    return env.observe(env.agent_selection)["action_mask"]


def test_an_illegal_action_loses_with_the_mask_in_the_infos() -> None:
    env = gonzaga_v0.env(num_players=2, mask="info")
    env.reset(seed=0)
    loser = env.agent_selection
    env.step(int(env.infos[loser]["action_mask"].argmin()))
    assert env.rewards[loser] == -1


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_state_is_all_that_anybody_knows_and_the_decks(
    num_players: int, normalised: bool
) -> None:
    env = gonzaga_v0.env(num_players=num_players, normalised=normalised)
    env.reset(seed=5)
    engine = Engine(1, num_players, seed=5)
    for _ in range(3 * num_players):
        state = env.state()
        assert state in env.state_space
        views = np.concatenate([engine.observe(seat)[0] for seat in range(num_players)])
        decks = engine.state.deck[0].ravel() + 1
        if normalised:
            views = views / np.tile(engine.features.scales, num_players)
            decks = decks / 12
        np.testing.assert_allclose(state, np.concatenate([views, decks]), rtol=1e-6)
        action = engine.sample_legal(np.random.default_rng(0))
        env.step(int(action[0]))
        engine.step(action)


def test_the_state_tells_sealed_plans_apart_which_no_other_agent_sees() -> None:
    states, views = set(), set()
    for plan in range(4):
        env = gonzaga_v0.env(num_players=3)
        env.reset(seed=2)
        env.step(int(np.flatnonzero(env.observe("player_0")["action_mask"])[plan]))
        states.add(env.state().tobytes())
        views.add(env.observe("player_1")["observation"].tobytes())
    assert (len(states), len(views)) == (4, 1)


@pytest.mark.parametrize("rules", [Rules("first_only", 3), {"sea_league": "first_only"}])
def test_specs_survive_json(rules: Any) -> None:
    env = gymnasium.make(ID, num_players=3, rules=rules, opponents=["random", None], seat=1)
    text = env.spec.to_json()
    again = gymnasium.make(EnvSpec.from_json(text))
    assert again.spec.to_json() == text
    assert again.unwrapped.game.rules == env.unwrapped.game.rules != Rules()
    assert (again.reset(seed=1)[0] == env.reset(seed=1)[0]).all()
    many = gymnasium.make_vec(ID, num_envs=2, rules=rules, autoreset_mode="NextStep")
    assert json.loads(many.spec.to_json())["kwargs"]["autoreset_mode"] == "NextStep"


@pytest.mark.parametrize("make", [GonzagaEnv, GonzagaVectorEnv, gonzaga_v0.env, Engine])
def test_rules_may_be_a_mapping_everywhere(make: Any) -> None:
    env = make(rules={"first_check_round": 2})
    game = getattr(env, "game", None) or getattr(env, "engine", env)
    assert game.rules == Rules(first_check_round=2)
    with pytest.raises(OptionError, match="rules hold 'sea'; there are: sea_league, first"):
        make(rules={"sea": 1})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"mask": "infos"}, "mask is 'infos'; it takes 'info' or 'observation'"),
        ({"keys": ("a",)}, "keys are .* two names"),
        ({"keys": ("a", "a")}, "keys are .* two names"),
        ({"keys": "ab"}, "keys are 'ab'; they take two names"),
        ({"keys": ("a", 1)}, "keys are .* two names"),
        ({"keys": None}, "keys are None; they take two names"),
        ({"keys": (["a"], "b")}, "keys are .* two names"),
        ({"normalised": "yes"}, "normalised is 'yes'; it takes True or False"),
    ],
)
@pytest.mark.parametrize("make", [GonzagaEnv, GonzagaVectorEnv, gonzaga_v0.raw_env])
def test_wrong_layouts_are_named(make: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(GameError, match=says):
        make(**options)


def test_the_wrapped_environment_needs_pettingzoos_key() -> None:
    with pytest.raises(OptionError, match=r"'mask'; .*'action_mask' only, so use raw_env"):
        gonzaga_v0.env(keys=("obs", "mask"))


def test_batches_of_dictionaries_are_in_the_space() -> None:
    envs = GonzagaVectorEnv(3, 2, mask="observation", normalised=True)
    observations, infos = envs.reset(seed=0)
    assert isinstance(envs.single_observation_space, spaces.Dict)
    assert observations in envs.observation_space
    assert "action_mask" not in infos
    assert (observations["action_mask"] == envs.action_masks()).all()
