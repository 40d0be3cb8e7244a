"""CFR+ (Tammelin 2014): approximates an equilibrium where objectives are hidden, too."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..common.matrix_games import Floats64
from .strategy import Strategy, exploitability, reaches, values_of
from .tree import Choices, Tree

_CHECKED = 25  # iterations between two measurements of the exploitability


def solve_by_cfr(
    tree: Tree, enough: float, most: int, on_share: Callable[[float], None]
) -> tuple[float, Strategy]:
    """Returns the value for seat 0, in points, and the strategy of both seats.

    Args:
        tree: the tree.
        enough: the exploitability to stop at, in points.
        most: iterations at most.
        on_share: is told now and then how much of the iterations is done.
    """
    learner = _Learner(tree)
    for iteration in range(1, most + 1):
        for seat in range(2):
            learner.update(seat, iteration)
        if iteration % _CHECKED == 0 or iteration == most:
            average = learner.average()
            on_share(iteration / most)
            if exploitability(tree, average) <= enough:
                break
    return _expected(tree, average), average


class _Learner:
    """Regrets and the sum of strategies, in the layout of a `Strategy`."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._regrets, self._sums = (_zeros(tree) for _ in range(2))

    def update(self, seat: int, iteration: int) -> None:
        """Lets a seat learn from the other one's present strategy, weighting it by iteration."""
        tree = self._tree
        strategy = _normalized(tree, self._regrets)
        own = reaches(tree, strategy, seat)
        others = reaches(tree, strategy, 1 - seat)

        def respond(depth: int, index: int, choices: Choices, values: Floats64) -> Floats64:
            given = strategy[depth][index]
            found = np.add.reduceat(values * given, choices.starts, axis=0)
            mine = (choices.seats == seat)[choices.nodes]
            regrets = self._regrets[depth][index]
            gained = regrets[mine] + (values - found[choices.nodes])[mine]
            regrets[mine] = np.maximum(gained, 0)
            weight = iteration * own[depth][choices.nodes]
            self._sums[depth][index][mine] += (weight * given)[mine]
            return found

        values_of(tree, others, seat, respond)

    def average(self) -> Strategy:
        """Returns the average strategy."""
        return _normalized(self._tree, self._sums)


def _zeros(tree: Tree) -> Strategy:
    return tuple(
        tuple(np.zeros((len(c.actions), tree.num_objectives)) for c in level.choices)
        for level in tree.levels
    )


def _normalized(tree: Tree, weights: Strategy) -> Strategy:
    """Returns probabilities in proportion to weights; equal ones where all weights are 0."""
    return tuple(
        tuple(_shares(c, given) for c, given in zip(level.choices, both, strict=True))
        for level, both in zip(tree.levels, weights, strict=True)
    )


def _shares(choices: Choices, weights: Floats64) -> Floats64:
    total = np.add.reduceat(weights, choices.starts, axis=0)[choices.nodes]
    equal = 1 / choices.num[choices.nodes, None]
    return np.where(total > 0, weights / np.where(total > 0, total, 1), equal)


def _expected(tree: Tree, strategy: Strategy) -> float:
    """Returns what seat 0 wins by if both seats play a strategy."""

    def respond(depth: int, index: int, choices: Choices, values: Floats64) -> Floats64:
        return np.add.reduceat(values * strategy[depth][index], choices.starts, axis=0)

    return values_of(tree, reaches(tree, strategy, 1), 0, respond)
