"""Films: what they show, for how long, and in which colours."""

import io

import numpy as np
import pytest
from PIL import Image

from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.render.draw import Picture
from gonzaga_env.render.gonzaga.table import game_scene
from gonzaga_env.render.shapes import Label
from gonzaga_env.show.film import WIDTH as DEFAULT_WIDTH
from gonzaga_env.show.film import film, film_frames

WIDTH = 300


@pytest.fixture(scope="module")
def gif(game) -> Image.Image:
    return Image.open(io.BytesIO(film(game.edition, game.frames, width=WIDTH)))


def test_the_deal_reveals_and_placements_are_shown(game) -> None:
    shown = [frame.move for frame in film_frames(game.edition, game.frames)]
    assert shown[:9] == [0, 3, 4, 5, 6, 9, 10, 11, 12]
    assert shown[-1] == game.last
    assert film_frames(game.edition, game.frames[:2]) == [game.frames[0]]


def test_pictures_are_those_of_the_game(gif, game) -> None:
    told = film_frames(game.edition, game.frames)
    assert gif.n_frames == len(told)
    for i in (0, 7, len(told) - 1):
        gif.seek(i)
        seen = np.asarray(gif.convert("RGB")).astype(int)
        drawn = Picture(game_scene(game.edition, told[i].view)).to_array(WIDTH).astype(int)
        assert seen.shape == drawn.shape
        assert np.abs(seen - drawn).mean() < 3


def test_names_of_cities_can_be_read_at_the_width_of_films(game) -> None:
    """At least 8 pixels; names of sites side by side have less room."""
    scene = game_scene(game.edition, game.frames[0].view)
    sites = {city.name for city in game.edition.cities}
    pixels = [
        shape.size * DEFAULT_WIDTH / scene.width
        for shape in scene.shapes
        if isinstance(shape, Label) and shape.text in sites
    ]
    assert np.median(pixels) >= 8
    assert min(pixels) >= 5


def test_the_deal_and_the_end_are_shown_longer(gif) -> None:
    times = []
    for i in range(gif.n_frames):
        gif.seek(i)
        times.append(gif.info["duration"])
    assert times == [1200, *[600] * (gif.n_frames - 2), 4200]
    assert gif.info["loop"] == 0


def test_progress_counts_pictures(game) -> None:
    counted: list[int] = []
    film(game.edition, game.frames[:6], 100, on_progress=counted.append)
    assert counted == [1, 2, 3, 4]


def test_the_width_is_checked(game) -> None:
    with pytest.raises(OptionError, match="width"):
        film(game.edition, game.frames, width=99)
