"""The result of a step of an engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class StepResult:
    """What one step did in the M games that were stepped (all N by default).

    Attributes:
        seats: the seat that acted, [M] int64; -1 where the game was over before.
        points: points that the action scored at once, [M] int64.
        rewards: reward of every seat, [M, P] float64, of the engine's kind.
        finished: which of the games ended in this step, [M] bool.
        final: those games as they ended, before any autoreset, in their order (a `StateArrays`).
    """

    seats: NDArray[np.int64]
    points: NDArray[np.int64]
    rewards: NDArray[np.float64]
    finished: NDArray[np.bool_]
    final: Any

    def __repr__(self) -> str:
        return f"<StepResult of {len(self.seats)} games, {self.final.num_games} finished>"
