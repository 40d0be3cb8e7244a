"""What the network sees of decisions, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...common import arrays
from ...common.arrays import Floats

INPUTS_VERSION = 1
"""Version of what the inputs mean; checkpoints and policies of another one are refused."""
NUM_CHOICES = 16  # K


@dataclass(frozen=True)
class Inputs(arrays.Inputs):
    """M decisions with at most K choices each.

    Attributes:
        numbers: the position, [M, C].
        choices: features of the choices (`reader.CHOICE_FEATURES`), [M, K, G].
        tokens: what each choice is (`reader.NUM_TOKENS`), [M, K] uint8.
        actions: action of each choice, best first by the planner's scores, [M, K] int16; -1 for
            padding.
    """

    FED = ("numbers", "choices", "tokens", "padding")

    numbers: Floats
    choices: Floats
    tokens: NDArray[np.uint8]
    actions: NDArray[np.int16]


class InputSizes(NamedTuple):
    """The sizes that depend on the number of players.

    Attributes:
        numbers: C.
    """

    numbers: int
