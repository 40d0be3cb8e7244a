"""The observations of all seats, updated as games move, so that reading one is a copy."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.observations import CHUNK_GAMES, ObservationReader
from gonzaga_env.core.batch.transitions import PlacementResult
from gonzaga_env.core.board.actions import CARDS, NUM_CARDS
from gonzaga_env.core.board.geometry import NUM_ROTATIONS
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.state.scoring import open_sites
from gonzaga_env.core.state.state import PLAN, State
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.rows import Rows, key_of, merge_seats

_CLOCK = ("phase", "round", "last_round", "finished", "num_acted", "open_sites")  # in a row
_AT_REVEAL = ("plan", "order", "ring_stock")
_AT_DEAL = (  # all others start at 0
    *("value", "objective", "round", "open_sites", "flourishing", "seat", "symbols"),
    *("fief", "deck", "ring_stock"),
)
_PLANES = ("fiefs", "rings")
_OF_ACTOR = ("score", "largest_group", "ring_stock")


class ObservationCache:
    """What every seat of N games knows, [N, P, D] uint8.

    After each change of the state, call the matching `on_...` method; the cache then equals what
    `observe` would read. Reading from the state instead would need none of these methods, but
    random games with an observation at every step would take 1.4 times as long at N = 16, 1.6 times
    at 64 and 2.1 times at 1,024 (medians of seven interleaved runs with four players on one core).
    """

    def __init__(self, tables: Tables, features: FeatureTable, state: State) -> None:
        self._tables, self._features, self._state = tables, features, state
        num_players, size = state.num_players, features.size
        self._observations = np.empty((state.num_games, num_players, size), dtype=np.uint8)
        self._starts = np.arange(state.num_games) * (num_players * size)
        seats = np.arange(num_players)
        ahead = (seats - seats[:, None]) % num_players
        # Where the actor's features start in each observing seat's part of a game's P * D bytes,
        # [P observers, P actors]: planes, and the numbers `_OF_ACTOR`.
        self._plane = seats[:, None] * size + ahead * tables.num_hexes
        self._fief_and_ring_planes = np.array([features[name].start for name in _PLANES])
        numbers = np.array([features[name].start for name in _OF_ACTOR])
        self._numbers = numbers[:, None, None] + seats[:, None] * size + ahead
        self._fief_number = seats[:, None] * size + features["fief_number"].start
        self._clock, self._num_acted = features[_CLOCK[0]].start, features["num_acted"].start
        self._plan, self._value = features["plan"].start, features["value"].start
        for chunk in Rows.all(state.num_games).chunks(CHUNK_GAMES):
            self._read(chunk, [feature.name for feature in features])

    def take(
        self, rows: Rows, seats: NDArray[np.int64], out: NDArray[np.uint8] | None
    ) -> NDArray[np.uint8]:
        """Returns the observations of one seat per game, [M, D], in `out` if given."""
        seat_rows = rows.seat_rows(seats, self._state.num_players)
        observations = merge_seats(self._observations)
        if out is None or out.dtype == observations.dtype:
            # Mode "raise" would copy `out` twice.
            return observations.take(seat_rows, axis=0, out=out, mode="clip")
        out[:] = observations.take(seat_rows, axis=0)
        return out

    def on_deal(self, rows: Rows) -> None:
        """Updates games that were dealt."""
        self._observations[rows.key] = 0
        for chunk in rows.chunks(CHUNK_GAMES):
            self._read(chunk, _AT_DEAL)

    def on_plans(self, rows: Rows, seats: NDArray[np.int64], revealed: Rows) -> None:
        """Updates games in which a seat sealed a plan, and those whose plans were revealed."""
        start = self._plan
        seat_rows = rows.seat_rows(seats, self._state.num_players)
        plans = self._state.plan.reshape(-1)[seat_rows]
        merge_seats(self._observations)[seat_rows, start : start + NUM_CARDS] = CARDS[plans]
        self._observations[rows.key, :, self._num_acted] = self._state.num_acted[rows.key, None]
        if len(revealed):
            self._write_clock(revealed)
            self._read(revealed, _AT_REVEAL)
            self._clear(revealed, ("previous_plan",))

    def on_placements(self, result: PlacementResult) -> None:
        """Updates games in which a seat placed a fief or rings, or donated."""
        rows, state = result.rows, self._state
        starts, seat_rows = self._starts[rows.key], rows.seat_rows(result.seats, state.num_players)
        self._write_pieces(result, starts, seat_rows)
        self._write_actor(result.seats, starts, seat_rows)
        self._write_clock(rows)
        at_sea = self._tables.num_harbors[result.placement].nonzero()[0]
        self._read(rows[at_sea], ("sea_harbors", "leagues"))
        ended = key_of(state.phase[rows.key] == PLAN)
        if len(rows[ended]):
            self._start_round(rows[ended])

    def _write_clock(self, rows: Rows) -> None:
        """Writes what all seats see alike and what changes at nearly every step."""
        state, key = self._state, rows.key
        clock = np.empty((len(rows), 1, len(_CLOCK)), dtype=np.uint8)
        for i, name in enumerate(_CLOCK[:-1]):
            clock[:, 0, i] = getattr(state, name)[key]
        clock[:, 0, -1] = open_sites(self._tables, state, key)
        self._observations[key, :, self._clock : self._clock + len(_CLOCK)] = clock

    def _write_pieces(self, result: PlacementResult, starts: Indices, seat_rows: Indices) -> None:
        """Writes new pieces into the planes of every seat, and into the actor's site values.

        Indices have the games in their last axis, since numpy is fast along long ones.
        """
        fiefs, rings = result.fiefs, result.rings
        at = np.concatenate([fiefs, rings])
        planes = self._fief_and_ring_planes.repeat([len(fiefs), len(rings)])
        cells = self._tables.placements.cells.take(result.placement[at], axis=0).astype(np.int64)
        cells = np.where(cells < self._tables.num_hexes, cells, cells[:, :1]).T.copy()
        planes = starts[at] + planes + self._plane[:, result.seats[at]]
        value = seat_rows[at] * self._features.size + self._value
        flat = self._observations.reshape(-1)
        flat[planes[:, None] + cells] = 1
        flat[value + cells] = 0
        numbers = starts[fiefs] + self._fief_number
        number = 1 + result.placement[fiefs] // (NUM_ROTATIONS * self._tables.num_hexes)
        flat[numbers[:, None] + cells[:, : len(fiefs)]] = number.astype(np.uint8)

    def _write_actor(self, seats: Indices, starts: Indices, seat_rows: Indices) -> None:
        """Writes the actors' numbers into every seat's observation."""
        state = self._state
        numbers = np.empty((len(_OF_ACTOR), 1, len(seat_rows)), dtype=np.uint8)
        scores = merge_seats(state.scores).take(seat_rows, axis=0).sum(axis=1)
        numbers[0] = np.minimum(scores, 255)
        numbers[1] = merge_seats(state.largest_group)[seat_rows]
        numbers[2] = merge_seats(state.ring_stock)[seat_rows]
        places = starts + self._numbers[:, :, seats]
        self._observations.reshape(-1)[places] = numbers

    def _start_round(self, rows: Rows) -> None:
        """Updates games in which the next round began or the game ended."""
        self._read(rows, ("fief",))
        plan, previous = self._features["plan"].slice, self._features["previous_plan"].slice
        self._observations[rows.key, :, previous] = self._observations[rows.key, :, plan]  # R3.3
        self._clear(rows, ("plan", "order"))
        over = self._state.finished[rows.key].nonzero()[0]
        self._read(Rows.some(rows.indices[over]), ("score",))  # of all players (R8)
        fief, deck = self._features["fief"].slice, self._features["deck"].slice
        self._observations[rows.key, :, deck] &= self._observations[rows.key, :, fief] ^ 1

    def _clear(self, rows: Rows, names: Iterable[str]) -> None:
        """Writes zeros over some features."""
        for name in names:
            self._observations[rows.key, :, self._features[name].slice] = 0

    def _read(self, rows: Rows, names: Iterable[str]) -> None:
        """Reads some features from the state."""
        reader = ObservationReader(self._tables, self._state, rows.key, None)
        for name in names:
            self._observations[rows.key, :, self._features[name].slice] = reader.read(name)
