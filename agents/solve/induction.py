"""Backward induction: exact where there are no objectives, so that only plans are hidden.

Both seats know all that happened before they plan, so each pair of plans is a cell of a matrix game
whose payoffs are the values of the nodes that follow. If a seat had to show its plan, the other one
would choose the cell of its row or column, which takes no mix.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.arrays import Indices
from ..common.matrix_games import Floats64, solve_matrices
from .strategy import Strategy
from .tree import DRAW, PLACEMENT, Level, Tree

_EQUAL = 1e-9  # values have rounding errors


def solve_by_induction(tree: Tree) -> tuple[float, Strategy]:
    """Returns the value for seat 0, in points, and an optimal strategy of each seat."""
    values, strategy = tree.margins.astype(np.float64), list[tuple[Floats64, ...]]()
    for level in reversed(tree.levels):
        probabilities: tuple[Floats64, ...] = ()
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
    """What hidden plans are worth from one draw of the first fiefs on."""

    hidden: float  #: points that seat 0 wins by if both play optimally
    shown: tuple[float, float]  #: the same if seat 0, or seat 1, shows each of its plans
    #: For each round, positions before the plans, and those where no sure plan is optimal.
    mixed: tuple[tuple[int, int], ...]


def secrecy_of(tree: Tree) -> Secrecy:
    """Returns what hidden plans are worth, exactly."""
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


def _shown(level: Level, values: Floats64, seat: int) -> Floats64:
    """Returns the values [N] of nodes in which one seat shows its plan before the other plans."""
    choices, sign = level.choices[seat], 1.0 - 2.0 * seat
    answers = np.full(len(choices.actions), np.inf)  # of the other seat to each plan
    np.minimum.at(answers, level.chosen[seat], sign * values)
    return sign * np.maximum.reduceat(answers, choices.starts)


def _best(level: Level, values: Floats64) -> tuple[Floats64, tuple[Floats64, ...]]:
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


def _mixed(level: Level, values: Floats64) -> tuple[Floats64, tuple[Floats64, ...]]:
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
