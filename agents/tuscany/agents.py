"""Agents that play what their weights make of positions: greedy and planner."""

from __future__ import annotations

from gonzaga_env.tuscany.config import GameConfig

from ..common.arrays import Floats, Observations
from ..heuristic_agent import WeighingAgent
from .heuristic import Weights, score_actions
from .seen import Seen

#: Nothing is promised by zones, colours or reach. What can't be placed yet is worth almost nothing,
#: so it is replaced; and where little else counts, turning an own tile beats drawing.
_NOW = Weights(
    **{"zone": 0.0, "colour": 0.0, "reach": 0.0, "castle": 0.0, "draws": 0.0, "covered": 0.0},
    **{"card": 0.8, "enough": 12.0, "worker": 2.0, "marble": 1.5, "hexagon": 0.4, "action": 1.0},
    **{"stored": 0.4, "least": 0.1, "space": 0.0, "turn": 0.2},
)

#: Found by an evolution strategy over games of three among its candidates.
PLANNED = Weights(
    action=3.43,
    card=0.92,
    enough=19.2,
    surplus=0.03,
    worker=1.4,
    marble=3.28,
    hexagon=5.07,
    zone=0.69,
    colour=0.48,
    reach=0.21,
    stored=0.84,
    castle=0.69,
    draws=0.25,
    covered=0.46,
    space=0.28,
    turn=0.51,
    horizon=8.26,
)


class _WeighingAgent(WeighingAgent):
    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, four players."""
        super().__init__(config or GameConfig())

    def _scores(self, observations: Observations) -> Floats:
        return score_actions(Seen(self._config, observations), self.weights)


class GreedyAgent(_WeighingAgent):
    """A baseline that knows the rules and does not look ahead.

    Takes the most points now, and otherwise what it can place next or the cards for it.
    """

    name, unit, weights = "greedy", "points now", _NOW


class PlannerAgent(_WeighingAgent):
    """A baseline that plays for points now and later: it weighs what a position promises."""

    name, unit, weights = "planner", "points now and promised", PLANNED
