"""The observations of all seats, kept up to date: what changes is written, the rest stays."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.look import CARDS, NUM_CARDS, PART, Look
from gonzaga_env.core.observation import FeatureTable
from gonzaga_env.core.rows import Rows, by_seat
from gonzaga_env.core.state import State
from gonzaga_env.core.tables import Tables
from gonzaga_env.core.transitions import Placed

_AT_REVEAL = ("phase", "position", "plan", "order", "ring_stock")
_AT_ROUND = ("phase", "round", "last_round", "fief")
_AT_DEAL = (  # the others are 0 at first
    *("value", "objective", "round", "open_sites", "flourishing", "seat", "symbols"),
    *("fief", "deck", "ring_stock"),
)
_PLANES = ("fiefs", "rings")
_OF_ACTOR = ("score", "largest", "ring_stock")


class Views:
    """What every seat of N games knows, [N, P, D] uint8, so that a look is one copy.

    After each change of the state one of the methods is told what happened; the array is then what
    `observe` would read anew.
    """

    def __init__(self, tables: Tables, features: FeatureTable, state: State) -> None:
        self._tables, self._features, self._state = tables, features, state
        num_players, size = state.num_players, features.size
        self._views = np.empty((state.num_games, num_players, size), dtype=np.uint8)
        self._starts = np.arange(state.num_games) * (num_players * size)
        seats = np.arange(num_players)
        ahead = (seats[:, None] - seats) % num_players
        # Where what belongs to the actor starts in each viewer's part of a game's P * D bytes,
        # [P actors, P viewers]: planes, and the numbers `_OF_ACTOR`.
        self._plane = seats * size + ahead * tables.num_hexes
        self._fief_and_ring_planes = np.array([features[name].start for name in _PLANES])
        numbers = np.array([features[name].start for name in _OF_ACTOR])
        self._numbers = (seats * size + ahead)[:, :, None] + numbers
        for part in Rows.all(state.num_games).parts(PART):
            self._read(part, [feature.name for feature in features])

    def take(
        self, rows: Rows, seats: NDArray[np.int64], out: NDArray[np.uint8] | None
    ) -> NDArray[np.uint8]:
        """Returns the observations of one seat a game, [M, D], in `out` where given."""
        slots = rows.slots(seats, self._state.num_players)
        views = by_seat(self._views)
        if out is None or out.dtype == views.dtype:
            return views.take(slots, axis=0, out=out, mode="clip")  # "raise" copies `out` twice
        out[:] = views.take(slots, axis=0)
        return out

    def dealt(self, rows: Rows) -> None:
        """Notes that some games were dealt anew."""
        self._views[rows.pick] = 0
        for part in rows.parts(PART):
            self._read(part, _AT_DEAL)

    def planned(self, rows: Rows, seats: NDArray[np.int64], revealed: Rows) -> None:
        """Notes plans that were sealed, known to their own seat alone, and those revealed."""
        start, slots = self._features["plan"].start, rows.slots(seats, self._state.num_players)
        plans = self._state.plan.reshape(-1)[slots]
        by_seat(self._views)[slots, start : start + NUM_CARDS] = CARDS[plans]
        self._read(rows, ("position",))
        if len(revealed):
            self._read(revealed, _AT_REVEAL)
            self._clear(revealed, ("locked",))

    def placed(self, placed: Placed) -> None:
        """Notes what was placed, what it scored, and rounds that ended."""
        starts = self._starts[placed.rows.pick]
        self._mark(placed, starts)
        self._tell_of_actor(placed, starts)
        self._read(placed.rows, ("position", "open_sites"))
        self._read(placed.rows[placed.at_sea], ("sea_harbors",))
        if len(placed.founded):
            self._read(placed.rows[placed.founded], ("leagues",))
        if len(placed.ended):
            self._turn_round(placed.ended)

    def _mark(self, placed: Placed, starts: NDArray[np.int64]) -> None:
        """Writes the hexes of new pieces into every seat's planes, and into the actor's values."""
        at = np.concatenate([placed.fiefs, placed.rings])
        planes = self._fief_and_ring_planes.repeat([len(placed.fiefs), len(placed.rings)])
        cells = self._tables.placements.cells.take(placed.placement[at], axis=0).astype(np.int64)
        cells = np.where(cells < self._tables.num_hexes, cells, cells[:, :1])
        planes = (starts[at] + planes)[:, None] + self._plane[placed.seats[at]]
        value = placed.slots[at] * self._features.size + self._features["value"].start
        flat = self._views.reshape(-1)
        flat[planes[:, :, None] + cells[:, None]] = 1
        flat[value[:, None] + cells] = 0

    def _tell_of_actor(self, placed: Placed, starts: NDArray[np.int64]) -> None:
        """Writes the actor's numbers into every seat's observation."""
        state, slots = self._state, placed.slots
        told = np.empty((len(slots), 1, len(_OF_ACTOR)), dtype=np.uint8)
        scores = by_seat(state.scores).take(slots, axis=0).sum(axis=1)
        told[:, 0, 0] = np.minimum(scores, 255)
        told[:, 0, 1] = by_seat(state.largest)[slots]
        told[:, 0, 2] = by_seat(state.ring_stock)[slots]
        places = starts[:, None, None] + self._numbers[placed.seats]
        self._views.reshape(-1)[places] = told

    def _turn_round(self, rows: Rows) -> None:
        """Notes that the next round began, which shows what was to come, or that the game ended."""
        self._read(rows, _AT_ROUND)
        plan, locked = self._features["plan"].slice, self._features["locked"].slice
        self._views[rows.pick, :, locked] = self._views[rows.pick, :, plan]  # R3.3
        self._clear(rows, ("plan", "order"))
        over = self._state.finished[rows.pick].nonzero()[0]
        self._read(Rows.some(rows.index[over]), ("score",))  # of all players (R8)
        fief, deck = self._features["fief"].slice, self._features["deck"].slice
        self._views[rows.pick, :, deck] &= self._views[rows.pick, :, fief] ^ 1

    def _clear(self, rows: Rows, names: Iterable[str]) -> None:
        """Writes zeros over features in some games."""
        for name in names:
            self._views[rows.pick, :, self._features[name].slice] = 0

    def _read(self, rows: Rows, names: Iterable[str]) -> None:
        """Reads features anew in some games."""
        look = Look(self._tables, self._state, rows.pick, None)
        for name in names:
            self._views[rows.pick, :, self._features[name].slice] = look.read(name)
