"""Pictures of the rules of Signorie: a game's blocks, and what its icons mean."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gonzaga_env.render.palette import Theme, nth
from gonzaga_env.render.shapes import Layer, Scene
from gonzaga_env.render.signorie.icons import die
from gonzaga_env.signorie.constants import NUM_COLORS

from .blocks import PlayedGame

#: The beginning of a game of two planners, to the third round.
MOVES = """
red 3 hire 3; red 4 hire 3; grey 5 hire 1; yellow 2 assign 1; spend 3; enter military;
advance military 1; advance military 2; advance military 3; advance military 4; advance military 5;
use; advance military 6; initiative; yellow 5 assign 1; spend 3; enter military; advance military 1;
advance military 2; advance military 3; advance military 4; advance military 5; use;
advance military 6; initiative; violet 3 hire 1; violet 4 hire 1; use; turquoise 4 assign 2;
spend 3; florins; wed; grey 4 hire 3; yellow 2 signoria; use; initiative; yellow 3 signoria; use;
initiative; grey 4 hire 3; violet 2 hire 2; use; initiative; red 2 signoria; marry Venezia 1; use;
pass; violet 5 assign 2; mission military 7 Roma; use; use; initiative; florins; wed; wed;
violet 5 hire 2; use; use; initiative
"""
GAME = PlayedGame("signorie", num_players=2, seed=5, moves=tuple(MOVES.strip().split(";")))
_SIZE = 44.0  # of the picture of one die


def _die(color: int, value: int, theme: Theme) -> Scene:
    middle = _SIZE / 2, _SIZE / 2
    shapes = tuple(die(value, middle, 18, nth(theme.dice, color)))
    return Scene(_SIZE, _SIZE, "", (Layer(shapes),))


PICTURES: dict[str, Callable[[Theme], Scene]] = {
    "dice": GAME.block("dice and assignments"),
    "cities": GAME.block("cities"),
    "initiative": GAME.block("initiative"),
    "rewards": GAME.block("rewards"),
    "board": GAME.block("board", 1),
    **{f"die-{color}": partial(_die, color, color + 1) for color in range(NUM_COLORS)},
}
