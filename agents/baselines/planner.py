"""A baseline that plans ahead without searching: it weighs what a position promises."""

from __future__ import annotations

from gonzaga_env.core.config import GameConfig

from .heuristic import Weights
from .heuristic_agent import HeuristicAgent

#: Found by matches against greedy agents (docs/agents.md).
PLANNED = Weights(
    objective=(0, 5, 10, 16, 22, 29, 35),
    league=(0, 1, 3),
    group=(0, 0.5, 1.2, 1.8),
    ring=1.0,
    privilege=1.5,
)


class PlannerAgent(HeuristicAgent):
    """Plans and places for points now and later.

    Beside the points of an action it counts progress towards the objective and the sea leagues, the
    connection with its largest group, and what rings and King's Privilege are worth unspent.

    Attributes:
        name: "planner".
        unit: "points now and promised".
    """

    name = "planner"
    unit = "points now and promised"

    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, four players on "europe"."""
        super().__init__(config or GameConfig(), PLANNED)
