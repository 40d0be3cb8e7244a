"""Pictures of the rules of The Castles of Tuscany: a game's blocks, and its tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from gonzaga_env.render.palette import Theme
from gonzaga_env.render.shapes import Layer, Point, Scene, Shape
from gonzaga_env.render.tuscany.pieces import card, tile, wooden_hexagon
from gonzaga_env.tuscany.constants import COLOURS

from .blocks import Drawing, PlayedGame

#: The beginning of a game of two planners, to the second round.
MOVES = """
layout B C A -+; tile R2; layout A C B -+; tile M2; bonus card; bonus card; take I; take F;
tile R1; tile L8; tile M3; draw; draw; hexagon R5; end; hexagon L9; draw; end; draw; draw; end;
hexagon M6; pay own+own; end; draw; end; draw; end; take M; marble; tile M10; pay own+own; draw;
end; take AGW; take Q; marble; tile L10; pay own+CC; tile M6; pay own+II; take AOL; marble; tile L7;
pay own+WW; take C; draw; tile M2; pay own+own; bonus card; draw; draw; draw; take Q; take V;
tile M1; pay own+II; marble; take F; tile L5; pay own+own; tile M4; tile M8; take W; draw; tile M1
"""
GAME = PlayedGame("tuscany", num_players=2, seed=5, moves=tuple(MOVES.strip().split(";")))
_SIZE = 56.0  # of the picture of one tile


def _one(draw: Callable[[Point, float, Theme], Iterable[Shape]], radius: float) -> Drawing:
    """Returns what draws one piece."""
    middle = (_SIZE / 2, _SIZE / 2)
    return lambda theme: Scene(_SIZE, _SIZE, "", (Layer(tuple(draw(middle, radius, theme))),))


def _cards(letters: str, theme: Theme) -> Scene:
    """Draws region cards side by side."""
    shapes = (
        shape
        for i, letter in enumerate(letters)
        for shape in card(letter, (22 + 42 * i, _SIZE / 2), 50, theme)
    )
    return Scene(2 + 42 * len(letters), _SIZE, "", (Layer(tuple(shapes)),))


PICTURES: dict[str, Callable[[Theme], Scene]] = {
    "display": GAME.block("display"),
    "region": GAME.block("region", 0),
    "holdings": GAME.block("holdings", 0),
    "colours": GAME.block("points for completed colours"),
    "supply": GAME.block("supply"),
    "hexagon": _one(wooden_hexagon, 24),
    **{f"tile-{letter}": _one(partial(tile, letter), 27) for letter in COLOURS},
    **{f"cards-{letters}": partial(_cards, letters) for letters in ("MM", "MCC", "CCII")},
}
