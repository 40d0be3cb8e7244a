"""What each game brings to the table, by the game's name."""

from __future__ import annotations

from typing import cast

from gonzaga_env.games import game_spec

from .gonzaga import TABLE as GONZAGA
from .parts import TableParts
from .signorie import TABLE as SIGNORIE
from .tuscany import TABLE as TUSCANY

_TABLES = {"gonzaga": GONZAGA, "tuscany": TUSCANY, "signorie": SIGNORIE}


def table_parts(game: str) -> TableParts:
    """Returns what a game brings to the table, by its name.

    Raises:
        OptionError: there is no such game.
    """
    spec = game_spec(game)
    return _TABLES.get(spec.name) or cast(TableParts | None, spec.table) or TableParts()
