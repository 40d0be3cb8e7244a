"""Games whose rules are written once, on arrays: the shortest way to a game.

One game is played as a batch of one here. For a game that many train on, write an engine for one
game in plain Python too, which is much faster (`gonzaga_env.kernel.single`).
"""

from gonzaga_env.kernel.arrays.rules import ArrayRules, ArrayState, ArrayView, Events
from gonzaga_env.kernel.arrays.spec import ArrayEngine, ArrayGame, ArrayRecorder, array_spec
from gonzaga_env.kernel.spaces import ActionTexts

__all__ = [
    "ActionTexts",
    "ArrayEngine",
    "ArrayGame",
    "ArrayRecorder",
    "ArrayRules",
    "ArrayState",
    "ArrayView",
    "Events",
    "array_spec",
]
