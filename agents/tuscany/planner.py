"""A baseline that plans ahead without searching: it weighs what a position promises."""

from __future__ import annotations

from gonzaga_env.tuscany.config import GameConfig

from .heuristic import HeuristicAgent, Weights

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
