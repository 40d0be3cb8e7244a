"""A game as a film: an animated GIF."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.editions import EditionBase
from gonzaga_env.kernel.view import Frame
from gonzaga_env.render.draw import Picture
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import LIGHT

if TYPE_CHECKING:
    from PIL import Image

WIDTH = 900
# Colours of the palette: those of the largest areas as they are, and others that cover the rest;
# one of 256 is left for pixels that stay the same.
_EXACT, _COVERING = 96, 159
_MILLISECONDS = 600
_FIRST, _LAST = 2, 7  # how many times as long the deal and the end are shown


def film(
    edition: EditionBase,
    frames: Sequence[Frame],
    width: int = WIDTH,
    on_progress: Callable[[int], None] = lambda drawn: None,
) -> bytes:
    """Returns a game as an animated GIF, so many pixels wide, which starts over at its end.

    What belongs together is one picture: sealed plans and their reveal, a tile and its payment.
    `on_progress` is called with the number of pictures drawn so far.
    """
    shown, scene = film_frames(edition, frames), game_pictures(edition.game).scene
    pictures: list[Image.Image] = []
    # The end first: it shows nearly all colours, so all pictures share its palette.
    for frame in reversed(shown):
        pixels = Picture(scene(edition, frame.view, LIGHT, True)).to_array(width)
        pictures.append(_indexed(pixels, pictures[0] if pictures else None))
        on_progress(len(pictures))
    first, *others = reversed(pictures)
    times = [_FIRST, *[1] * (len(shown) - 2), _LAST][: len(shown)]
    file = io.BytesIO()
    first.save(
        file,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[_MILLISECONDS * factor for factor in times],
        loop=0,
    )
    return file.getvalue()


def film_frames(edition: EditionBase, frames: Sequence[Frame]) -> list[Frame]:
    """Returns the positions that a film shows: the deal, and those that complete something."""
    skipped = game_pictures(edition.game).skipped
    shown = (after for before, after in pairwise(frames) if not skipped(before.view, after.view))
    return [*frames[:1], *shown]


def _indexed(pixels: NDArray[np.uint8], palette: Image.Image | None) -> Image.Image:
    """Returns pixels as indices into the palette of another picture, or into one of their own."""
    from PIL import Image  # an extra; drawing the pixels has already said what to install

    picture = Image.fromarray(pixels)
    if palette is None:
        palette = Image.new("P", (1, 1))
        palette.putpalette(_palette(pixels))
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def _palette(pixels: NDArray[np.uint8]) -> bytes:
    from PIL import Image

    colors, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
    exact = colors[counts.argsort()[: -_EXACT - 1 : -1]]
    covering = Image.fromarray(pixels).quantize(_COVERING, Image.Quantize.MAXCOVERAGE)
    return exact.tobytes() + bytes(covering.getpalette() or ())
