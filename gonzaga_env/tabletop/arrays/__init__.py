"""Games whose rules are written once, on arrays: the shortest way to a game.

One game is played as a batch of one here. For a game that many train on, write an engine for one
game in plain Python too, which is much faster (`gonzaga_env.tabletop.engines.single`).
"""

from gonzaga_env.tabletop.arrays.engines import ArrayEngine, ArrayGame
from gonzaga_env.tabletop.arrays.rules import ArrayPlayer, ArrayRules, ArrayView
from gonzaga_env.tabletop.arrays.spec import ArrayRecorder, array_spec
from gonzaga_env.tabletop.arrays.state import ArrayState, Events
from gonzaga_env.tabletop.engines.actions import ActionTexts

__all__ = [
    "ActionTexts",
    "ArrayEngine",
    "ArrayGame",
    "ArrayPlayer",
    "ArrayRecorder",
    "ArrayRules",
    "ArrayState",
    "ArrayView",
    "Events",
    "array_spec",
]
