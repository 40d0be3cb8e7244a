"""Charts of one curve for each player: values are where the axes say, and names stay apart."""

import math

import numpy as np
import pytest

from gonzaga_env.core import OptionError
from gonzaga_env.render.charts import curve_axes, curves_scene
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.shapes import Line, Scene
from gonzaga_env.render.svg import to_svg
from tests.render.scenes import THEMES, labels

NAN = math.nan
NAMES = ["player 0 · greedy", "player 1 · random", "player 2 · search", "player 3 · learned"]


def lines(scene: Scene, color: str, width: float = 3) -> list[Line]:
    shapes = [shape for shape in scene.shapes if isinstance(shape, Line)]
    return [line for line in shapes if (line.paint.stroke, line.paint.width) == (color, width)]


@THEMES
def test_curves_run_through_all_values_in_their_players_colours(theme) -> None:
    series = np.random.default_rng(1).integers(-20, 140, (4, 60)).tolist()
    scene, axes = curves_scene(series, NAMES, theme), curve_axes(series, NAMES)
    for seat, values in enumerate(series):
        (line,) = lines(scene, theme.players[seat])
        assert line.points == tuple(axes.point(step, v) for step, v in enumerate(values))
        for x, y in line.points:
            assert axes.left <= x <= axes.right
            assert axes.top <= y <= axes.bottom
    assert axes.x(0) == axes.left
    assert axes.x(59) == axes.right


def test_curves_pass_by_missing_values() -> None:
    series = [[1.0, NAN, 3.0, NAN], [NAN] * 4]
    scene, axes = curves_scene(series, ["a", "b"]), curve_axes(series, ["a", "b"])
    (line,) = lines(scene, LIGHT.players[0])
    assert line.points == (axes.point(0, 1), axes.point(2, 3))
    assert not lines(scene, LIGHT.players[1])
    texts = [label.text for label in labels(scene)]
    assert "3  a" in texts
    assert not [text for text in texts if text.endswith("b")]


def test_everything_is_on_the_page_however_long_the_names() -> None:
    scene = curves_scene([[0, -0.25], [0, 0.5]], ["x" * 60, "y"], x_step=1, at=1, y_title="value")
    texts = {label.text: label for label in labels(scene)}
    assert "\u22120.25  " + "x" * 60 in texts  # a minus sign, not a hyphen
    assert {"value", "move", "Scores", "0", "1"} <= texts.keys()
    assert texts["\u22120.25  " + "x" * 60].size < 18
    marks = lines(scene, LIGHT.mark)
    assert [line.points[0][0] for line in marks] == [curve_axes([[0, 1]] * 2, ["x" * 60, "y"]).x(1)]


def test_a_chart_of_one_step_or_equal_values_is_drawn() -> None:
    for series in ([[0]], [[7]], [[0, 0, 0]], [[NAN, NAN]], [[-1e-9, 0]]):
        assert to_svg(curves_scene(series, ["a"])).startswith("<?xml")


@pytest.mark.parametrize(
    ("series", "names", "words"),
    [
        ([], [], "series have lengths"),
        ([[]], ["a"], r"lengths \[0\]"),
        ([[1], [1, 2]], ["a", "b"], r"lengths \[1, 2\]; they take one length"),
        ([[1]], ["a", "b"], "2 names for 1 series"),
        ([[math.inf]], ["a"], "infinite"),
    ],
)
def test_wrong_series_are_refused(series, names, words) -> None:
    with pytest.raises(OptionError, match=words):
        curves_scene(series, names)
