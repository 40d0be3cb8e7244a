"""Lists legal actions, and chooses among scored ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.batch.legal import list_plans
from gonzaga_env.core.state.state import PLAN

from .candidates import Indices

_TIE = 1e-4  # scores that differ by less are equal but for rounding


def best_of_each(
    scores: NDArray[np.float32], rows: Indices, num_rows: int, rng: np.random.Generator
) -> Indices:
    """Returns the place of the highest score of each row, [M]; ties are broken at random.

    Args:
        scores: [L].
        rows: the row of each score, [L], ascending; each of the M rows has one or more.
        num_rows: M.
        rng: breaks ties.
    """
    best = np.maximum.reduceat(scores, np.searchsorted(rows, np.arange(num_rows)))
    places = (scores >= best[rows] - _TIE).nonzero()[0]
    first = np.searchsorted(rows[places], np.arange(num_rows + 1))
    drawn = (rng.random(num_rows) * np.diff(first)).astype(np.int64)
    return places[first[:-1] + drawn]


def list_legal(engine: Engine, games: Indices, seats: Indices) -> tuple[Indices, Indices]:
    """Returns the legal actions of M decisions of any kinds (see `EngineAgent.act_in`).

    Returns:
        Positions among the M decisions and actions, two arrays [L], sorted by position.
    """
    kinds, listed = engine.kinds[games], []
    for kind in np.unique(kinds):
        which = (kinds == kind).nonzero()[0]
        if kind == PLAN:
            rows, actions = list_plans(engine.tables, engine.state, games[which], seats[which])
        else:
            rows, actions = engine.legal_actions(games[which])
        listed.append((which[rows], actions))
    if len(listed) == 1:
        return listed[0]
    rows, actions = map(np.concatenate, zip(*listed, strict=True))
    order = rows.argsort(kind="stable")
    return rows[order], actions[order]
