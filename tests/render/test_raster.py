"""Pixels: every shape is where it belongs, in its colour, at any width."""

import io
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from gonzaga_env.core import Engine, OptionError
from gonzaga_env.render import raster
from gonzaga_env.render.gonzaga.table import game_layout, game_scene
from gonzaga_env.render.palette import DARK, LIGHT
from gonzaga_env.render.raster import font, to_array, to_png
from gonzaga_env.render.shapes import Circle, Label, Layer, Line, Paint, Polygon, Scene, Shape, box
from tests.conftest import played

WHITE, BLACK, RED = (255, 255, 255), (0, 0, 0), (255, 0, 0)


def pixels(*shapes: Shape, width: int = 100) -> np.ndarray:
    """Returns shapes on a white page of 100 x 100, in a layer above it."""
    paper = box(0, 0, 100, 100, Paint(fill="#ffffff"))
    return to_array(Scene(100, 100, "", (Layer((paper,)), Layer(shapes))), width)


def ink(array: np.ndarray) -> np.ndarray:
    """Returns how dark each pixel is, 0 to 1."""
    return 1 - array.mean(axis=2) / 255


def test_areas_lines_and_circles_are_where_they_belong() -> None:
    red, stroke = Paint(fill="#ff0000"), Paint(stroke="#000000", width=4)
    array = pixels(box(10, 20, 30, 60, red))
    assert (array[20:60, 10:30] == RED).all()
    assert (array[:19] == WHITE).all()
    assert (array[:, 31:] == WHITE).all()
    array = pixels(Line(((20, 50), (80, 50)), stroke))
    assert (array[49:51, 20:80] == BLACK).all()
    assert ink(array).sum() == pytest.approx(4 * 60 + np.pi * 4, rel=0.04)  # with round caps
    array = pixels(Circle((50, 50), 30, Paint(fill="#ff0000", stroke="#000000", width=6)))
    assert tuple(array[50, 50]) == tuple(array[50, 75]) == RED
    assert tuple(array[50, 80]) == tuple(array[20, 50]) == BLACK
    assert tuple(array[50, 85]) == WHITE
    array = pixels(Polygon(((20, 20), (80, 20), (50, 80)), stroke))
    assert tuple(array[40, 50]) == WHITE  # only the outline
    assert tuple(array[20, 50]) == BLACK


def test_opacity_blends_with_what_is_below() -> None:
    half = Paint(fill="#000000", opacity=0.5)
    assert pixels(box(10, 10, 90, 90, half))[50, 50, 0] == pytest.approx(127, abs=2)
    array = pixels(box(10, 10, 90, 90, Paint(fill="#ff0000")), box(40, 40, 60, 60, half))
    assert array[50, 50] == pytest.approx((127, 0, 0), abs=2)
    edge = Paint(fill="#ff0000", stroke="#000000", width=10, opacity=0.5)
    assert pixels(box(20, 20, 80, 80, edge))[50, 50] == pytest.approx((255, 127, 127), abs=2)
    assert pixels(Label("■", (50, 60), 40, "#000000", opacity=0.5)).min() >= 126


def extent(array: np.ndarray) -> tuple[int, int, int, int]:
    """Returns left, top, right and bottom of what is not white."""
    rows, columns = (np.flatnonzero(ink(array).max(axis=i) > 0.3) for i in (1, 0))
    return int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1])


def test_labels_stand_on_their_anchor() -> None:
    left, top, _, bottom = extent(pixels(Label("HH", (20, 70), 30, "#000000", anchor="start")))
    assert left == pytest.approx(21, abs=2)
    assert bottom == pytest.approx(69, abs=1)
    assert top == pytest.approx(70 - 0.73 * 30, abs=2)
    _, _, right, _ = extent(pixels(Label("HH", (80, 70), 30, "#000000", anchor="end")))
    assert right == pytest.approx(79, abs=2)
    left, _, right, _ = extent(pixels(Label("HH", (50, 70), 30, "#000000")))
    assert left + right == pytest.approx(100, abs=2)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("width", [450, 900, 1777])
def test_fiefs_have_their_players_colour_at_any_width(theme, width) -> None:
    engine = played(Engine(1, 4, seed=2), 60)
    view, layout = engine.view(), game_layout(engine.edition)
    scene = game_scene(engine.edition, view, theme)
    array = to_array(scene, width)
    assert array.dtype == np.uint8
    assert array.shape[1:] == (width, 3)
    assert array.shape[0] % 2 == 0
    scale = width / scene.width
    assert abs(array.shape[0] - scene.height * scale) <= 2
    for fief in view.fiefs:
        for cell in fief.cells:  # between crest and edge, below the marks of sites
            x, y = layout.center(cell)
            row, column = int((y + 0.48 * layout.hex_width) * scale), int(x * scale)
            color = bytes.fromhex(theme.players[fief.seat][1:])
            near = array[row - 2 : row + 3, column - 2 : column + 3].reshape(-1, 3)
            assert (np.abs(near - np.array(list(color))).max(axis=1) < 8).any(), cell


def test_pictures_are_the_same_whatever_was_drawn_before() -> None:
    views = []
    engine = Engine(1, 3, seed=5)
    for _ in range(4):
        played(engine, 5)
        views.append(engine.view())
    scenes = [game_scene(engine.edition, view) for view in views]
    first = [to_array(scene, 500) for scene in scenes]
    assert all((one != other).any() for one, other in pairwise(first))
    raster._sprites.clear()
    for scene, array in reversed([*zip(scenes, first, strict=True)]):
        assert (to_array(scene, 500) == array).all()
    to_array(scenes[0], 500)[:] = 0  # a new array each time
    assert (to_array(scenes[0], 500) == first[0]).all()


def test_png_holds_the_same_pixels() -> None:
    scene = game_scene(Engine(1, 2).edition, Engine(1, 2).view())
    image = Image.open(io.BytesIO(to_png(scene, 300)))
    assert image.format == "PNG"
    assert (np.asarray(image) == to_array(scene, 300)).all()
    assert Image.open(io.BytesIO(to_png(scene))).width == scene.width


@pytest.mark.parametrize("width", [99, 4001, 0, -5, 300.0, True, "300"])
def test_wrong_widths_are_refused(width) -> None:
    scene = Scene(100, 100, "", ())
    with pytest.raises(OptionError, match=r"width is .* integer from 100 to 4000"):
        to_array(scene, width)  # type: ignore[arg-type]


# Fonts that come with Python packages


@pytest.fixture
def _fresh() -> Iterator[None]:
    for cached in (raster.font, raster._folder):
        cached.cache_clear()
    yield
    for cached in (raster.font, raster._folder):
        cached.cache_clear()


def test_styles_are_those_of_dejavu_serif(europe) -> None:
    styles = {
        font(20, bold, italic).face.getname() for bold in (False, True) for italic in (False, True)
    }
    assert {family for family, _ in styles} == {"DejaVu Serif"}
    assert len(styles) == 4
    unknown = font(20, False, False).face.getmask("\uffff").getbbox(), None
    names = "".join(site.name for site in (*europe.cities, *europe.harbors)) + "éñčłß·…"
    for letter in set(names) - {" "}:
        assert font(20, False, False).face.getmask(letter).getbbox() not in unknown, letter


@pytest.mark.usefixtures("_fresh")
def test_without_matplotlib_pillow_brings_one_style(monkeypatch) -> None:
    monkeypatch.setattr(raster, "find_spec", lambda name: None)
    assert font(40, False, False).face.getname()[0] == "Aileron"
    assert font(40, True, False).thickness == 1
    assert font(40, False, True).thickness == 0
