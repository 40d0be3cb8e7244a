"""The mix of agents that no agent beats: Nash averaging of a table (Balduzzi et al. 2018).

A rating is one number, and depends on who else plays: copies of an agent that loses to X raise X.
Here the table of win shares is itself a game, in which each of two players sends an agent, drawn at
random if it likes. The optimal chances are the mix; of several, that of the most entropy, so that
copies of an agent share its weight. What an agent wins against the mix does not depend on copies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from ..common.arrays import Floats
from ..common.matrix_games import solve_matrices
from .pairs import PairShares

_EVEN = 0.5
_LEAST = 1e-12  # whose logarithm is finite
_WRONG = 1e-6  # how much an agent may win against what the search for the most entropy finds


@dataclass(frozen=True)
class Mix:
    """Chances of A agents that no agent wins more than half against."""

    weights: tuple[float, ...]  # how often each one plays, [A]
    shares: tuple[float, ...]  # what each one wins against the mix: at most 0.5, [A]


def unbeaten_mix(pairs: PairShares) -> Mix | None:
    """Returns the mix of a table of win shares; None if two agents have never met."""
    num = len(pairs)
    if any(pairs[i][j] is None for i in range(num) for j in range(num) if i != j):
        return None
    means = [[_EVEN if share is None else share.mean for share in row] for row in pairs]
    gains = (np.array(means) - np.transpose(means)) / 2  # of the row, beyond half
    weights = _most_even(gains, solve_matrices(gains[None])[1][0])
    return Mix(tuple(weights.tolist()), tuple((_EVEN + gains @ weights).tolist()))


def _most_even(gains: Floats, start: Floats) -> Floats:
    """Returns the optimal chances of the most entropy, given any optimal ones."""
    found = minimize(
        lambda p: np.sum(p * np.log(p + _LEAST)),
        start,
        jac=lambda p: np.log(p + _LEAST) + p / (p + _LEAST),
        bounds=[(0, 1)] * len(start),
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": np.ones_like},
            {"type": "ineq", "fun": lambda p: -gains @ p, "jac": lambda p: -gains},
        ],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    weights = np.where(found.x < _WRONG, 0, found.x)
    weights /= weights.sum()
    return weights if (gains @ weights).max() < _WRONG else start
