"""The pictures of each game, by the game's name."""

from __future__ import annotations

from typing import cast

from gonzaga_env.games import game_spec
from gonzaga_env.render.gonzaga.pictures import PICTURES as GONZAGA
from gonzaga_env.render.pictures import GamePictures
from gonzaga_env.render.plain import plain_pictures
from gonzaga_env.render.signorie.pictures import PICTURES as SIGNORIE
from gonzaga_env.render.tuscany.pictures import PICTURES as TUSCANY

_PICTURES = {"gonzaga": GONZAGA, "tuscany": TUSCANY, "signorie": SIGNORIE}


def game_pictures(game: str) -> GamePictures:
    """Returns the pictures of a game by its name; a game without any is shown in words.

    Raises:
        OptionError: there is no such game.
    """
    spec = game_spec(game)
    own = cast(GamePictures | None, spec.pictures)
    return _PICTURES.get(spec.name) or own or plain_pictures(spec)
