"""Windows that show pictures, by pygame-ce, which is loaded with the first one that opens.

pygame has one queue of events for all windows, so whichever window takes them serves the others.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any
from weakref import WeakSet

from gonzaga_env.kernel.errors import MissingPackageError, OptionError
from gonzaga_env.render.draw import Picture
from gonzaga_env.render.palette import LIGHT

_WIDTH, _WIDTH_OF_MANY = 900, 1200  # pixels, of a new window with one picture or several
_LEAST_WIDTH, _MOST_WIDTH = 100, 4000  # of a picture
_PAUSE = 0.02  # seconds between looks at the events
_HINT = (
    'pygame-ce is not installed; run: pip install "gonzaga-env[render]", or use '
    'render_mode="rgb_array"'
)
_NO_SCREEN = (
    'use render_mode="rgb_array", or set SDL_VIDEODRIVER=dummy in the shell to draw without a '
    "screen"
)


class GameWindow:
    """A window of one environment, which opens with its first pictures.

    The pictures fill it at any size. A window that its user has closed stays closed, and the
    environment plays on. Copies and pickles have no window: they show nothing.

    Attributes:
        closed: whether the window was closed, by its user or by `close`, and shows nothing more.
    """

    def __init__(self) -> None:
        self._window: Any = None
        self.closed = False
        self._pictures: tuple[Picture, ...] = ()
        self._shown = -math.inf  # seconds, when the last frame was shown

    @property
    def is_open(self) -> bool:
        return self._window is not None

    def show(
        self, pictures: Sequence[Picture], title: str | None = None, fps: float | None = None
    ) -> None:
        """Shows pictures of one size in rows, and opens the window unless its user has closed it.

        With `fps`, waits until the pictures before have been shown long enough, and serves the
        window meanwhile. The title is that of the first picture by default.
        """
        if self.closed:
            return
        pygame = _load_pygame()
        self._pictures = tuple(pictures)
        if not pygame.display.get_init():
            _forget_windows()
        if self._window is None:
            self._open(pygame)
        self._window.title = self._pictures[0].scene.title if title is None else title
        self._paint(pygame)
        _serve_events(pygame)
        if fps is not None:
            while self.is_open and time.monotonic() < self._shown + 1 / fps:
                time.sleep(_PAUSE)
                _serve_events(pygame)
            self._shown = time.monotonic()

    def close(self) -> None:
        """Closes the window for good; a second time, nothing happens."""
        self.closed = True
        if self._window is None:
            return
        pygame = _load_pygame()
        if not pygame.display.get_init():
            _forget_windows()
            return
        self._window.destroy()
        self._window = None
        _open_windows.discard(self)
        if not _open_windows and _display.pop("ours", False):
            pygame.display.quit()

    def __getstate__(self) -> dict[str, object]:
        # A window belongs to this process, and copies of a game need no window of their own.
        return GameWindow().__dict__ | {"closed": True}

    def _open(self, pygame: ModuleType) -> None:
        scene, columns = self._pictures[0].scene, self._columns
        width = (_WIDTH if columns == 1 else _WIDTH_OF_MANY) // columns
        height = 2 * int(width * scene.height / scene.width / 2)  # even, as that of the pictures
        rows = math.ceil(len(self._pictures) / columns)
        try:
            if not pygame.display.get_init():
                pygame.display.init()
                _display["ours"] = True
            self._window = pygame.Window("Gonzaga", (columns * width, rows * height))
        except pygame.error as error:
            raise OptionError(f"no window can be opened ({error}); {_NO_SCREEN}") from error
        self._window.resizable = True
        _open_windows.add(self)
        pygame.register_quit(_forget_windows)

    @property
    def _columns(self) -> int:
        return math.ceil(math.sqrt(len(self._pictures)))

    def _paint(self, pygame: ModuleType) -> None:
        """Paints the pictures as large as the window allows, in the middle of their places."""
        surface = self._window.get_surface()
        surface.fill(LIGHT.paper)
        for picture, (left, top, width, height) in self._places(*surface.get_size()):
            pixels = picture.to_array(_fitting_width(picture, width, height))
            high, wide, _ = pixels.shape
            image = pygame.image.frombuffer(pixels.tobytes(), (wide, high), "RGB")
            surface.blit(image, (left + (width - wide) // 2, top + (height - high) // 2))
        self._window.flip()

    def _places(
        self, width: int, height: int
    ) -> Iterator[tuple[Picture, tuple[int, int, int, int]]]:
        """Yields pictures with left, top, width and height of their places."""
        columns = self._columns
        wide, high = width // columns, height // math.ceil(len(self._pictures) / columns)
        for i, picture in enumerate(self._pictures):
            yield picture, (i % columns * wide, i // columns * high, wide, high)

    def _serve(self, pygame: ModuleType, event: Any) -> None:
        if event.type == pygame.QUIT:
            self.close()
        elif getattr(event, "window", None) is not self._window:
            return
        elif event.type == pygame.WINDOWCLOSE:
            self.close()
        elif event.type in (pygame.WINDOWSIZECHANGED, pygame.WINDOWEXPOSED):
            self._paint(pygame)


def _fitting_width(picture: Picture, width: int, height: int) -> int:
    """Returns how wide a picture may be in a place; its height is rounded down to an even one."""
    even = height // 2 * 2 + 2
    widest = math.ceil(even * picture.scene.width / picture.scene.height) - 1
    return max(_LEAST_WIDTH, min(width, widest, _MOST_WIDTH))


_open_windows: WeakSet[GameWindow] = WeakSet()
#: "ours" if a window has started pygame's display, which the last one to close then ends.
_display: dict[str, bool] = {}


def _forget_windows() -> None:
    """Forgets all windows: they went with pygame, which others may quit, as PettingZoo does.

    Those that are shown again reopen.
    """
    for window in [*_open_windows]:
        window._window = None
    _open_windows.clear()
    _display.clear()


def _serve_events(pygame: ModuleType) -> None:
    """Serves all open windows; without this, the system takes them for dead."""
    for event in pygame.event.get():
        for window in [*_open_windows]:
            window._serve(pygame, event)


def _load_pygame() -> ModuleType:
    """Returns pygame-ce; the older pygame, of the same name, has one window only."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # a library prints nothing
    try:
        import pygame
    except ModuleNotFoundError as error:
        raise MissingPackageError(_HINT, name="pygame") from error
    if not hasattr(pygame, "Window"):
        raise MissingPackageError(_HINT, name="pygame")
    return pygame
