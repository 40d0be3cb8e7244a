"""A baseline that plans ahead without searching: it weighs what a position promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import DONATION_POINTS
from gonzaga_env.core.state import State

from ..common.arrays import Indices
from .heuristic import Heuristic, Scores, Weights
from .heuristic_agent import HeuristicAgent
from .rivals import Rivals

#: Found by a random search over matches against greedy and earlier weights.
PLANNED = Weights(
    objective=(0, 4, 10, 16.5, 22.5, 30, 35.5),
    league=(0, 1, 4),
    group=(0, 1.2, 3.1, 4.2),
    ring=0.7,
    privilege=1.5,
    donation=1.0,
)
_LOSS = 0.5  # share of a plan's gain that a seat takes which places in its region before
_MOST_RIVALS = 1.5
TEMPERATURE = 1.5  # of the others' plans, in points


class PlannerAgent(HeuristicAgent):
    """Plans and places for points now and later.

    Besides the points of an action it counts progress towards the objective and the sea leagues,
    the connection with its largest group, and what rings and King's Privilege are worth unspent. A
    plan is worth less the more other seats are likely to place in its region first.
    """

    name, unit, weights = "planner", "points now and promised", PLANNED

    def __init__(self, config: GameConfig | None = None) -> None:
        """Takes the configuration; by default, four players on "europe"."""
        config = config or GameConfig()
        super().__init__(config)
        self._others = Heuristic(config.tables, config.rules, replace(PLANNED, objective=None))

    def _plan_scores(self, state: State, games: Indices, seats: Indices) -> Scores:
        scores = super()._plan_scores(state, games, seats)
        rivals = Rivals(self._others, state, games, seats, TEMPERATURE).before()
        return less_rivals(scores, rivals)


def less_rivals(scores: Scores, rivals: Scores) -> Scores:
    """Returns the scores of plans, less the more others are expected in their region first.

    Args:
        scores: of any shape.
        rivals: expected number of others, of the same shape.
    """
    gain = np.maximum(scores - DONATION_POINTS, 0)
    return scores - np.float32(_LOSS) * np.minimum(rivals, _MOST_RIVALS) * gain
