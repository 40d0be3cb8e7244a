"""A baseline that takes the most points now: it knows the rules and does not look ahead."""

from __future__ import annotations

from gonzaga_env.tuscany.config import GameConfig

from .heuristic import HeuristicAgent, Weights

_NOW = Weights(
    **{"action": 0.0, "card": 0.3, "enough": 4.0, "worker": 1.0, "marble": 1.0, "hexagon": 1.0},
    **{"zone": 0.0, "colour": 0.0, "reach": 0.0, "castle": 0.0, "draws": 0.0, "covered": 0.0},
    **{"stored": 0.5, "space": 0.0, "turn": 0.0},
)


class GreedyAgent(HeuristicAgent):
    """Takes the most points now, and otherwise what it can place next.

    Attributes:
        name: "greedy".
        unit: what its scores count.
    """

    name = "greedy"
    unit = "points now"

    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, four players."""
        super().__init__(config or GameConfig(), _NOW)
