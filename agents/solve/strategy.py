"""Strategies on a whole tree: their values, and how optimal ones are found.

Values of a seat are counterfactual: each is weighted by the chances of the draws and of the other
seat. So a best response takes the action of the highest value.

Backward induction is exact where there are no objectives, so that only plans are hidden.
Both seats know all that happened before they plan, so a pair of plans is a cell of a matrix game
whose payoffs are the values of the nodes that follow. If a seat had to show its plan, the other one
would choose the cell of its row or column, which takes no mix.

CFR+ (Tammelin 2014) approximates an equilibrium where objectives are hidden, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..arrays import Doubles, Indices
from ..statistics import solve_matrices
from .tree import DRAW, PLACEMENT, Choices, Level, Tree

Strategy = tuple[tuple[Doubles, ...], ...]
"""Of each level, and of each of its `choices`: probabilities of the actions, [E, O]."""
Respond = Callable[[int, int, Choices, Doubles], Doubles]
"""Takes level, number of the choices, the choices, and the values of their actions, [E, O]; returns
those of the nodes, [N, O]."""


def asked_strategy(tree: Tree) -> Strategy:
    """Returns the strategy that `build_tree` asked for."""
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

    def respond(depth: int, index: int, choices: Choices, values: Doubles) -> Doubles:
        return np.maximum.reduceat(values, choices.starts, axis=0)

    return values_of(tree, reaches(tree, strategy, 1 - seat), seat, respond)


def exploitability(tree: Tree, strategy: Strategy) -> float:
    """Returns what best responses win by, in points, on average over both seats; 0 is optimal."""
    return sum(best_response(tree, strategy, seat) for seat in range(2)) / 2


def reaches(tree: Tree, strategy: Strategy, seat: int) -> list[Doubles]:
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


def values_of(tree: Tree, others: list[Doubles], seat: int, respond: Respond) -> float:
    """Returns what a seat wins by, in points, if the other seat plays by `reaches`.

    `respond` makes the values of nodes of those of their actions.
    """
    values = _leaf_values(tree, others[-1], seat)
    for depth in reversed(range(len(tree.levels))):
        values = _before(tree.levels[depth], depth, values, seat, respond)
    return float(values.mean())


def _leaf_values(tree: Tree, reach: Doubles, seat: int) -> Doubles:
    """Returns the values of the leaves by the seat's objective, [L, O].

    That of the other seat is drawn among the rest (R2.2).
    """
    num = tree.num_objectives
    chance = (1 - np.eye(num)) / (num - 1) if num > 1 else np.ones((1, 1))
    margins = tree.margins * (1.0 - 2 * seat)
    own, other = tree.objective_points[:, seat], tree.objective_points[:, 1 - seat]
    return (reach @ chance) * (margins[:, None] + own) - (reach * other) @ chance


def _before(level: Level, depth: int, values: Doubles, seat: int, respond: Respond) -> Doubles:
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


_CHECKED = 25  # iterations between two measurements of the exploitability


def solve_by_cfr(
    tree: Tree, enough: float, most: int, on_share: Callable[[float], None]
) -> tuple[float, Strategy]:
    """Returns the value for seat 0, in points, and the strategy of both seats.

    It stops at an exploitability of `enough` points, or after `most` iterations.
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
        self._regrets, self._sums = (
            tuple(
                tuple(np.zeros((len(c.actions), tree.num_objectives)) for c in level.choices)
                for level in tree.levels
            )
            for _ in range(2)
        )

    def update(self, seat: int, iteration: int) -> None:
        """Lets a seat learn from the other one's present strategy, weighting it by iteration."""
        tree = self._tree
        strategy = _normalized(tree, self._regrets)
        own = reaches(tree, strategy, seat)
        others = reaches(tree, strategy, 1 - seat)

        def respond(depth: int, index: int, choices: Choices, values: Doubles) -> Doubles:
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


def _normalized(tree: Tree, weights: Strategy) -> Strategy:
    """Returns probabilities in proportion to weights; equal ones where all weights are 0."""
    return tuple(
        tuple(_shares(c, given) for c, given in zip(level.choices, both, strict=True))
        for level, both in zip(tree.levels, weights, strict=True)
    )


def _shares(choices: Choices, weights: Doubles) -> Doubles:
    total = np.add.reduceat(weights, choices.starts, axis=0)[choices.nodes]
    equal = 1 / choices.num[choices.nodes, None]
    return np.where(total > 0, weights / np.where(total > 0, total, 1), equal)


def _expected(tree: Tree, strategy: Strategy) -> float:
    """Returns what seat 0 wins by if both seats play a strategy."""

    def respond(depth: int, index: int, choices: Choices, values: Doubles) -> Doubles:
        return np.add.reduceat(values * strategy[depth][index], choices.starts, axis=0)

    return values_of(tree, reaches(tree, strategy, 1), 0, respond)


_EQUAL = 1e-9  # values have rounding errors


def solve_by_induction(tree: Tree) -> tuple[float, Strategy]:
    """Returns the value for seat 0, in points, and an optimal strategy of each seat."""
    values, strategy = tree.margins.astype(np.float64), list[tuple[Doubles, ...]]()
    for level in reversed(tree.levels):
        probabilities: tuple[Doubles, ...] = ()
        if level.kind == DRAW:
            values = np.add.reduceat(values, level.starts) / level.num
        elif level.kind == PLACEMENT:
            values, probabilities = _best(level, values)
        else:
            values, probabilities = _mixed(level, values)
        strategy.append(probabilities)
    return float(values[0]), tuple(reversed(strategy))


@dataclass(frozen=True)
class Secrecy:
    """The value of hiding plans, from one draw of the first fiefs on."""

    hidden: float  #: points that seat 0 wins by if both play optimally
    shown: tuple[float, float]  #: the same if seat 0, or seat 1, shows each of its plans
    #: For each round, positions before the plans, and those where no sure plan is optimal.
    mixed: tuple[tuple[int, int], ...]


def secrecy_of(tree: Tree) -> Secrecy:
    """Returns the value of hiding plans, exactly."""
    margins = tree.margins.astype(np.float64)
    hidden, first, second = margins, margins, margins
    mixed = list[tuple[int, int]]()
    for level in reversed(tree.levels):
        if level.kind == DRAW:
            hidden, first, second = (
                np.add.reduceat(values, level.starts) / level.num
                for values in (hidden, first, second)
            )
        elif level.kind == PLACEMENT:
            hidden, first, second = (_best(level, values)[0] for values in (hidden, first, second))
        else:
            least, most = (_shown(level, hidden, seat) for seat in range(2))
            mixed.append((len(least), int((most - least > _EQUAL).sum())))
            hidden = _mixed(level, hidden)[0]
            first, second = _shown(level, first, 0), _shown(level, second, 1)
    shown = float(first[0]), float(second[0])
    return Secrecy(float(hidden[0]), shown, tuple(reversed(mixed)))


def _shown(level: Level, values: Doubles, seat: int) -> Doubles:
    """Returns the values [N] of nodes in which one seat shows its plan before the other plans."""
    choices, sign = level.choices[seat], 1.0 - 2.0 * seat
    answers = np.full(len(choices.actions), np.inf)  # of the other seat to each plan
    np.minimum.at(answers, level.chosen[seat], sign * values)
    return sign * np.maximum.reduceat(answers, choices.starts)


def _best(level: Level, values: Doubles) -> tuple[Doubles, tuple[Doubles, ...]]:
    """Returns the values [N], and 1 for the best action of each node, the first of equal ones."""
    (choices,) = level.choices
    sign = 1.0 - 2.0 * choices.seats
    signed = values * sign[choices.nodes]
    best = np.maximum.reduceat(signed, choices.starts)
    (optimal,) = (signed == best[choices.nodes]).nonzero()
    _, first = np.unique(choices.nodes[optimal], return_index=True)
    probabilities = np.zeros((len(signed), 1))
    probabilities[optimal[first]] = 1
    return best * sign, (probabilities,)


def _mixed(level: Level, values: Doubles) -> tuple[Doubles, tuple[Doubles, ...]]:
    """Returns the values of matrix games [N], and both seats' mixes."""
    first, second = level.choices
    found = np.empty(len(level.num))
    mixes = tuple(np.zeros((len(choices.actions), 1)) for choices in level.choices)
    for shape in np.unique(np.stack([first.num, second.num], axis=1), axis=0).tolist():
        m, n = shape
        (nodes,) = ((first.num == m) & (second.num == n)).nonzero()
        payoffs = values[_ranges(level.starts[nodes], m * n)].reshape(-1, m, n)
        found[nodes], rows, columns = solve_matrices(payoffs)
        mixes[0][_ranges(first.starts[nodes], m), 0] = rows.ravel()
        mixes[1][_ranges(second.starts[nodes], n), 0] = columns.ravel()
    return found, mixes


def _ranges(starts: Indices, num: int) -> Indices:
    """Returns `num` consecutive indices from each start, [len(starts) * num]."""
    return np.asarray((starts[:, None] + np.arange(num)).ravel())
