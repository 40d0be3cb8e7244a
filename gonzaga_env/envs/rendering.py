"""The render modes that all environments share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import logger
from numpy.typing import NDArray

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.view.game_view import GameView
from gonzaga_env.render.ansi import view_text
from gonzaga_env.render.draw import draw
from gonzaga_env.render.window import GameWindow
from gonzaga_env.tabletop.errors import OptionError

RENDER_MODES = ["ansi", "ansi_color", "human", "rgb_array", "svg"]
RENDER_FPS = 2
RENDER_WIDTH = 900  # of "rgb_array", in pixels

Frame = str | NDArray[np.uint8]


def check_render_mode(mode: Any) -> None:
    """Raises OptionError unless a render mode is None or one of `RENDER_MODES`."""
    if mode is not None and mode not in RENDER_MODES:
        modes = ", ".join(map(repr, RENDER_MODES))
        raise OptionError(f"render_mode is {mode!r}; it takes None, {modes}")


def warn_of_no_mode() -> None:
    """Warns that `render` was called without a render mode, as Gymnasium's environments do."""
    modes = ", ".join(map(repr, RENDER_MODES))
    logger.warn(f"render() needs a render mode: pass render_mode={modes}")


def frame(mode: str, view: GameView, config: GameConfig) -> Frame:
    """Returns a game as a picture or as text.

    Args:
        mode: "ansi" for plain text; "ansi_color" for text with a terminal's colours and with
            coordinates; "svg" for SVG text; "rgb_array" for an array [height, `RENDER_WIDTH`, 3]
            uint8.
        view: the game.
        config: what is played.

    Raises:
        MissingPackageError: Pillow is missing; the message says what to install.
    """
    if mode.startswith("ansi"):
        full = mode == "ansi_color"
        return view_text(config.edition, view, color=full, coordinates=full)
    picture = draw(view, config=config)
    return picture.svg if mode == "svg" else picture.to_array(RENDER_WIDTH)


def show_games(
    window: GameWindow,
    views: Sequence[GameView],
    config: GameConfig,
    fps: float | None,
    title: str | None = None,
) -> None:
    """Shows games in a window, side by side (arguments and errors: `GameWindow.show`)."""
    if not window.closed:
        window.show([draw(view, config=config) for view in views], title, fps)
