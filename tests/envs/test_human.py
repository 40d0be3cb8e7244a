"""`render_mode="human"` of all environments, on SDL's driver without a screen."""

from typing import Any

import gymnasium
import pygame
import pytest

from gonzaga_env import draw, gonzaga_v0
from gonzaga_env.envs.environment import RENDER_WIDTH
from gonzaga_env.envs.gonzaga_v0 import GonzagaEnv

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
