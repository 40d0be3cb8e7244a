"""Draws the pictures of the games that the lobby shows: table/web/static/lobby/GAME-THEME.png.

    python tools/hero_pictures.py

Each one is cut from a mid-game position between greedy agents.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from gonzaga_agents.registry import make_agent
from gonzaga_table.session import GameSession, agent_seat
from PIL import Image

from gonzaga_env.games import game_spec
from gonzaga_env.render.draw import draw

FOLDER = Path(__file__).resolve().parent.parent / "table" / "web" / "static" / "lobby"
SIZE = (720, 480)
SEED = 2
COLORS = 128


class Cut(NamedTuple):
    """The moves before it; left, top and width in shares of the whole picture's width."""

    moves: int
    left: float
    top: float
    width: float


CUTS = {
    "gonzaga": Cut(46, 0.085, 0.11, 0.6),
    "tuscany": Cut(240, 0.368, 0.15, 0.385),
    "signorie": Cut(170, 0.272, 0.078, 0.265),
}


def picture(game: str, cut: Cut, theme: str) -> Image.Image:
    """Returns what a game's picture shows of its position."""
    config = game_spec(game).config(num_players=3)
    table, rng = GameSession(config, [agent_seat("greedy")] * 3, SEED), np.random.default_rng(SEED)
    agent = make_agent("greedy", config)
    while table.num_moves < cut.moves:
        table.step_agent(agent, rng)
    pixels = draw(table._game, theme=theme).to_array(int(SIZE[0] / cut.width))
    width = pixels.shape[1]
    left, top = round(cut.left * width), round(cut.top * width)
    found = Image.fromarray(pixels).crop((left, top, left + SIZE[0], top + SIZE[1]))
    return found.quantize(COLORS)


def main() -> None:
    """Draws all pictures."""
    for game, cut in CUTS.items():
        for theme in ("light", "dark"):
            picture(game, cut, theme).save(FOLDER / f"{game}-{theme}.png", optimize=True)


if __name__ == "__main__":
    main()
