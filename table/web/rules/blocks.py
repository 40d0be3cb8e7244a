"""Pictures of blocks of the table (`render.games.Block`), after moves that an engine has played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from gonzaga_env.games import game_spec
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import Theme
from gonzaga_env.render.shapes import Scene

Drawing = Callable[[Theme], Scene]


@dataclass(frozen=True)
class PlayedGame:
    """The beginning of a game, whose blocks are shown.

    Attributes:
        game: the game's name.
        num_players: the number of players.
        seed: what decides all chance.
        moves: texts of its moves.
    """

    game: str
    num_players: int
    seed: int
    moves: tuple[str, ...]

    def block(self, name: str, seat: int | None = None) -> Drawing:
        """Returns what draws a block, by its name and whose it is."""

        def draw(theme: Theme) -> Scene:
            game, pictures = played(self), game_pictures(self.game)
            assert pictures.blocks is not None  # the games that use this have them
            for block in pictures.blocks(game.edition, game.view(0)):
                if (block.name, block.seat) == (name, seat):
                    return block.draw(*block.values, theme)
            raise KeyError(name)

        return draw


@cache
def played(beginning: PlayedGame) -> Any:
    """Returns the game after the moves, the same one each time.

    Raises:
        IllegalActionError: a move is not legal.
    """
    spec = game_spec(beginning.game)
    game = spec.game.from_config(spec.config(num_players=beginning.num_players), beginning.seed)
    for text in beginning.moves:
        game.play(game.actions.parse(text.strip()))
    return game
