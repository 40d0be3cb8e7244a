"""What only reports about The Castles of Tuscany show: actions by round, situations in words."""

from __future__ import annotations

import numpy as np

from gonzaga_env.tuscany import Engine
from gonzaga_env.tuscany.board.actions import ACTIONS
from gonzaga_env.tuscany.constants import MAIN, NOT_FINAL, NUM_ROUNDS
from gonzaga_env.tuscany.view.game_view import view_game
from gonzaga_env.tuscany.view.words import end_words, stage_words

from ..common.arrays import Indices
from ..evaluation import by_round
from ..evaluation.by_round import details_of, show_details

__all__ = ["Historian", "details_of", "is_last_round", "show_details", "situation"]

_STARTS = (ACTIONS.take.start, ACTIONS.tile.start, ACTIONS.hexagon.start)


class Historian(by_round.Historian):
    """Counts points, and the turn's actions (T3.1) in the order of the action space."""

    num_rounds, kinds = NUM_ROUNDS, ("draw", "take", "place a tile", "place a hexagon")

    def kinds_of(self, rows: Indices, actions: Indices) -> Indices:
        """See `by_round.Historian.kinds_of`."""
        kinds = np.searchsorted(_STARTS, actions, side="right")
        return np.where(self._engine.kinds[rows] == MAIN, kinds, -1)


def situation(engine: Engine) -> tuple[str, ...]:
    """Returns what the seat to act of the first game decides, and how far the game is."""
    view = view_game(engine.config, engine.state, 0, int(engine.seats[0]))
    return f"decides: {stage_words(view).partition(': ')[2]}", f"lap {view.lap}; {end_words(view)}"


def is_last_round(engine: Engine) -> bool:
    """Returns whether the first game is known to end (T10.3)."""
    return int(engine.state.turns_left[0]) != NOT_FINAL
