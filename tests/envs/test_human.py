"""`render_mode="human"` of all environments, on SDL's driver without a screen."""

import copy
from typing import Any

import gymnasium
import pygame
import pytest
from gymnasium.vector import SyncVectorEnv

from gonzaga_env import draw, gonzaga_v0
from gonzaga_env.envs.environment import RENDER_WIDTH
from gonzaga_env.envs.single_agent import GonzagaEnv
from gonzaga_env.envs.vector import GonzagaVectorEnv

ID = "gonzaga/Gonzaga-v0"
pytestmark = pytest.mark.usefixtures("quick_windows")


def shown(env: Any) -> Any:
    """Returns the pixels in the window of an environment, [height, width, 3]."""
    surface = env.unwrapped._window._window.get_surface()
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)


def test_the_window_shows_what_rgb_array_returns_after_every_reset_and_step() -> None:
    env, frames = (gonzaga_v0.env(num_players=3, render_mode=m) for m in ("human", "rgb_array"))
    for both in (env, frames):
        both.reset(seed=1)
    for _ in range(8):
        assert (shown(env) == frames.render()).all()
        assert env.render() is None
        action = int(env.last()[0]["action_mask"].argmax())
        for both in (env, frames):
            both.step(action)
    env.close()
    frames.close()


def test_gymnasium_shows_the_learners_game() -> None:
    env = gymnasium.make(ID, num_players=3, seat=1, render_mode="human")
    _, info = env.reset(seed=1)
    for _ in range(4):
        game = env.unwrapped.game  # type: ignore[attr-defined]
        assert (shown(env) == draw(game, viewer=1).to_array(RENDER_WIDTH)).all()
        info = env.step(int(info["action_mask"].argmax()))[-1]
    assert env.render() is None
    env.close()
    assert not pygame.display.get_init()


def test_many_games_share_a_window() -> None:
    envs = gymnasium.make_vec(ID, num_envs=12, num_players=2, render_mode="human")
    _, info = envs.reset(seed=1)
    for _ in range(2):
        pixels = shown(envs)
        for game in range(9):
            expected = draw(envs, game=game).to_array(400)
            high = len(expected)
            top, left = game // 3 * high, game % 3 * 400
            assert (pixels[top : top + high, left : left + 400] == expected).all()
        info = envs.step(info["action_mask"].argmax(axis=1))[-1]
    window = envs.unwrapped._window  # type: ignore[attr-defined]
    assert window._window.title == "Gonzaga: 9 of 12 games"
    assert envs.render() is None
    envs.close()
    assert not window.is_open


def test_one_game_of_a_vector_environment_is_shown_large() -> None:
    envs = GonzagaVectorEnv(1, num_players=2, render_mode="human")
    envs.reset(seed=1)
    assert (shown(envs) == draw(envs).to_array(RENDER_WIDTH)).all()
    envs.close()


def test_several_environments_have_windows_of_their_own() -> None:
    envs = SyncVectorEnv([lambda: GonzagaEnv(num_players=2, render_mode="human")] * 2)
    envs.reset(seed=1)
    first, second = (shown(env) for env in envs.envs)
    assert (first != second).any()
    envs.close()
    assert not pygame.display.get_init()


def test_play_goes_on_when_the_window_is_closed() -> None:
    env = GonzagaEnv(num_players=2, render_mode="human")
    _, info = env.reset(seed=1)
    event = pygame.event.Event(pygame.WINDOWCLOSE, window=env._window._window)
    pygame.event.post(event)
    ended = False
    while not ended:
        _, _, ended, _, info = env.step(int(info["action_mask"].argmax()))
    assert not env._window.is_open
    env.reset()
    assert env.render() is None
    assert not env._window.is_open
    env.close()


def test_branches_of_a_game_open_no_windows() -> None:
    env = gonzaga_v0.env(num_players=2, render_mode="human")
    env.reset(seed=1)
    before, branch = shown(env), copy.deepcopy(env)
    branch.step(int(branch.last()[0]["action_mask"].argmax()))
    assert not branch.unwrapped._window.is_open
    assert (shown(env) == before).all()
    env.close()


def test_the_speed_of_an_environment_is_that_of_its_metadata(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[float | None] = []
    monkeypatch.setattr(
        "gonzaga_env.render.window.GameWindow.show",
        lambda self, pictures, title, fps: asked.append(fps),
    )
    for make in (gonzaga_v0.env, GonzagaEnv, GonzagaVectorEnv):
        env: Any = make(num_players=2, render_mode="human")
        env.unwrapped.metadata = {**env.metadata, "render_fps": 30}
        env.reset(seed=1)
        env.render()
    assert asked == [30, None] * 3
