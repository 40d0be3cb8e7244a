"""What the players gain in a step, and what it is worth to a learner (`tabletop.rewards`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.scoring import winners
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.state.state import END_SOURCES, State
from gonzaga_env.tabletop import rewards
from gonzaga_env.tabletop.rewards import Reward


def step_rewards(
    kind: Reward,
    tables: Tables,
    seats: NDArray[np.int64],
    points: NDArray[np.int64],
    ended: NDArray[np.int64],
    final: State,
) -> NDArray[np.float64]:
    """Returns the rewards of one step, [M, P].

    Args:
        kind: see `tabletop.rewards.step_rewards`.
        tables: the tables of the edition.
        seats: the seat that acted, [M].
        points: what it scored immediately, [M].
        ended: the games that ended, as indices of the M.
        final: those games.
    """

    def gained() -> NDArray[np.float64]:
        gained = np.zeros(shape)
        gained[np.arange(len(seats)), seats] = points
        gained[ended] += final.scores[:, :, END_SOURCES].sum(axis=2)
        return gained

    shape = len(seats), final.num_players
    return rewards.step_rewards(kind, shape, ended, lambda: winners(tables, final), gained)
