"""Games drawn on their board."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

from gonzaga_env.core import Engine
from gonzaga_env.render.game import game_scene
from gonzaga_env.render.scene import edition_scene
from gonzaga_env.render.shapes import Circle, Polygon
from gonzaga_env.render.svg import draw_game
from tests.conftest import played


def test_every_held_hex_is_drawn() -> None:
    engine = played(Engine(3, 4, seed=2), 76)
    for game in range(3):
        scene = game_scene(engine.tables, engine.state, game)
        printed = edition_scene(engine.tables.edition)
        new = [shape for shape in scene.shapes if shape not in set(printed.shapes)]
        held = np.bitwise_count(engine.state.fiefs[game]).sum()
        rings = np.bitwise_count(engine.state.rings[game]).sum()
        assert sum(isinstance(shape, Polygon) for shape in new) == held
        assert sum(isinstance(shape, Circle) for shape in new) == 3 * rings  # three bands each
        assert held > 20
        assert rings > 3


def test_the_picture_of_a_game_is_valid_and_always_the_same() -> None:
    engine = played(Engine(1, 3, seed=5), 60)
    picture = draw_game(engine.tables, engine.state)
    assert picture == draw_game(engine.tables, engine.state.copy())
    assert ET.fromstring(picture).tag.endswith("svg")
