"""Gonzaga, The Castles of Tuscany and Signorie as reinforcement learning environments.

`gonzaga_v0`, `castles_of_tuscany_v0` and `signorie_v0` are for PettingZoo, and so is
`gonzaga_generated_v0`, Gonzaga on a new map in every game; `import gonzaga_env` also registers all
of them with Gymnasium. `gonzaga_env.gonzaga`, `gonzaga_env.tuscany` and `gonzaga_env.signorie` have
their engines, records and views under the same names; some of Gonzaga's are here too.

Names and rooms are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gonzaga_env.envs.registration import register_all
from gonzaga_env.version import __version__

if TYPE_CHECKING:
    from gonzaga_env.core import Engine, Game, GameConfig, GonzagaError, Rules, load_edition
    from gonzaga_env.envs import (
        castles_of_tuscany_v0,
        gonzaga_generated_v0,
        gonzaga_v0,
        signorie_v0,
    )
    from gonzaga_env.render.decisions import draw_choices, draw_scores, draw_values
    from gonzaga_env.render.draw import draw

__all__ = [
    "Engine",
    "Game",
    "GameConfig",
    "GonzagaError",
    "Rules",
    "__version__",
    "castles_of_tuscany_v0",
    "draw",
    "draw_choices",
    "draw_scores",
    "draw_values",
    "gonzaga_generated_v0",
    "gonzaga_v0",
    "load_edition",
    "signorie_v0",
]

_CORE = ("Engine", "Game", "GameConfig", "GonzagaError", "Rules", "load_edition")
_DECISIONS = ("draw_choices", "draw_scores", "draw_values")
_PLACES = {"draw": "render.draw"}
_PLACES |= dict.fromkeys(_CORE, "core") | dict.fromkeys(_DECISIONS, "render.decisions")
_ROOMS = ("core", "games", "gonzaga", "kernel", "render", "signorie", "stats", "text", "tuscany")

register_all()


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        found = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    elif name in __all__:
        found = import_module(f"{__name__}.envs.{name}")
    elif name in _ROOMS:
        found = import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
