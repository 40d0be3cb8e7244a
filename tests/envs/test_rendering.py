"""Render modes of all environments, and the tools that render them."""

import subprocess
import sys
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

from gonzaga_env import draw, gonzaga_v0
from gonzaga_env.core import OptionError
from gonzaga_env.envs.environment import RENDER_MODES, RENDER_WIDTH
from gonzaga_env.envs.gonzaga_v0 import GonzagaEnv, GonzagaVectorEnv
from gonzaga_env.render.draw import draw_text

ROOT = Path(__file__).parents[2]
ID = "gonzaga/Gonzaga-v0"
MODES = pytest.mark.parametrize("mode", [mode for mode in RENDER_MODES if mode != "human"])
ENVIRONMENTS = pytest.mark.parametrize("make", [gonzaga_v0.env, GonzagaEnv, GonzagaVectorEnv])


def check_frame(frame: Any, mode: str) -> None:
    """Checks type and content of a frame."""
    if mode == "rgb_array":
        assert frame.dtype == np.uint8
        assert frame.shape[1:] == (RENDER_WIDTH, 3)
        assert frame.shape[0] % 2 == frame.shape[1] % 2 == 0  # as video encoders ask
        assert len(np.unique(frame.reshape(-1, 3)[::97], axis=0)) > 50
    elif mode == "svg":
        assert ET.fromstring(frame).tag.endswith("svg")
    else:
        assert "Round 1, planning" in frame
        assert ("\x1b[" in frame) == (mode == "ansi_color")


@MODES
@ENVIRONMENTS
def test_every_environment_renders_every_mode(make: Any, mode: str) -> None:
    env = make(num_players=3, render_mode=mode)
    env.reset(seed=1)
    frames = env.render()
    if make is GonzagaVectorEnv:
        assert isinstance(frames, tuple)
        assert len(frames) == env.num_envs == 1
    for frame in frames if make is GonzagaVectorEnv else [frames]:
        check_frame(frame, mode)
    assert env.metadata["render_modes"] == ["ansi", "ansi_color", "human", "rgb_array", "svg"]
    assert env.metadata["render_fps"] == 2
    assert env.render_mode == mode
    env.close()


@ENVIRONMENTS
def test_wrong_modes_are_refused_and_no_mode_warns(make: Any) -> None:
    says = "render_mode is 'window'; it takes None, 'ansi', 'ansi_color'"
    with pytest.raises(OptionError, match=says):
        make(render_mode="window")
    env = make()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="rgb_array"):
        assert env.render() is None


def test_pictures_show_what_the_learner_sees() -> None:
    for seat in (0, 2):
        env = GonzagaEnv(num_players=3, seat=seat, render_mode="svg")
        env.reset(seed=4)
        assert env.render() == draw(env.game, viewer=seat).svg
        env.render_mode = "rgb_array"
        assert (env.render() == draw(env.game, viewer=seat).to_array(RENDER_WIDTH)).all()
        env.render_mode = "ansi"
        assert env.render() == draw_text(env.edition, env.view(seat))
        assert f"objective of player {seat}: " in env.render()
        env.render_mode = "ansi_color"
        assert env.render() == draw_text(env.edition, env.view(), color=True, coordinates=True)
    many = GonzagaVectorEnv(3, num_players=3, render_mode="svg")
    many.reset(seed=4)
    frames = many.render()
    assert frames == tuple(draw(many, game=game).svg for game in range(3))
    assert len(set(frames)) == 3


@MODES
def test_pictures_of_all_players_show_nothing_hidden(mode: str) -> None:
    frames = []
    for choice in (0, 5, 30):
        env = gonzaga_v0.env(num_players=3, render_mode=mode)
        env.reset(seed=3)
        before = env.render()
        game = env.unwrapped.game
        state = game.state.copy()
        state.objective = np.roll(state.objective, choice, axis=1)
        game.state = state
        assert np.array_equal(env.render(), before)
        legal = np.flatnonzero(env.last()[0]["action_mask"])
        env.step(int(legal[choice % len(legal)]))  # a sealed plan
        frames.append(env.render())
    assert all(np.array_equal(frame, frames[0]) for frame in frames)


@pytest.mark.usefixtures("quick_windows")
@pytest.mark.parametrize("mode", RENDER_MODES)
def test_checks_of_gymnasium_pass(mode: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "WARN: A Box observation space minimum", UserWarning)
        env = gymnasium.make(ID, num_players=2, render_mode=mode)
        check_env(env.unwrapped, skip_render_check=False)
        env.close()


@pytest.mark.usefixtures("quick_windows")
@pytest.mark.parametrize("mode", RENDER_MODES)
@pytest.mark.filterwarnings("ignore:.*:UserWarning")  # PettingZoo comments on flat observations
def test_checks_of_pettingzoo_pass(mode: str) -> None:
    api_test(gonzaga_v0.env(num_players=2, render_mode=mode), num_cycles=40)


def test_environments_are_made_without_pillow() -> None:
    """Stable-baselines3 always asks for "rgb_array"; only `render` needs Pillow."""
    code = (
        "import sys; sys.modules['PIL'] = None\n"
        "import gymnasium, gonzaga_env\n"
        "env = gymnasium.make('gonzaga/Gonzaga-v0', render_mode='rgb_array')\n"
        "env.reset(seed=1)\n"
        "try:\n    env.render()\n"
        "except gonzaga_env.core.MissingPackageError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert 'Pillow is not installed; run: pip install "gonzaga-env[render]"' in done.stdout
    assert done.stdout.count("\n") == 1
