"""The table specs of all games, and the turn of the seat to act."""

from __future__ import annotations

from typing import cast

import numpy as np

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.single import AnyGame

from . import gonzaga, signorie, tuscany
from .choices import ActionChoice, Deciding, TableSpec, Turn

_OWN = {"gonzaga": gonzaga.TABLE, "tuscany": tuscany.TABLE, "signorie": signorie.TABLE}
_ACTIONS_ALONE = TableSpec()


def table_spec(game: str) -> TableSpec:
    spec = game_spec(game)
    return _OWN.get(spec.name) or cast(TableSpec | None, spec.table) or _ACTIONS_ALONE


def turn_of(game: AnyGame) -> Turn | None:
    """Returns the legal choices of the seat to act; None where the game is over."""
    if game.finished:
        return None
    spec, actions = table_spec(game.config.game), np.flatnonzero(game.mask()).tolist()
    if spec.turn is not None:
        return spec.turn(game, actions)
    warning, view = spec.warning, game.view(game.seat)
    choices = tuple(
        ActionChoice(action, text, game.describe(action), warning(text, view) if warning else "")
        for action in actions
        for text in [game.actions.to_text(action)]
    )
    obvious = spec.obvious(view) if spec.obvious else ""
    return Deciding(
        game_spec(game.config.game).kinds[game.kind],
        choices,
        spec.continues is not None and spec.continues(game),
        next((choice.action for choice in choices if choice.text == obvious), None),
    )
