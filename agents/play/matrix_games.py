"""Matrix games of two players, solved exactly by the simplex method, many at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats64 = NDArray[np.float64]
_EPSILON = 1e-10


def solve_matrices(payoffs: Floats64) -> tuple[Floats64, Floats64, Floats64]:
    """Returns the value and optimal mixes of each game.

    It solves the columns' linear program, whose dual solution is the rows' mix. With payoffs A made
    positive, the columns' player maximizes the sum of y >= 0 with A y <= 1. Then the value is 1 /
    sum(y), and the mix y / sum(y). The tableau of each game is::

        A  | I | 1
        -1 | 0 | 0

    Args:
        payoffs: what the columns' player pays to the rows', [M, m, n].

    Returns:
        Values [M], mixes of the rows [M, m] and of the columns [M, n].
    """
    num, m, n = payoffs.shape
    low, high = payoffs.min(axis=(1, 2)), payoffs.max(axis=(1, 2))
    scale = high - low + 1
    tableau = np.zeros((num, m + 1, n + m + 1))
    tableau[:, :m, :n] = (payoffs - low[:, None, None] + 1) / scale[:, None, None]
    tableau[:, range(m), range(n, n + m)] = tableau[:, :m, -1] = 1
    tableau[:, m, :n] = -1
    basis = np.tile(np.arange(n, n + m), (num, 1))
    active = np.arange(num)
    while len(active):
        improves = tableau[active, m, :-1] < -_EPSILON
        active = active[improves.any(axis=1)]
        if len(active):
            enters = improves[improves.any(axis=1)].argmax(axis=1)
            _pivot(tableau, basis, active, enters)
    total = tableau[:, m, -1]
    mixes = np.zeros((num, n + m))
    np.put_along_axis(mixes, basis, tableau[:, :m, -1], axis=1)
    values = scale / total + low - 1
    return values, _mix(tableau[:, m, n:-1]), _mix(mixes[:, :n])


def _pivot(
    tableau: Floats64, basis: NDArray[np.int64], games: NDArray[np.int64], enters: NDArray[np.int64]
) -> None:
    """Moves a column into the basis of each game, by Bland's rule, which never cycles."""
    rows, part = np.arange(len(games)), tableau[games]
    column = part[rows, :, enters]
    ratios = np.full(column[:, :-1].shape, np.inf)
    np.divide(part[:, :-1, -1], column[:, :-1], out=ratios, where=column[:, :-1] > _EPSILON)
    ties = ratios <= ratios.min(axis=1, keepdims=True) + _EPSILON
    leaves = np.where(ties, basis[games], np.iinfo(np.int64).max).argmin(axis=1)
    pivot = part[rows, leaves] / column[rows, leaves, None]
    part -= column[:, :, None] * pivot[:, None]
    part[rows, leaves] = pivot
    tableau[games], basis[games, leaves] = part, enters


def _mix(weights: Floats64) -> Floats64:
    weights = np.maximum(weights, 0)
    return weights / weights.sum(axis=1, keepdims=True)
