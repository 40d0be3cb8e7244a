"""What scenes hold, for tests of pictures."""

from __future__ import annotations

import pytest

from gonzaga_env.render.palette import DARK, LIGHT
from gonzaga_env.render.shapes import Label, Scene

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def labels(scene: Scene) -> list[Label]:
    return [shape for shape in scene.shapes if isinstance(shape, Label)]


def texts(scene: Scene) -> list[str]:
    return [label.text for label in labels(scene)]


def assert_it_fits(scene: Scene) -> None:
    """Asserts that all texts lie on the page."""
    for label in labels(scene):
        assert 0 <= label.at[0] <= scene.width, label
        assert 0 <= label.at[1] <= scene.height, label
