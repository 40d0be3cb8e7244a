"""Random games to draw, and what scenes hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.records import Record
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


def play(name: str, num_players: int, seed: int, moves: int = 100_000, **rules: Any) -> Any:
    """Returns a random game after some moves, and the moves."""
    spec, rng, actions = game_spec(name), np.random.default_rng(seed), list[int]()
    game = spec.game.from_config(spec.config(num_players=num_players, rules=rules), seed)
    while not game.finished and len(actions) < moves:
        actions.append(game.sample_legal(rng))
        game.play(actions[-1])
    return game, actions


def recorded(name: str, **rules: Any) -> Record:
    """Returns a random game of two players."""
    game, actions = play(name, 2, 3, **rules)
    return game_spec(name).records.record(game.config, 3, ["agent0", "agent1"], actions)
