"""What the network sees of decisions, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...common import arrays
from ...common.arrays import Floats

NUM_CHOICES = 16  # K
BEHIND = 0
"""Place among the features of a choice: the planner's score less that of the best choice."""


class InputSizes(NamedTuple):
    """The sizes that depend on the game and the number of players."""

    numbers: int  # C
    features: int  # of a choice, G
    tokens: int  # numbers that tell what a choice is, from 0


@dataclass(frozen=True)
class Inputs(arrays.Inputs):
    """M decisions with at most K choices each."""

    numbers: Floats  # the position, [M, C]
    choices: Floats  # features of the choices, [M, K, G]
    tokens: NDArray[np.uint8]  # what each choice is, [M, K] uint8
    # action of each choice, best first by the planner's scores, [M, K] int16; -1 for padding
    actions: NDArray[np.int16]

    @classmethod
    def zeros(cls, sizes: InputSizes) -> Inputs:
        """Returns one decision whose inputs are all 0."""
        shape = 1, NUM_CHOICES
        return cls(
            numbers=np.zeros((1, sizes.numbers), np.float32),
            choices=np.zeros((*shape, sizes.features), np.float32),
            tokens=np.zeros(shape, np.uint8),
            actions=np.zeros(shape, np.int16),
        )
