"""Lists legal actions."""

from __future__ import annotations

import numpy as np

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.state.state import PLAN
from gonzaga_env.core.state.turns import list_plans

from .candidates import Indices


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
