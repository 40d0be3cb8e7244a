"""Draws the pictures of the rules and editions of all games: python docs/rules_pictures.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gonzaga_agents import make_agent

import gonzaga_env
from gonzaga_env.games import DEFAULT_GAME, game_names, game_spec
from gonzaga_env.render.draw import Picture

FOLDER = Path(__file__).parent / "img"
STEPS = 90  # in the second round of The Castles of Tuscany, the fourth of Signorie


def pictures() -> dict[str, Picture]:
    """Returns the pictures by file name: a game of two planners, and the edition, of each game."""
    found = {}
    for name in game_names():
        if name == DEFAULT_GAME:  # docs/game_picture.py
            continue
        spec, rng = game_spec(name), np.random.default_rng(0)
        config = spec.config(num_players=2)
        game, planner = spec.game.from_config(config, 5), make_agent("planner", config)
        for _ in range(STEPS):
            mask = game.mask().view(np.bool_)
            game.play(int(planner.act(game.observation()[None], mask[None], rng)[0]))
        names = ["planner", "planner"]
        found[f"{name}_game.svg"] = gonzaga_env.draw(game, viewer=0, names=names)
        found[f"{name}_edition.svg"] = gonzaga_env.draw(config.edition)
    return found


if __name__ == "__main__":
    for name, picture in pictures().items():
        picture.save(FOLDER / name)
        print(f"wrote {FOLDER / name}")
