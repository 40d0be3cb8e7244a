"""What the network sees of decisions, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ...common.arrays import Arrays
from ..candidates import Indices

Floats = NDArray[np.float32]

LEAST_WIDTH, MOST_WIDTH = 8, 1024
"""The widths that a network takes; the widest one has some 15 million weights."""
INPUTS_VERSION = 1
"""Version of what the inputs mean; checkpoints and policies of another one are refused."""


@dataclass(frozen=True)
class Inputs(Arrays):
    """M decisions with S sites and at most K choices each.

    Attributes:
        numbers: the position, [M, C].
        sites: features of the cities and harbors (`sites.SITE_FEATURES`), [M, S, F].
        choices: features of the choices (`choices.CHOICE_FEATURES`), [M, K, G].
        spots: sites that each choice covers, [M, K, 4] uint8; S for none.
        actions: action of each choice, best first by the planner's scores, [M, K] int16; -1 for
            padding.
        secrets: features of the others' objectives, [M, (P - 1) * 4]. The deciding seat does not
            know them: only a critic, which is not needed for play, may look at them.
    """

    numbers: Floats
    sites: Floats
    choices: Floats
    spots: NDArray[np.uint8]
    actions: NDArray[np.int16]
    secrets: Floats

    def __len__(self) -> int:
        return len(self.numbers)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Returns the arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def take(self, rows: Indices | slice) -> Self:
        """Returns some of the decisions."""
        return type(self)(*(array[rows] for array in self.arrays().values()))  # type: ignore[arg-type]


class InputSizes(NamedTuple):
    """The sizes that depend on the edition and the number of players.

    Attributes:
        numbers: C.
        sites: S.
        secrets: features of the others' objectives.
    """

    numbers: int
    sites: int
    secrets: int
