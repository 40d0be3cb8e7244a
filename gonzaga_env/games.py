"""The games of this package by name."""

from __future__ import annotations

from importlib import import_module

from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.spec import GameSpec

DEFAULT_GAME = "gonzaga"
# Imported when they are asked for.
_SPECS = {"gonzaga": "gonzaga_env.core.spec", "tuscany": "gonzaga_env.tuscany.spec"}


def game_names() -> tuple[str, ...]:
    """Returns the names of all games."""
    return tuple(_SPECS)


def game_spec(name: str = DEFAULT_GAME) -> GameSpec:
    """Returns a game by its name.

    Raises:
        OptionError: there is no such game.
    """
    if name not in game_names():
        raise OptionError(f"game is {short_repr(name)}; there are: {', '.join(_SPECS)}")
    spec: GameSpec = import_module(_SPECS[name]).SPEC
    return spec
