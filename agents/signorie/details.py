"""What only reports about Signorie show: actions by round, situations in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gonzaga_env.signorie import Engine, GameConfig
from gonzaga_env.signorie.constants import MAIN
from gonzaga_env.signorie.view.game_view import view_game
from gonzaga_env.signorie.view.words import stage_words
from gonzaga_env.tabletop.records.log import called

from ..common.arrays import Indices
from ..evaluation import by_round
from ..evaluation.by_round import details_of, show_details

__all__ = ["Historian", "details_of", "is_last_round", "show_details", "situation"]


class Historian(by_round.Historian):
    """Counts points, and what dice are taken for (S5.3)."""

    kinds = "hire", "assignment", "signoria", "pass"

    def __init__(self, engine: Engine, step: Callable[[Indices], Any]) -> None:
        """Starts with games that have just been dealt (see `by_round.Historian`)."""
        self.num_rounds = engine.edition.num_rounds
        super().__init__(engine, step)

    def kinds_of(self, rows: Indices, actions: Indices) -> Indices:
        """See `by_round.Historian.kinds_of`."""
        config: GameConfig = self._engine.config
        codec, helpers = config.actions, config.edition.num_helper_slots
        choices = actions % codec.num_choices
        kinds = np.searchsorted((helpers, helpers + 2), choices, side="right")
        kinds[actions == codec.skip_turn] = len(self.kinds) - 1
        return np.where(self._engine.kinds[rows] == MAIN, kinds, -1)


def situation(engine: Engine) -> tuple[str, ...]:
    """Returns what the seat to act of the first game decides, and the turn order."""
    view = view_game(engine.config, engine.state, 0)
    order = ", ".join(called(view.players[seat]) for seat in view.order)
    return f"decides: {stage_words(view).partition(': ')[2]}", f"turn order: {order}"


def is_last_round(engine: Engine) -> bool:
    """Returns whether the first game is in its last round."""
    return bool(engine.state.round[0] == engine.edition.num_rounds)
