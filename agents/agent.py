"""What an agent is: one function over a batch of seats."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Agent(Protocol):
    """Anything that chooses actions from observations; many seats of many games at once.

    Attributes:
        name: how tables and records call it.
    """

    name: str

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Returns a legal action of each row, [M].

        Args:
            observations: [M, D], as `Engine.observe` gives them; rows may be of any phase.
            masks: [M, A], True for legal, with one at least in each row.
            rng: where chance comes from.
        """
        ...
