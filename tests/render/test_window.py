"""Windows, on SDL's driver without a screen: pictures, events, and what is left after closing."""

import copy
import gc
import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray

from gonzaga_env import Engine, draw
from gonzaga_env.core import MissingPackageError, OptionError
from gonzaga_env.render import window as module
from gonzaga_env.render.draw import Picture
from gonzaga_env.render.window import GameWindow


@pytest.fixture(autouse=True)
def without_a_screen(monkeypatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


@pytest.fixture
def picture() -> Picture:
    return draw(Engine(1, 3, seed=1))


@pytest.fixture
def window(picture) -> Iterator[GameWindow]:
    """A window that shows the picture."""
    window = GameWindow()
    window.show([picture])
    yield window
    window.close()


def pixels(window: GameWindow) -> NDArray[np.uint8]:
    """Returns what a window shows, [height, width, 3]."""
    array: NDArray[np.uint8] = pygame.surfarray.array3d(window._window.get_surface())
    return array.swapaxes(0, 1)


def post(kind: int, window: GameWindow | None = None) -> None:
    """Puts an event into pygame's queue, as the system does."""
    more = {} if window is None else {"window": window._window}
    pygame.event.post(pygame.event.Event(kind, more))


def test_a_window_shows_the_pixels_of_its_picture(picture) -> None:
    window = GameWindow()
    assert not window.is_open
    window.show([picture])
    assert window.is_open
    assert (pixels(window) == picture.to_array(900)).all()
    assert window._window.title == picture.scene.title
    other = draw(Engine(1, 3, seed=2))
    window.show([other], "another")
    assert (pixels(window) == other.to_array(900)).all()
    assert window._window.title == "another"
    window.close()


def test_pictures_fill_a_window_of_any_size(window, picture) -> None:
    for width, height in ((1300, 500), (400, 800), (5000, 60), (60, 40)):
        window._window.size = width, height
        window.show([picture])  # takes the event
        shown = pixels(window)
        assert shown.shape == (height, width, 3)
        if height >= 500:
            wide = {1300: 630, 400: 400}[width]
            expected = picture.to_array(wide)
            if wide < width:
                assert len(expected) == height < len(picture.to_array(wide + 1))
            top, left = (height - len(expected)) // 2, (width - wide) // 2
            assert (shown[top : top + len(expected), left : left + wide] == expected).all()


def test_a_window_that_its_user_closes_stays_closed(picture) -> None:
    window, other = GameWindow(), GameWindow()
    window.show([picture])
    other.show([picture])
    post(pygame.WINDOWCLOSE, window)
    other.show([picture])  # one window takes the events of all
    assert window.closed
    assert not window.is_open
    assert other.is_open
    window.show([picture], fps=0.001)  # neither opens it nor waits
    assert not window.is_open
    other.close()


def test_quitting_closes_all_windows(picture) -> None:
    windows = [GameWindow() for _ in range(3)]
    for window in windows:
        window.show([picture])
    post(pygame.QUIT)
    windows[0].show([picture], fps=0.001)  # the wait ends with the window
    windows[0].show([picture], fps=0.001)
    assert all(window.closed for window in windows)
    assert not pygame.display.get_init()


def test_a_window_is_painted_again_while_it_waits(picture, monkeypatch) -> None:
    window, sizes = GameWindow(), iter([(700, 600), (500, 700)])
    window.show([picture], fps=1000)
    painted = []

    def resize(_: float) -> None:
        if (size := next(sizes, None)) is None:
            post(pygame.WINDOWCLOSE, window)
        else:
            window._window.size = size

    paint = GameWindow._paint

    def note(self: GameWindow, loaded: Any) -> None:
        paint(self, loaded)
        painted.append(pixels(self).shape[:2])

    monkeypatch.setattr(module.time, "sleep", resize)
    monkeypatch.setattr(GameWindow, "_paint", note)
    window.show([picture], fps=0.001)  # would wait for minutes if it did not serve events
    assert painted[0] == (716, 900)
    assert painted[-2:] == [(600, 700), (700, 500)]
    assert window.closed


def test_closing_leaves_the_display_of_others_alone(picture) -> None:
    for others in (True, False):
        if others:
            pygame.display.init()
        window = GameWindow()
        window.show([picture])
        window.close()
        window.close()
        assert pygame.display.get_init() == others
        pygame.display.quit()


def test_windows_that_are_dropped_leave_nothing_behind(picture) -> None:
    window, dropped = GameWindow(), GameWindow()
    window.show([picture])
    dropped.show([picture])
    del dropped
    gc.collect()
    window.show([picture])
    assert [*module._open_windows] == [window]
    window.close()
    assert not pygame.display.get_init()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda w: pickle.loads(pickle.dumps(w))])
def test_copies_have_no_window(window, picture, copied) -> None:
    branch = copied(window)
    branch.show([picture], fps=0.001)
    assert not branch.is_open
    assert window.is_open
    branch.close()
    assert window.is_open


@pytest.mark.parametrize("old", [True, False])
def test_a_hint_tells_what_windows_need(picture, monkeypatch, old) -> None:
    if old:  # the pygame that is not pygame-ce
        monkeypatch.delattr(pygame, "Window")
    else:
        monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(
        MissingPackageError, match=r'run: pip install "gonzaga-env\[render\]"'
    ) as error:
        GameWindow().show([picture])
    assert error.value.name == "pygame"
    assert "\n" not in str(error.value)


def test_a_missing_screen_is_said_to_be_missing(picture, monkeypatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    window = GameWindow()
    with pytest.raises(OptionError, match='use render_mode="rgb_array", or set SDL_VIDEODRIVER'):
        window.show([picture])
    assert not window.is_open
    window.close()


def test_pygame_is_loaded_with_the_first_window_and_prints_nothing() -> None:
    code = (
        "import sys, gonzaga_env\n"
        "from gonzaga_env.envs.gonzaga_v0 import GonzagaEnv\n"
        "env = GonzagaEnv(render_mode='human')\n"
        "assert 'pygame' not in sys.modules\n"
        "env.reset(seed=1)\n"
        "assert 'pygame' in sys.modules\n"
        "env.close()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("", "")
