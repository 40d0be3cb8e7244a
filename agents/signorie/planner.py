"""A baseline that plans ahead without searching: it weighs what a position promises."""

from __future__ import annotations

from gonzaga_env.signorie.config import GameConfig

from .heuristic import HeuristicAgent, Weights

PLANNED = Weights()


class PlannerAgent(HeuristicAgent):
    """Plays for points now and later.

    Attributes:
        name: "planner".
        unit: "points now and promised".
    """

    name = "planner"
    unit = "points now and promised"

    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, four players."""
        super().__init__(config or GameConfig(), PLANNED)
