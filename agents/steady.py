"""The opponent of first games: what greedy plays, the same every time."""

from __future__ import annotations

from typing import Any

import numpy as np

from .common.arrays import Indices, Masks, Observations
from .registry import make_agent


class Steady:
    """Plays as greedy does, but breaks ties in the same way in every game.

    Attributes:
        name: "steady".
    """

    name = "steady"

    def __init__(self, config: Any) -> None:
        """Takes what is played."""
        self._greedy = make_agent("greedy", config)

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        """Returns a legal action for each row, [M], whatever `rng` is (see `Agent`)."""
        rows = range(len(masks))
        found = [self._act(observations[[row]], masks[[row]]) for row in rows]
        return np.array(found, dtype=np.int64)

    def _act(self, observation: Observations, mask: Masks) -> int:
        return int(self._greedy.act(observation, mask, np.random.default_rng(0))[0])
