"""What strategies are worth against each other and against a best response, on a whole tree.

Values of a seat count the other seat's chances, and the draws', in every node that they are summed
up in, as counterfactual values do; so a best response takes the action of the most value.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..common.arrays import Indices
from ..common.matrix_games import Floats64
from .tree import DRAW, PLACEMENT, Choices, Level, Tree

Strategy = tuple[tuple[Floats64, ...], ...]
"""Of each level, and of each of its `choices`: probabilities of the actions, [E, O]."""
Respond = Callable[[int, int, Choices, Floats64], Floats64]
"""Takes level, number of the choices, the choices, and the values of their actions, [E, O]; returns
those of the nodes, [N, O]."""


def asked_strategy(tree: Tree) -> Strategy:
    """Returns the strategy of whom `build_tree` asked."""
    return tuple(
        tuple(choices.asked.astype(np.float64) for choices in level.choices)
        for level in tree.levels
    )


def likeliest(tree: Tree, strategy: Strategy) -> Strategy:
    """Returns the strategy that always plays the likeliest action, the first of equal ones."""
    found = []
    for level, both in zip(tree.levels, strategy, strict=True):
        for choices, given in zip(level.choices, both, strict=True):
            best = np.maximum.reduceat(given, choices.starts, axis=0)[choices.nodes]
            is_best = given >= best - 1e-12  # mixes have rounding errors
            before: Indices = np.cumsum(is_best, axis=0) - is_best
            earlier: Indices = before - before[choices.starts][choices.nodes]
            found.append((is_best & (earlier == 0)).astype(np.float64))
    flat = iter(found)
    return tuple(tuple(next(flat) for _ in level.choices) for level in tree.levels)


def best_response(tree: Tree, strategy: Strategy, seat: int) -> float:
    """Returns the most points that a seat can win by against a strategy of the other one."""

    def respond(depth: int, index: int, choices: Choices, values: Floats64) -> Floats64:
        return np.maximum.reduceat(values, choices.starts, axis=0)

    return values_of(tree, reaches(tree, strategy, 1 - seat), seat, respond)


def exploitability(tree: Tree, strategy: Strategy) -> float:
    """Returns what best responses win by, in points, on average over both seats; 0 is optimal."""
    return sum(best_response(tree, strategy, seat) for seat in range(2)) / 2


def reaches(tree: Tree, strategy: Strategy, seat: int) -> list[Floats64]:
    """Returns the chance that a seat plays to each node, by its objective: [N, O] for each level.

    Those of the leaves, [L, O], come last.
    """
    found = [np.ones((1, tree.num_objectives))]
    for level, both in zip(tree.levels, strategy, strict=True):
        reach = found[-1][level.nodes]
        for choices, chosen, given in zip(level.choices, level.chosen, both, strict=True):
            own = choices.seats[level.nodes] == seat
            reach[own] *= given[chosen[own]]
        found.append(reach)
    return found


def values_of(tree: Tree, others: list[Floats64], seat: int, respond: Respond) -> float:
    """Returns what a seat wins by, in points.

    Args:
        tree: the tree.
        others: how the other seat plays (`reaches`).
        seat: 0 or 1.
        respond: what the seat makes of its actions' values.
    """
    values = _leaf_values(tree, others[-1], seat)
    for depth in reversed(range(len(tree.levels))):
        values = _before(tree.levels[depth], depth, values, seat, respond)
    return float(values.mean())


def _leaf_values(tree: Tree, reach: Floats64, seat: int) -> Floats64:
    """Returns the values of the leaves by the seat's objective, [L, O].

    That of the other seat is drawn among the rest (R2.2).
    """
    num = tree.num_objectives
    chance = (1 - np.eye(num)) / (num - 1) if num > 1 else np.ones((1, 1))
    margins = tree.margins * (1.0 - 2 * seat)
    own, other = tree.objective_points[:, seat], tree.objective_points[:, 1 - seat]
    return (reach @ chance) * (margins[:, None] + own) - (reach * other) @ chance


def _before(level: Level, depth: int, values: Floats64, seat: int, respond: Respond) -> Floats64:
    """Returns the values of a level's nodes [N, O] from those of their children [C, O]."""
    if level.kind == DRAW:
        return np.add.reduceat(values, level.starts, axis=0) / level.num[:, None]
    if level.kind == PLACEMENT:
        (choices,) = level.choices
        found = np.add.reduceat(values, level.starts, axis=0)
        own = choices.seats == seat
        found[own] = respond(depth, 0, choices, values)[own]
        return found
    choices, chosen = level.choices[seat], level.chosen[seat]
    num = len(choices.actions)
    sums = [np.bincount(chosen, column, minlength=num) for column in values.T]
    return respond(depth, seat, choices, np.stack(sums, axis=1))  # the other's plan is unseen
