"""A baseline that plans ahead without searching: it weighs what a position promises."""

from __future__ import annotations

from gonzaga_env.signorie.config import GameConfig

from .heuristic import HeuristicAgent, Weights

#: Found by regression on games among copies with random changes of these.
PLANNED = Weights(
    florin=2.59,
    male=1.04,
    female=2.18,
    purse=5.85,
    family=6.02,
    late=0.144,
    horizon=7.04,
    slot=0.0941,
    end=0.807,
    sent=0.754,
    missions=2.31,
    row_1=0.575,
    row_2=0.959,
    tile=0.981,
    mission=1.68,
    marriage=1.68,
    track=3.86,
    disc=0.504,
    used=0.719,
    step=0.179,
    climb=0.0828,
    reward=0.78,
    bride=1.98,
    die=3.05,
    spread=1.44,
    other=0.462,
    criterion=0.5,
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
