"""Reads observations from a state, feature by feature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import CARDS, NUM_CARDS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.state.scoring import held_bits, open_sites
from gonzaga_env.core.state.state import PLACE, PLAN, State, current_fiefs
from gonzaga_env.core.state.turns import NO_SEAT
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.rows import RowKey, Rows

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
    """Returns what one seat of each of M games knows, [M, D].

    Args:
        tables: the tables of the edition.
        features: the layout.
        state: N games.
        rows: M of them, or their indices.
        seats: the observing seat of each, [M]; -1 gives zeros.
        out: array to write to and return, [M, D].
    """
    if out is None:
        out = np.empty((len(seats), features.size), dtype=np.uint8)
    start = 0
    for chunk in (rows if isinstance(rows, Rows) else Rows.some(rows)).chunks(CHUNK_GAMES):
        stop = start + len(chunk)
        reader = ObservationReader(tables, state, chunk.key, seats[start:stop])
        for feature in features:
            out[start:stop, feature.slice] = reader.read(feature.name)[:, 0]
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
    """Returns a reader of a field with one number per game."""
    return lambda reader: getattr(reader.state, name)[reader.key, None, None]


def _player(name: str) -> Callable[[ObservationReader], Values]:
    """Returns a reader of a field of the state that each player has."""

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
