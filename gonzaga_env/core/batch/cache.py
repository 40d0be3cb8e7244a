"""What the engine derives from its state and keeps until games move: decisions and observations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.legal import Decisions, write_decisions
from gonzaga_env.core.batch.observation_cache import ObservationCache
from gonzaga_env.core.batch.observations import observe
from gonzaga_env.core.batch.transitions import PlacementResult
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.state.state import State
from gonzaga_env.core.state.turns import NO_SEAT
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.rows import Rows, key_of


class EngineCache:
    """The decisions of N games, worked out on demand, and observations.

    Setting up an `ObservationCache` costs about as much as P observations of every game and makes
    each later one a copy. So it is set up after N * P observations; a state that is only searched
    from, or observed once, never pays for it. After each change of the state, call the matching
    `on_...` method, which updates it. Reading observations from the state instead would need none
    of these methods, but random games with an observation at every step would take 1.4 times as
    long at N = 16, 1.6 times at 64 and 2.1 times at 1,024 (medians of seven interleaved runs with
    four players on one core).

    Attributes:
        all: all games.
    """

    def __init__(
        self, tables: Tables, features: FeatureTable, state: State, all_games: Rows
    ) -> None:
        self.all = all_games
        self._tables, self._features, self._state = tables, features, state
        self._decisions = Decisions.empty(tables, state.num_games)
        self._stale = np.ones(
            state.num_games, dtype=np.bool_
        )  # games that changed since their decisions were computed
        self._any_stale = True
        self._observations: ObservationCache | None = None
        self._num_observed = 0

    def decisions(self, rows: Rows) -> Decisions:
        """Returns the decisions of some games; for `all`, the cached arrays themselves."""
        if self._any_stale:
            stale = rows[key_of(self._stale[rows.key])]
            write_decisions(self._tables, self._state, stale, self._decisions)
            self._stale[stale.key] = False
            self._any_stale = bool(self._stale.any())
        return self._decisions if rows is self.all else self._decisions.take(rows)

    def observe(
        self, rows: Rows, seats: NDArray[np.int64], out: NDArray[np.uint8] | None
    ) -> NDArray[np.uint8]:
        """Returns what one seat per game knows, [M, D] (see `reader.observe`)."""
        if self._observations is None:
            if self._num_observed < self._state.objective.size:
                self._num_observed += len(rows)
                return observe(self._tables, self._features, self._state, rows, seats, out)
            self._observations = ObservationCache(self._tables, self._features, self._state)
        observations = self._observations.take(rows, seats, out)
        if len(over := (seats == NO_SEAT).nonzero()[0]):
            observations[over] = 0
        return observations

    def on_deal(self, rows: Rows) -> None:
        """Updates games that were dealt."""
        self._mark_stale(rows)
        if self._observations is not None:
            self._observations.on_deal(rows)

    def on_plans(self, rows: Rows, seats: NDArray[np.int64], revealed: Rows) -> None:
        """Updates games in which a seat sealed a plan, and those whose plans were revealed."""
        self._mark_stale(rows)
        if self._observations is not None:
            self._observations.on_plans(rows, seats, revealed)

    def on_placements(self, result: PlacementResult) -> None:
        """Updates games in which a seat placed a fief or rings, or donated."""
        self._mark_stale(result.rows)
        if self._observations is not None:
            self._observations.on_placements(result)

    def _mark_stale(self, rows: Rows) -> None:
        self._stale[rows.key] = self._any_stale = True
