"""Reads observations from a state, feature by feature, and keeps those of all seats up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.transitions import PlacementResult
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import CARDS, NUM_CARDS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.edition import NUM_ROTATIONS
from gonzaga_env.core.state import NO_SEAT, PLACE, PLAN, State, current_fiefs, held_bits, open_sites
from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.rows import RowKey, Rows, key_of, merge_seats
from gonzaga_env.kernel.spaces import FeatureTable

CHUNK_GAMES = 512  # games that are read together; more would only take more memory
_ONE_HOT_FIEFS = np.eye(NUM_FIEFS, dtype=np.uint8)

Values = NDArray[Any]


def observe(
    tables: Tables,
    features: FeatureTable,
    state: State,
    rows: Rows | NDArray[np.int64],
    seats: NDArray[np.int64],
    out: NDArray[np.uint8] | None = None,
) -> NDArray[np.uint8]:
    """Returns what one seat of each of M games knows, [M, D]; seat -1 gives zeros."""
    if out is None:
        out = np.empty((len(seats), features.size), dtype=np.uint8)
    start = 0
    for chunk in (rows if isinstance(rows, Rows) else Rows.some(rows)).chunks(CHUNK_GAMES):
        stop = start + len(chunk)
        reader = ObservationReader(tables, state, chunk.key, seats[start:stop])
        for name, columns in features.slices.items():
            out[start:stop, columns] = reader.read(name)[:, 0]
        start = stop
    out[seats == NO_SEAT] = 0
    return out


@dataclass(slots=True)
class ObservationReader:
    """Reads features of M games for V seats of each: V is 1, or P.

    Attributes:
        tables: the tables of the edition.
        state: N games.
        key: M of them.
        seats: the observing seat of each, [M]; None for all P seats.
    """

    tables: Tables
    state: State
    key: RowKey
    seats: NDArray[np.int64] | None

    def read(self, name: str) -> Values:
        """Returns a feature by seat, [M, V, size]; [M, 1, size] if all seats see the same."""
        return _READERS[name](self)

    def own(self, values: Values) -> Values:
        """Returns the observing seats' own values, [M, V, k] of [M, P, k]."""
        if self.seats is None:
            return values
        return values[np.arange(len(values)), self.seats][:, None]

    def rotated(self, values: Values) -> Values:
        """Returns all players' values from the observing seat on, [M, V, P * k] of [M, P, k].

        Of four players, seat 2 sees 2, 3, 0, 1: a window of the players written twice::

            0 1 2 3 0 1 2 3
                [ s = 2 ]
        """
        games, players, size = values.shape
        twice = np.concatenate([values, values], axis=1)
        windows = np.ndarray(
            (games, players, players * size), twice.dtype, twice, strides=twice.strides
        )
        return self.own(windows)

    def planes(self, sets: Words) -> NDArray[np.uint8]:
        """Returns sets of hexes [..., W] as 0 and 1, [..., H]."""
        return bits.unpack(sets, self.tables.num_hexes)


def _value(reader: ObservationReader) -> Values:
    value = reader.tables.site_value[reader.state.scenario[reader.key], :-1]
    held = reader.own(held_bits(reader.state, reader.key))
    return value[:, None] * (1 - reader.planes(held))


def _fief_number(reader: ObservationReader) -> Values:
    """Numbers of the fiefs on the map; of each hex one player at most holds a fief (R4.3)."""
    pieces = reader.state.piece[reader.key, :, :-1]
    return (pieces * (pieces <= NUM_FIEFS)).max(axis=1)[:, None]


def _seat(reader: ObservationReader) -> Values:
    players = reader.state.num_players
    seats = np.arange(players)[None] if reader.seats is None else reader.seats[:, None]
    return seats[..., None] == np.arange(players)


def _deck(reader: ObservationReader) -> Values:
    """The fiefs still in each deck, without their order (R2.2)."""
    deck = reader.state.deck[reader.key]
    rounds = np.arange(NUM_FIEFS) >= reader.state.round[reader.key, None, None]
    rounds[..., reader.tables.edition.size.fiefs :] = False
    to_come = np.zeros(deck.shape, dtype=np.bool_)
    np.put_along_axis(to_come, deck, rounds, axis=2)
    return reader.rotated(to_come)


def _plan(reader: ObservationReader) -> Values:
    """Plans; sealed ones are visible to their own seat only (R3.2)."""
    plans = reader.rotated(CARDS[reader.state.plan[reader.key]])
    sealed = (reader.state.phase[reader.key] == PLAN).nonzero()[0]
    if len(sealed):
        plans = plans.copy()
        plans[sealed, :, NUM_CARDS:] = 0
    return plans


def _order(reader: ObservationReader) -> Values:
    """Place in the turn order (R3.5)."""
    order = reader.state.order[reader.key]
    places = np.zeros(order.shape, dtype=np.uint8)
    np.put_along_axis(places, order, np.arange(1, order.shape[1] + 1)[None], axis=1)
    places *= reader.state.phase[reader.key, None] == PLACE
    return reader.rotated(places[..., None])


def _game(name: str) -> Callable[[ObservationReader], Values]:
    return lambda reader: getattr(reader.state, name)[reader.key, None, None]


def _player(name: str) -> Callable[[ObservationReader], Values]:
    def read(reader: ObservationReader) -> Values:
        values = getattr(reader.state, name)[reader.key]
        return reader.rotated(values if values.ndim == 3 else values[..., None])

    return read


_READERS: dict[str, Callable[[ObservationReader], Values]] = {
    "fiefs": lambda reader: reader.rotated(reader.planes(reader.state.fiefs[reader.key])),
    "rings": lambda reader: reader.rotated(reader.planes(reader.state.rings[reader.key])),
    "fief_number": _fief_number,
    "value": _value,
    "objective": lambda reader: reader.tables.objective_planes[
        reader.own(reader.state.objective[reader.key])
    ],
    "phase": _game("phase"),
    "round": _game("round"),
    "last_round": _game("last_round"),
    "num_acted": _game("num_acted"),
    "open_sites": lambda reader: open_sites(reader.tables, reader.state, reader.key)[:, None, None],
    "finished": _game("finished"),
    "flourishing": lambda reader: reader.tables.flourishing[reader.state.scenario[reader.key]][
        :, None
    ],
    "seat": _seat,
    "symbols": lambda reader: reader.tables.objective_symbols[
        reader.own(reader.state.objective[reader.key])
    ],
    "fief": lambda reader: reader.rotated(_ONE_HOT_FIEFS[current_fiefs(reader.state, reader.key)]),
    "deck": _deck,
    "previous_plan": lambda reader: reader.rotated(CARDS[reader.state.previous_plan[reader.key]]),
    "plan": _plan,
    "order": _order,
    "ring_stock": _player("ring_stock"),
    "score": lambda reader: reader.rotated(
        np.minimum(reader.state.scores[reader.key].sum(axis=2), 255).astype(np.uint8)[..., None]
    ),
    "sea_harbors": _player("sea_harbors"),
    "leagues": _player("leagues"),
    "largest_group": _player("largest_group"),
}


_CLOCK = ("phase", "round", "last_round", "finished", "num_acted", "open_sites")  # in a row
_AT_REVEAL = ("plan", "order", "ring_stock")
_AT_DEAL = (  # all others start at 0
    *("value", "objective", "round", "open_sites", "flourishing", "seat", "symbols"),
    *("fief", "deck", "ring_stock"),
)
_PLANES = ("fiefs", "rings")
_OF_ACTOR = ("score", "largest_group", "ring_stock")


class ObservationCache:
    """The observations of every seat of N games, [N, P, D] uint8.

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
            self._read(chunk, features.slices)

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
        for name in names:
            self._observations[rows.key, :, self._features.slices[name]] = 0

    def _read(self, rows: Rows, names: Iterable[str]) -> None:
        reader = ObservationReader(self._tables, self._state, rows.key, None)
        for name in names:
            self._observations[rows.key, :, self._features.slices[name]] = reader.read(name)
