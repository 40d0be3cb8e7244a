"""The pictures of the pages of rules: positions after moves that the engine has played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.edition import Cell
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.state import Deal
from gonzaga_env.core.view import PlacedFief
from gonzaga_env.games import game_spec
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.gonzaga.map import barriers
from gonzaga_env.render.gonzaga.table import board_scene, game_layout
from gonzaga_env.render.palette import Theme, nth
from gonzaga_env.render.shapes import Layer, Point, Scene, Shape, part_of
from gonzaga_env.render.signorie.pieces import die
from gonzaga_env.render.tuscany.pieces import card, tile, wooden_hexagon
from gonzaga_env.signorie.constants import NUM_COLORS
from gonzaga_env.tuscany.constants import COLOURS

Drawing = Callable[[Theme], Scene]


@dataclass(frozen=True)
class PlayedGame:
    """The beginning of a game for two, whose blocks are shown."""

    game: str  # the game's name
    moves: str  # texts of its moves, separated by semicolons
    seed: int = 5  # decides all chance

    @cached_property
    def played(self) -> AnyGame:
        spec = game_spec(self.game)
        game = spec.game.from_config(spec.config(num_players=2), self.seed)
        for text in self.moves.split(";"):
            game.play(game.actions.parse(text.strip()))
        return game

    def block(self, name: str, seat: int | None = None) -> Drawing:
        """Returns what draws a block, by its name and whose it is."""

        def draw(theme: Theme) -> Scene:
            game = self.played
            found = game_pictures(self.game).blocks(game.edition, game.view(0))
            block = next(one for one in found if (one.name, one.seat) == (name, seat))
            return block.draw(*block.values, theme)

        return draw


_EDGE = 6.0  # pixels around the outermost hexes


@dataclass(frozen=True)
class Position:
    """A position of a game, and the part of the map to look at."""

    hexes: tuple[Cell, Cell]  # the hexes of two opposite corners of that part
    fiefs: tuple[tuple[int, ...], ...]  # numbers of the fiefs that each player turns over first
    moves: tuple[str, ...]  # texts of the moves that lead to it
    scenario: str = "Henry VIII"  # which regions flourish
    # hexes of a fief 5 that the rules refuse in the end; it is shown all the same
    refused: tuple[Cell, ...] = ()

    def play(self) -> Game:
        game = dealt(self.scenario, self.fiefs)
        for text in self.moves:
            game.play(game.actions.parse(text))
        return game

    def scene(self, theme: Theme) -> Scene:
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
    """Returns a game in which each player turns over certain fiefs first."""
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

#: The beginning of a game of two planners, to the third round.
SIGNORIE = PlayedGame(
    "signorie",
    """
red 3 hire 3; red 4 hire 3; grey 5 hire 1; yellow 2 assign 1; spend 3; enter military;
advance military 1; advance military 2; advance military 3; advance military 4; advance military 5;
use; advance military 6; initiative; yellow 5 assign 1; spend 3; enter military; advance military 1;
advance military 2; advance military 3; advance military 4; advance military 5; use;
advance military 6; initiative; violet 3 hire 1; violet 4 hire 1; use; turquoise 4 assign 2;
spend 3; florins; wed; grey 4 hire 3; yellow 2 signoria; use; initiative; yellow 3 signoria; use;
initiative; grey 4 hire 3; violet 2 hire 2; use; initiative; red 2 signoria; marry Venezia 1; use;
pass; violet 5 assign 2; mission military 7 Roma; use; use; initiative; florins; wed; wed;
violet 5 hire 2; use; use; initiative
""",
)
_DIE_SIZE = 44.0  # of the picture of one die


def _die(color: int, value: int, theme: Theme) -> Scene:
    middle = _DIE_SIZE / 2, _DIE_SIZE / 2
    shapes = tuple(die(value, middle, 18, nth(theme.dice, color)))
    return Scene(_DIE_SIZE, _DIE_SIZE, "", (Layer(shapes),))


#: The beginning of a game of two planners, to the second round.
TUSCANY = PlayedGame(
    "tuscany",
    """
layout B C A -+; tile R2; layout A C B -+; tile M2; bonus card; bonus card; take I; take F;
tile R1; tile L8; tile M3; draw; draw; hexagon R5; end; hexagon L9; draw; end; draw; draw; end;
hexagon M6; pay own+own; end; draw; end; draw; end; take M; marble; tile M10; pay own+own; draw;
end; take AGW; take Q; marble; tile L10; pay own+CC; tile M6; pay own+II; take AOL; marble; tile L7;
pay own+WW; take C; draw; tile M2; pay own+own; bonus card; draw; draw; draw; take Q; take V;
tile M1; pay own+II; marble; take F; tile L5; pay own+own; tile M4; tile M8; take W; draw; tile M1
""",
)
_TILE_SIZE = 56.0  # of the picture of one tile


def _one(draw: Callable[[Point, float, Theme], Iterable[Shape]], radius: float) -> Drawing:

    def drawing(theme: Theme) -> Scene:
        shapes = draw((_TILE_SIZE / 2, _TILE_SIZE / 2), radius, theme)
        return Scene(_TILE_SIZE, _TILE_SIZE, "", (Layer(tuple(shapes)),))

    return drawing


def _cards(letters: str, theme: Theme) -> Scene:
    shapes = (
        shape
        for i, letter in enumerate(letters)
        for shape in card(letter, (22 + 42 * i, _TILE_SIZE / 2), 50, theme)
    )
    return Scene(2 + 42 * len(letters), _TILE_SIZE, "", (Layer(tuple(shapes)),))


#: What draws the pictures of each game's rules, by their names.
PICTURES: dict[str, dict[str, Drawing]] = {
    "gonzaga": {name: position.scene for name, position in POSITIONS.items()},
    "signorie": {
        "dice": SIGNORIE.block("dice and assignments"),
        "cities": SIGNORIE.block("cities"),
        "initiative": SIGNORIE.block("initiative"),
        "rewards": SIGNORIE.block("rewards"),
        "board": SIGNORIE.block("board", 1),
        **{f"die-{color}": partial(_die, color, color + 1) for color in range(NUM_COLORS)},
    },
    "tuscany": {
        "display": TUSCANY.block("display"),
        "region": TUSCANY.block("region", 0),
        "holdings": TUSCANY.block("holdings", 0),
        "colours": TUSCANY.block("points for completed colours"),
        "supply": TUSCANY.block("supply"),
        "hexagon": _one(wooden_hexagon, 24),
        **{f"tile-{letter}": _one(partial(tile, letter), 27) for letter in COLOURS},
        **{f"cards-{letters}": partial(_cards, letters) for letters in ("MM", "MCC", "CCII")},
    },
}
