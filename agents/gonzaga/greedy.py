"""A baseline that takes the most points now: it knows the rules and does not look ahead."""

from __future__ import annotations

from .heuristic import IMMEDIATE
from .heuristic_agent import HeuristicAgent


class GreedyAgent(HeuristicAgent):
    """Plans and places for the most immediate points.

    It counts cities and harbors, the leagues that the action founds and, for each city of its
    objective, the points of the next one. It ignores groups and the other players' plans, and never
    plays King's Privilege. Ties are broken at random.
    """

    name, weights = "greedy", IMMEDIATE
    unit = "points now, objective included, less 0.1 a ring and 0.5 a donation"
