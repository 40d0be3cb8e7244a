"""What follows from a state, kept until its games move: whose turn it is, and what seats see."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.legal import NO_SEAT, Turns, write_turns
from gonzaga_env.core.observation import FeatureTable, observe
from gonzaga_env.core.rows import Rows, where
from gonzaga_env.core.state import State
from gonzaga_env.core.tables import Tables
from gonzaga_env.core.transitions import Placed
from gonzaga_env.core.views import Views


class Known:
    """The turns of N games, worked out when asked for, and observations.

    Views of all seats cost about as much to set up as P observations of every game, and make each
    later one a copy. So they are set up when as many looks have been taken without them; a state
    that is only searched from, or looked at once, never pays for them.

    After each change of the state one of the methods is told what happened.

    Attributes:
        all: all games.
    """

    def __init__(self, tables: Tables, features: FeatureTable, state: State) -> None:
        self.all = Rows.all(state.num_games)
        self._tables, self._features, self._state = tables, features, state
        self._turns = Turns.unknown(tables, state.num_games)
        self._stale = np.ones(state.num_games, dtype=np.bool_)  # games that moved since
        self._any_stale = True
        self._views: Views | None = None
        self._num_looks = 0

    def turns(self, rows: Rows) -> Turns:
        """Returns whose turn it is in some games; of all games, the arrays themselves."""
        if self._any_stale:
            stale = rows[where(self._stale[rows.pick])]
            write_turns(self._tables, self._state, stale, self._turns)
            self._stale[stale.pick] = False
            self._any_stale = bool(self._stale.any())
        return self._turns if rows is self.all else self._turns.take(rows)

    def observe(
        self, rows: Rows, seats: NDArray[np.int64], out: NDArray[np.uint8] | None
    ) -> NDArray[np.uint8]:
        """Returns what one seat a game knows, [M, D], as `observation.observe` does."""
        if self._views is None:
            if self._num_looks < self._state.objective.size:
                self._num_looks += len(rows)
                return observe(self._tables, self._features, self._state, rows, seats, out)
            self._views = Views(self._tables, self._features, self._state)
        seen = self._views.take(rows, seats, out)
        seen[seats == NO_SEAT] = 0
        return seen

    def dealt(self, rows: Rows) -> None:
        """Notes that games were dealt anew."""
        self._forget(rows)
        if self._views is not None:
            self._views.dealt(rows)

    def planned(self, rows: Rows, seats: NDArray[np.int64], revealed: Rows) -> None:
        """Notes that seats sealed plans, and which games revealed them."""
        self._forget(rows)
        if self._views is not None:
            self._views.planned(rows, seats, revealed)

    def placed(self, placed: Placed) -> None:
        """Notes that fiefs were placed, weddings arranged and fiefs donated."""
        self._forget(placed.rows)
        if self._views is not None:
            self._views.placed(placed)

    def _forget(self, rows: Rows) -> None:
        self._stale[rows.pick] = self._any_stale = True
