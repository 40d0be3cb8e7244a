"""The pictures of each game, by the game's name."""

from __future__ import annotations

from typing import Any

from gonzaga_env.games import game_spec
from gonzaga_env.render.gonzaga.pictures import PICTURES as GONZAGA
from gonzaga_env.render.pictures import GamePictures
from gonzaga_env.render.signorie.pictures import PICTURES as SIGNORIE
from gonzaga_env.render.tuscany.pictures import PICTURES as TUSCANY

AnyPictures = GamePictures[Any, Any, Any]
_PICTURES: dict[str, AnyPictures] = {
    **{"gonzaga": GONZAGA, "tuscany": TUSCANY, "signorie": SIGNORIE}
}


def game_pictures(game: str) -> AnyPictures:
    """Returns the pictures of a game by its name; a game without any is shown in words."""
    spec = game_spec(game)
    own = spec.pictures if isinstance(spec.pictures, GamePictures) else GamePictures(spec)
    return _PICTURES.get(spec.name, own)
