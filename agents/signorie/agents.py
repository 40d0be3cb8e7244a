"""Agents that play what their weights make of positions: greedy and planner."""

from __future__ import annotations

from gonzaga_env.signorie.config import GameConfig

from ..common.arrays import Floats, Observations
from ..heuristic_agent import WeighingAgent
from .heuristic import Values, Weights, score
from .seen import Seen

_NOW = Weights(
    **{"florin": 0.2, "male": 0.3, "female": 0.3, "purse": 12.0, "family": 8.0, "late": 0.1},
    **{"horizon": 6.0, "slot": 0.3, "end": 0.0, "sent": 0.0, "row_1": 0.3, "row_2": 0.6},
    **{"tile": 0.5, "mission": 0.5, "marriage": 0.5, "track": 0.3, "disc": 0.1, "used": 1.0},
    **{"step": 0.1, "climb": 0.0, "reward": 1.0, "bride": 0.5, "die": 2.5, "spread": 1.5},
    **{"other": 0.0, "criterion": 0.0},
)

PLANNED = Weights()


class _WeighingAgent(WeighingAgent):
    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, four players."""
        super().__init__(config or GameConfig())

    def _scores(self, observations: Observations) -> Floats:
        return score(Values(Seen(self._config, observations), self.weights))


class GreedyAgent(_WeighingAgent):
    """A baseline that knows the rules and does not look ahead.

    Takes the most points now, otherwise actions that may bring points later.
    """

    name, unit, weights = "greedy", "points now", _NOW


class PlannerAgent(_WeighingAgent):
    """A baseline that plays for points now and later: it weighs what a position promises."""

    name, unit, weights = "planner", "points now and promised", PLANNED
