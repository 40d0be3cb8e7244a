"""Pictures of what an agent considers: heat, outlines and bars say what the choices say."""

import math
from dataclasses import replace

import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.edition import Cell
from gonzaga_env.core.view import ScoredMove
from gonzaga_env.render.gonzaga.pictures import choices_scene
from gonzaga_env.render.gonzaga.table import game_layout
from gonzaga_env.render.palette import LIGHT, Theme
from gonzaga_env.render.panels import NUM_ROWS, Choice, Considering
from gonzaga_env.render.shapes import Line, Polygon, Scene
from gonzaga_env.render.svg import to_svg
from tests.conftest import played
from tests.render.scenes import THEMES, assert_it_fits, texts

FIRST: tuple[Cell, ...] = ((8, 8), (8, 9), (9, 8))
SECOND: tuple[Cell, ...] = ((9, 8), (10, 8))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return played(Engine(1, 3, seed=2), 9 * 6 + 4)  # placing


def considering(*values: float, shares: bool = True) -> Considering:
    cells = [FIRST, SECOND, (), *[((2, col),) for col in range(40)]]
    choices = (
        Choice(f"choice {i}", value, where)
        for i, (value, where) in enumerate(zip(values, cells, strict=False))
    )
    return Considering("tester", "things", tuple(choices), shares)


def scene_of(engine: Engine, found: Considering, theme: Theme = LIGHT) -> Scene:
    """Returns the picture for the seat to act."""
    view = engine.view(0, int(engine.seats[0]))
    return choices_scene(engine.edition, view, found, theme)


def heat_marks(scene: Scene, engine: Engine, theme: Theme) -> dict[Cell, tuple[float, str]]:
    """Returns width and colour of the marks on hexes."""
    layout, found = game_layout(engine.edition), {}
    for shape in scene.shapes:
        if (
            isinstance(shape, Polygon)
            and shape.paint.stroke == theme.panel
            and len(shape.points) == 6
        ):
            x = sum(point[0] for point in shape.points) / 6
            y = sum(point[1] for point in shape.points) / 6
            for cell in engine.edition.grid.cells:
                if math.dist((x, y), layout.center(cell)) < 1:
                    width = max(p[0] for p in shape.points) - min(p[0] for p in shape.points)
                    found[cell] = width, shape.paint.fill or ""
    return found


def test_heat_is_the_probability_of_covering_a_hex() -> None:
    found = considering(0.5, 0.25, 0.25).heat()
    assert found == {(8, 8): 0.5, (8, 9): 0.5, (9, 8): 0.75, (10, 8): 0.25}


def test_heat_is_the_value_of_the_best_choice_on_a_hex() -> None:
    found = considering(9.0, 4.0, -0.5, -2.0, shares=False)
    assert found.heat() == {(8, 8): 9, (8, 9): 9, (9, 8): 9, (10, 8): 4, (2, 0): -2}
    assert found.lowest == -2
    assert considering(9.0, 4.0, shares=False).lowest == 0


@THEMES
def test_the_best_placements_are_outlined_and_numbered_as_in_the_list(engine, theme) -> None:
    cells = (), FIRST, SECOND, ((2, 1),), ((2, 2),)
    choices = [Choice(f"choice {i}", 5.0 - i, where) for i, where in enumerate(cells)]
    found = Considering("tester", "points", tuple(choices), shares=False)
    scene = scene_of(engine, found, theme)
    lines = [s for s in scene.shapes if isinstance(s, Line) and s.paint.stroke == theme.mark]
    assert [line.paint.dash != () for line in lines] == [True, True, False]  # the best on top
    for text in ("2: 4.0", "3: 3.0", "4: 2.0"):
        assert texts(scene).count(text) == 1
    assert "1: 5.0" not in texts(scene)  # it covers nothing
    assert "choice 0" in texts(scene)


def test_the_last_move_is_not_marked(engine) -> None:
    last = ScoredMove(1, "ring 3,3", ((3, 3),), (), (), 0)
    view = replace(engine.view(0, int(engine.seats[0])), last=last)
    scene = choices_scene(engine.edition, view, considering(0.6, 0.4))
    lines = [s for s in scene.shapes if isinstance(s, Line) and s.paint.stroke == LIGHT.mark]
    assert len(lines) == 2


def test_plans_heat_free_hexes_only_and_are_not_outlined() -> None:
    engine = played(Engine(1, 3, seed=2), 9 * 6)
    view = engine.view(0, int(engine.seats[0]))
    held = [cell for fief in view.fiefs for cell in fief.cells]
    cells = engine.edition.grid.cells
    found = Considering("tester", "probability", (Choice("plan", 1.0, tuple(cells)),), True)
    scene = choices_scene(engine.edition, view, found)
    marks = heat_marks(scene, engine, LIGHT)
    assert marks.keys() == {*cells} - {*held}
    assert not [s for s in scene.shapes if isinstance(s, Line) and s.paint.stroke == LIGHT.mark]
    assert "probability of planning the region" in texts(scene)


@pytest.mark.parametrize("number", [1, NUM_ROWS, 40])
def test_the_list_has_the_best_choices_and_that_played(engine, number) -> None:
    shares = [2, *[1] * (number - 2), 0] if number > 1 else [1]
    choices = [
        Choice(f"choice {i}", share / number, (), i == number - 1) for i, share in enumerate(shares)
    ]
    found = Considering("tester", "probability", tuple(choices), True)
    scene = scene_of(engine, found)
    listed = [text for text in texts(scene) if text.startswith("choice ")]
    best = range(min(number, NUM_ROWS) - 1)
    assert listed == [f"choice {i}" for i in (*best, number - 1)]
    assert "played" in texts(scene)
    assert (f"and {number - NUM_ROWS} more, 65 % in all" in texts(scene)) == (number == 40)


@THEMES
def test_everything_is_on_the_page(engine, theme) -> None:
    view = engine.view(0, int(engine.seats[0]), names=["x" * 50] * 3)
    choices = [Choice("many words " * 12, i / 820, FIRST) for i in range(40, 0, -1)]
    found = Considering("y" * 60, "z " * 80, tuple(choices), True)
    scene = choices_scene(engine.edition, view, found, theme)
    assert_it_fits(scene)
    assert to_svg(scene) == to_svg(choices_scene(engine.edition, view, found, theme))
