"""What the network sees of decisions, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...common import arrays
from ...common.arrays import Floats


@dataclass(frozen=True)
class Inputs(arrays.Inputs):
    """M decisions with S sites and at most K choices each."""

    numbers: Floats  # the position, [M, C]
    sites: Floats  # features of the cities and harbors (`sites.SITE_FEATURES`), [M, S, F]
    choices: Floats  # features of the choices (`choices.CHOICE_FEATURES`), [M, K, G]
    spots: NDArray[np.uint8]  # sites that each choice covers, [M, K, 4] uint8; S for none
    # action of each choice, best first by the planner's scores, [M, K] int16; -1 for padding
    actions: NDArray[np.int16]
    # features of the others' objectives, [M, (P - 1) * 4]. The deciding seat does not know them:
    # only a critic, which is not needed for play, may look at them
    secrets: Floats


class InputSizes(NamedTuple):
    """The sizes that depend on the edition and the number of players."""

    numbers: int  # C
    sites: int  # S
    secrets: int  # features of the others' objectives
