"""Shared fixtures: windows that need no screen and do not wait."""

from collections.abc import Iterator

import pygame
import pytest

from gonzaga_env import gonzaga_v0
from gonzaga_env.envs.gonzaga_v0 import GonzagaEnv, GonzagaVectorEnv


@pytest.fixture
def quick_windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for environment in (gonzaga_v0.raw_env, GonzagaEnv, GonzagaVectorEnv):
        monkeypatch.setitem(environment.metadata, "render_fps", 1e6)
    yield
    pygame.display.quit()
