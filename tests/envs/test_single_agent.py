"""The Gymnasium environment for one learner, against games replayed on the engine by hand."""

import re
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from gonzaga_env.core import Engine
from gonzaga_env.core.state import open_sites, winners
from gonzaga_env.envs.environment import ResetNeededError
from gonzaga_env.envs.gonzaga_v0 import GonzagaEnv
from gonzaga_env.envs.registration import register_all
from gonzaga_env.kernel.errors import ActionError, GameError, OptionError
from gonzaga_env.kernel.result import Reward, outcome
from tests.envs.opponents import canny, canny_action

ID = "gonzaga/Gonzaga-v0"


def play(env: gymnasium.Env, num_turns: int) -> list[Any]:
    """Plays random legal actions, game after game; returns everything that the learner gets."""
    rng, seen = np.random.default_rng(0), []
    for _ in range(num_turns):
        masks = env.get_wrapper_attr("action_masks")()
        seen.append(env.step(rng.choice(np.flatnonzero(masks))))
        if seen[-1][2]:
            seen.append(env.reset())
    return seen


def lose_by_an_illegal_action(env: gymnasium.Env) -> tuple[Any, ...]:
    return env.step(int(np.flatnonzero(~env.get_wrapper_attr("action_masks")())[7]))


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("reward", ["outcome", "score", "margin"])
def test_an_episode_is_the_engines_game_seen_from_one_seat(
    num_players: int, reward: Reward
) -> None:
    """The test plays the opponents' moves and sums the rewards itself."""
    seat, options = 1, {"num_players": num_players, "reward": reward}
    env, rng = GonzagaEnv(opponents=canny, seat=seat, **options), np.random.default_rng(0)
    engine = Engine(1, seed=8, autoreset=False, **options)

    def opponents_rewards() -> float:
        given = 0.0
        while engine.seats[0] not in (seat, -1):
            given += float(engine.step([canny_action(engine)]).rewards[0, seat])
        return given

    observation, info = env.reset(seed=8)
    assert opponents_rewards() == 0
    rewards, over = [], False
    while not over:
        np.testing.assert_array_equal(observation, engine.observe()[0])
        np.testing.assert_array_equal(env.action_masks(), engine.legal_action_mask()[0])
        assert_info(info, engine, seat)
        action = rng.choice(np.flatnonzero(env.action_masks()))
        expected = float(engine.step([action]).rewards[0, seat]) + opponents_rewards()
        observation, given, over, truncated, info = env.step(action)
        assert given == pytest.approx(expected, abs=1e-4)
        assert (over, truncated) == (engine.state.finished[0], False)
        rewards.append(given)
    np.testing.assert_array_equal(observation, engine.observe(seat)[0])
    assert_info(info, engine, seat)
    assert not env.action_masks().any()
    assert len(rewards) == 2 * engine.state.round[0]
    totals = engine.state.totals[0]
    others = (totals.sum() - totals[seat]) / (num_players - 1)
    returns = {
        "outcome": outcome(winners(engine.tables, engine.state))[0, seat],
        "score": totals[seat],
        "margin": totals[seat] - others,
    }
    assert sum(rewards) == pytest.approx(returns[reward], abs=1e-3)


def assert_info(info: dict[str, Any], engine: Engine, seat: int) -> None:
    state = engine.state
    won = np.zeros(engine.num_players)
    if state.finished[0]:
        best = winners(engine.tables, state)[0]
        won[best] = 1 / best.sum()
    assert data_equivalence(
        info,
        {
            "action_mask": engine.legal_action_mask()[0].astype(np.int8),
            "score": np.int64(state.totals[0, seat]),
            "scores": state.scores[0, seat],
            "round": np.int64(state.round[0]),
            "last_round": np.int64(state.last_round[0]),
            "open_sites": np.int64(open_sites(engine.tables, state)[0]),
            "rings": np.int64(state.ring_stock[0, seat]),
            "won": won[seat],
            "seat": np.int64(seat),
            "illegal": np.int64(0),
        },
        exact=True,
    )


def test_make_adds_the_usual_wrappers_and_a_game_raises_no_warning() -> None:
    env = gymnasium.make(ID, num_players=2)
    assert "OrderEnforcing<PassiveEnvChecker" in str(env)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    _, info = env.reset(seed=1)
    for _ in range(40):
        action = env.action_space.sample(info["action_mask"])
        assert env.get_wrapper_attr("action_masks")()[action]
        _, _, terminated, _, info = env.step(action)
        if terminated:
            _, info = env.reset()


def test_an_illegal_action_loses_the_game() -> None:
    env = gymnasium.make(ID, num_players=3, reward="score")
    before, first_info = env.reset(seed=4)
    observation, reward, terminated, truncated, info = lose_by_an_illegal_action(env)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    np.testing.assert_array_equal(observation, before)
    assert info.keys() == first_info.keys()
    assert (info["illegal"], info["won"]) == (1, 0.0)
    assert not info["action_mask"].any()
    assert not env.get_wrapper_attr("action_masks")().any()
    with pytest.raises(ResetNeededError, match=r"reset\(\)"):
        env.step(0)
    _, info = env.reset()
    assert info["illegal"] == 0
    assert info["action_mask"].any()


def test_a_step_outside_a_game_asks_for_a_reset() -> None:
    env = GonzagaEnv(2)
    assert not env.action_masks().any()
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"reset\(\)"):
        env.step(0)
    env.reset(seed=0)
    while not play_one(env):
        pass
    with pytest.raises(GameError, match=r"reset\(\)"):
        env.step(0)
    env.reset()
    assert not play_one(env)


def play_one(env: GonzagaEnv) -> bool:
    return env.step(int(env.action_masks().argmax()))[2]


@pytest.mark.parametrize("action", [-1, 10**6, 1.0, [3], None, np.array([3])])
def test_an_action_outside_the_space_changes_nothing(action: Any) -> None:
    env = GonzagaEnv()
    env.reset(seed=0)
    before = env.game.state.copy()
    with pytest.raises(ActionError, match=re.escape(f"action is {action!r}")):
        env.step(action)
    assert env.game.state == before
    play(env, 1)


def test_the_learners_seat_rotates_unless_it_is_fixed() -> None:
    def seats(env: GonzagaEnv) -> list[int]:
        games = [env.reset(seed=6)] + [env.reset() for _ in range(4)]
        for observation, info in games:
            assert env.features.view(observation, "seat").argmax() == info["seat"]
        return [info["seat"] for _, info in games]

    assert seats(GonzagaEnv(4)) == [2, 3, 0, 1, 2]
    assert seats(GonzagaEnv(4, seat=np.int64(3))) == [3, 3, 3, 3, 3]


def test_the_picture_shows_public_information_only() -> None:
    env = gymnasium.make(ID, num_players=2, seat=1, render_mode="ansi")
    env.reset(seed=1)
    pictures = set()
    for action in np.flatnonzero(env.unwrapped.action_masks())[:3]:
        state = env.unwrapped.game.state.copy()
        state.plan[0, 0] = action  # the opponent's, sealed
        env.unwrapped.game.state = state
        pictures.add(env.render())
    assert len(pictures) == 1
    while not env.step(int(env.unwrapped.action_masks().argmax()))[2]:
        pass
    assert "won by player" in env.render()


@pytest.mark.parametrize(
    ("kwargs", "says"),
    [
        ({"seed": "7"}, "seed is '7'"),
        ({"seed": 1.5}, "seed is 1.5"),
        ({"options": {"deal": 3}}, "deal is 3"),
        ({"options": {"deals": 3}}, "'deals'.*'deal' only"),
    ],
)
def test_wrong_resets_are_named_and_change_nothing(kwargs: dict[str, Any], says: str) -> None:
    env = GonzagaEnv()
    env.reset(seed=1)
    before = env.game.state.copy()
    with pytest.raises(OptionError, match=says):
        env.reset(**kwargs)
    assert env.game.state == before
    play(env, 1)


def test_it_is_registered_once_and_imported_when_it_is_made() -> None:
    register_all()  # a second time: an override would warn
    program = f"""
import sys, warnings
import gonzaga_env
warnings.simplefilter("error")
assert not any(name.startswith("gonzaga_env.envs.gonzaga") for name in sys.modules)
import gymnasium
gymnasium.make("gonzaga_env:{ID}")
"""
    subprocess.run([sys.executable, "-c", program], check=True)
