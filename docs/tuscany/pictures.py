"""Draws the pictures of docs/tuscany/rules.md: python -m docs.tuscany.pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gonzaga_agents import make_agent

import gonzaga_env
from gonzaga_env.render.draw import Picture
from gonzaga_env.tuscany import Game, GameConfig

FOLDER = Path(__file__).parent.parent / "img"
STEPS = 90  # in the second round


def pictures() -> dict[str, Picture]:
    """Returns the pictures by file name: a game of two planners, and the twelve boards."""
    config, rng = GameConfig(2), np.random.default_rng(0)
    game, planner = Game.from_config(config, 5), make_agent("planner", config)
    for _ in range(STEPS):
        mask = game.mask().view(np.bool_)
        game.play(int(planner.act(game.observation()[None], mask[None], rng)[0]))
    return {
        "tuscany_game.svg": gonzaga_env.draw(game, viewer=0, names=["planner", "planner"]),
        "tuscany_boards.svg": gonzaga_env.draw(config.edition),
    }


if __name__ == "__main__":
    for name, picture in pictures().items():
        picture.save(FOLDER / name)
        print(f"wrote {FOLDER / name}")
