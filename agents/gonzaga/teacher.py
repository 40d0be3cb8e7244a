"""The opponent of a first game: plain, gentle, and the same every time."""

from __future__ import annotations

import numpy as np

from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.config import GameConfig

from ..common.arrays import Indices, Masks, Observations
from .greedy import GreedyAgent

MOST = 6.5  # points that it takes at once, where it can choose


class Teacher(GreedyAgent):
    """Plays as greedy does, but never more than a modest placement, and never at random.

    So a first game goes the same way for all who follow its lessons.

    Attributes:
        name: "teacher".
    """

    name = "teacher"

    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, two players on "europe"."""
        super().__init__(config or GameConfig(2))

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        found = np.empty(len(masks), dtype=np.int64)
        for row in range(len(masks)):
            pair = observations[row : row + 1], masks[row : row + 1]
            _, actions, scores = self.score(*pair, np.random.default_rng(0))
            scores = scores.round(3)
            modest = np.where((actions < NUM_PLANS) | (scores <= MOST), scores, -np.inf)
            found[row] = actions[(modest if np.isfinite(modest).any() else scores).argmax()]
        return found
