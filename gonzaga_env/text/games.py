"""The texts of each game, by the game's name."""

from __future__ import annotations

from typing import cast

from gonzaga_env.games import game_spec
from gonzaga_env.text.base import GameTexts
from gonzaga_env.text.gonzaga import TEXT as GONZAGA
from gonzaga_env.text.signorie import TEXT as SIGNORIE
from gonzaga_env.text.tuscany import TEXT as TUSCANY

_TEXTS = {"gonzaga": GONZAGA, "tuscany": TUSCANY, "signorie": SIGNORIE}


def game_texts(game: str) -> GameTexts:
    """Returns the texts of a game by its name; the default ones for a game without any.

    Raises:
        OptionError: there is no such game.
    """
    spec = game_spec(game)
    return _TEXTS.get(spec.name) or cast(GameTexts | None, spec.text) or GameTexts()
