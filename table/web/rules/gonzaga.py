"""Pictures of Gonzaga's rules: parts of the map, after moves that the engine has played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.edition import Cell
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.state import Deal
from gonzaga_env.core.view import PlacedFief
from gonzaga_env.render.gonzaga.map import barriers
from gonzaga_env.render.gonzaga.scene import board_scene, game_layout
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.shapes import Layer, Scene, part_of

_EDGE = 6.0  # pixels around the outermost hexes


@dataclass(frozen=True)
class Position:
    """A position of a game, and the part of the map to look at.

    Attributes:
        hexes: the hexes of two opposite corners of that part.
        fiefs: numbers of the fiefs that each player turns over first.
        moves: texts of the moves that lead to it.
        scenario: which regions flourish.
        refused: hexes of a fief 5 that the rules refuse in the end; it is shown all the same.
    """

    hexes: tuple[Cell, Cell]
    fiefs: tuple[tuple[int, ...], ...]
    moves: tuple[str, ...]
    scenario: str = "Henry VIII"
    refused: tuple[Cell, ...] = ()

    def play(self) -> Game:
        """Returns the game after the moves.

        Raises:
            IllegalActionError: a move is not legal.
        """
        game = dealt(self.scenario, self.fiefs)
        for text in self.moves:
            game.play(game.actions.parse(text))
        return game

    def scene(self, theme: Theme) -> Scene:
        """Returns the picture of the part."""
        game = self.play()
        view = replace(game.view("public"), last=None)
        if self.refused:
            fief = PlacedFief(0, 5, self.refused, self.refused[1:2])
            view = replace(view, fiefs=(*view.fiefs, fief))
        layout = game_layout(game.edition)
        corners = [point for cell in self.hexes for point in layout.corners(cell)]
        (left, right), (top, bottom) = ((min(v), max(v)) for v in zip(*corners, strict=True))
        scene = board_scene(game.edition, view, theme)
        if self.refused:  # the barrier is seen on the fief
            ridges = Layer(tuple(barriers(game.edition, layout, theme)))
            scene = replace(scene, layers=(*scene.layers, ridges))
        return part_of(scene, left - _EDGE, top - _EDGE, right + _EDGE, bottom + _EDGE)


def dealt(scenario: str, fiefs: Sequence[Sequence[int]]) -> Game:
    """Returns a game in which each player turns over certain fiefs first.

    Args:
        scenario: its name.
        fiefs: numbers (1 to 12) of each player's first fiefs.
    """
    game = Game(num_players=len(fiefs), scenario=scenario)
    names = [one.name for one in game.edition.scenarios]
    decks = [[*first, *sorted({*range(1, NUM_FIEFS + 1)} - {*first})] for first in fiefs]
    objectives = np.arange(len(fiefs))[None]
    game.reset(0, Deal(np.array([names.index(scenario)]), np.array([decks]) - 1, objectives))
    return game


_ITALIA = "Lorenzo de' Medici"
_PARIS = (8, 5), (11, 8)
_CHANNEL = (5, 2), (10, 9)
_MANTOVA = (9, 6), (13, 12)
_ALONE = "Hispania B"  # the plan of a seat that only donates
_LEAGUE = (
    *("Francia A", _ALONE, "fief 5 r2 @ 8,5", "donate"),
    *("Britannia C", "Francia A", "donate", "fief 8 r0 @ 6,4"),
    *("Francia A", _ALONE, "fief 4 r4 @ 9,6", "donate"),
)

#: Positions by the names of their pictures.
POSITIONS = {
    "action-a": Position(_PARIS, ((4,), (8,)), ("Francia A", _ALONE, "fief 4 r0 @ 9,5")),
    "action-b": Position(_PARIS, ((4,), (8,)), ("Francia B", _ALONE, "fief 4 r1 @ 9,7")),
    "action-c": Position(_PARIS, ((8,), (8,)), ("Francia C", _ALONE, "donate", "fief 8 r0 @ 9,6")),
    "barrier": Position(
        _MANTOVA, ((8,), (9,)), ("Italia B", "Francia A", "donate", "fief 8 r0 @ 11,9"), _ITALIA
    ),
    "barrier-refused": Position(
        _MANTOVA,
        ((5,), (9,)),
        ("Italia B", "Francia A", "donate"),
        _ITALIA,
        refused=((11, 8), (11, 9), (11, 10)),
    ),
    "one-ring": Position(_PARIS, ((4,), (8,)), ("Francia C", _ALONE, "donate", "ring 11,7")),
    "two-rings": Position(
        _PARIS,
        ((1, 2), (4, 8)),
        (
            *("Hispania A", "Francia B", "donate", "fief 4 r1 @ 9,7"),
            *("Francia C", "Hispania A", "donate", "rings 9,6 9,7"),
        ),
    ),
    "league": Position(_CHANNEL, ((5, 8, 4), (8, 9, 1)), _LEAGUE),
    "group": Position(
        _CHANNEL,
        ((5, 8, 4, 1), (8, 9, 1, 2)),
        (*_LEAGUE, "Britannia C", "Francia A", "donate", "ring 6,6"),
    ),
}
PICTURES = {name: position.scene for name, position in POSITIONS.items()}
