"""A baseline that takes the most points now: it knows the rules and does not look ahead."""

from __future__ import annotations

from gonzaga_env.tuscany.config import GameConfig

from .heuristic import HeuristicAgent, Weights

#: Nothing is promised by zones, colours or reach. What can't be placed yet is worth almost nothing,
#: so it is replaced; and where little else counts, turning an own tile beats drawing.
_NOW = Weights(
    **{"zone": 0.0, "colour": 0.0, "reach": 0.0, "castle": 0.0, "draws": 0.0, "covered": 0.0},
    **{"card": 0.8, "enough": 12.0, "worker": 2.0, "marble": 1.5, "hexagon": 0.4, "action": 1.0},
    **{"stored": 0.4, "least": 0.1, "space": 0.0, "turn": 0.2},
)


class GreedyAgent(HeuristicAgent):
    """Takes the most points now, and otherwise what it can place next or the cards for it.

    Attributes:
        name: "greedy".
        unit: what its scores count.
    """

    name = "greedy"
    unit = "points now"

    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, four players."""
        super().__init__(config or GameConfig(), _NOW)
