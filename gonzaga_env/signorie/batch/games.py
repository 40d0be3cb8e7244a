"""The games of an engine: the state's arrays by seat, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.batch.tables import NEVER, Tables, tables_of
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import MAX_DICE, OVER
from gonzaga_env.signorie.state.state import State
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.chance import stream_starts
from gonzaga_env.tabletop.rows import merge_seats

_BY_SEAT = (
    *("boards", "passed", "florins", "supply", "stock", "threshold", "careers", "placed"),
    *("helpers", "brides", "meeples", "initiative", "height", "held", "row_vp", "face_down"),
    "scores",
)


class Games:
    """N games of P players.

    Arrays of players (`_BY_SEAT`) have one row for each seat here, game * P + seat, and are views
    of the state's. What follows from the state is cached with it:

    Attributes:
        config: what is played.
        actions, features: the layouts of actions and observations.
        tables: the edition as arrays.
        num_players: P.
        state: the state; its arrays are changed in place and never replaced.
        missing: shields without a face-up tile, by row and House, [N * P, 24] uint8 (S10.2).
        best_rank: of the males on tracks, [N * P] uint8 (S9.3); 0 without any.
        can_advance: whether a male on a track stands below its end, [N * P] bool.
        num_placed: dice taken in this round, [N * P] uint8.
        idle: whether a seat has passed or can take no more dice, [N * P] bool (S5.2).
        columns: helpers as bits of slots, by column, [N * P, 5] uint8.
        num_helpers: helpers of each seat, [N * P] uint8.
        hire_needs: Florins needed for a helper, plus 1, by the color that hires it and slot,
            [N * P, 5 * H] uint8; NEVER where the slot is taken.
        helpers_left: helpers in the shared supply, [N] uint8.
        place: places of the seats in the turn order, [N * P] uint8.
        taken: slots taken of each city, all of those out of play, [N, 5] uint8.
        lowest: value of the lowest empty slot of each city, or NO_SLOT, [N, 5] uint8 (S8.2).
        cheapest: the least of them, [N] uint8.
        deck_size: [N] uint8.
        table: what is observed of the table and changes little (see `observations`), [N, W] uint8.
        acting: the row of the seat to act in arrays by seat, [N] int64.
        streams: what chance is computed from, [N] uint64 (see `stream_starts`).
        legal: the legal actions of the seat to act, [N, A] bool, and no others up to a multiple
            of eight.
        num_legal: their number, [N] int64.
    """

    boards: NDArray[np.uint8]
    passed: NDArray[np.bool_]
    florins: NDArray[np.uint16]
    supply: NDArray[np.uint8]
    stock: NDArray[np.uint8]
    threshold: NDArray[np.uint8]
    careers: NDArray[np.uint8]
    placed: NDArray[np.uint8]
    helpers: NDArray[np.bool_]
    brides: NDArray[np.uint8]
    meeples: NDArray[np.uint8]
    initiative: NDArray[np.uint8]
    height: NDArray[np.uint8]
    held: NDArray[np.uint8]
    row_vp: NDArray[np.uint8]
    face_down: NDArray[np.uint8]
    scores: NDArray[np.int16]

    def __init__(self, config: GameConfig, state: State) -> None:
        """Reads a state; the legal actions are left to `legal.update`."""
        self.config, self.state, self.num_players = config, state, config.num_players
        self.actions, self.features = config.actions, config.features
        self.tables: Tables = tables_of(config.edition)
        for name in _BY_SEAT:
            array = merge_seats(getattr(state, name))
            setattr(self, name, array.reshape(len(array), -1) if array.ndim > 2 else array)
        n, seats = state.num_games, len(self.boards)
        self.missing = np.empty((seats, self.held.shape[1]), np.uint8)
        self.best_rank, self.num_placed = np.empty((2, seats), np.uint8)
        self.num_helpers, self.place = np.empty((2, seats), np.uint8)
        self.hire_needs = np.empty((seats, self.helpers.shape[1]), np.uint8)
        self.can_advance, self.idle = np.empty((2, seats), np.bool_)
        self.columns = np.empty((seats, self.placed.shape[1]), np.uint8)
        self.helpers_left, self.deck_size, self.cheapest = np.empty((3, n), np.uint8)
        self.taken, self.lowest = np.empty((2, n, state.cities.shape[1]), np.uint8)
        first, last = self.features["assignments"], self.features["tile_value"]
        self.table = np.empty((n, last.slice.stop - first.slice.start), np.uint8)
        self.acting, self.num_legal = np.empty((2, n), np.int64)
        self.streams = np.empty(n, np.uint64)
        self.legal = np.zeros((n, -(-config.actions.size // 8) * 8), np.bool_)
        self.derive(np.arange(n))

    def derive(self, rows: Indices) -> None:
        """Computes what follows from the state of some games, but for their legal actions."""
        state, tables = self.state, self.tables
        seats = self.all_seats(rows).ravel()
        self.missing[seats] = tables.shields[self.boards[seats]] - self.held[seats]
        self.note_careers(seats)
        self.num_placed[seats] = row_sums((self.placed[seats] > 0).view(np.uint8))
        self.idle[seats] = self.passed[seats] | (self.num_placed[seats] >= MAX_DICE)
        helpers = self.helpers[seats]
        h = self.config.edition.num_helper_slots
        bits = helpers.reshape(len(seats), -1, h) << np.arange(h, dtype=np.uint8)
        self.columns[seats] = bits.sum(axis=2)
        self.num_helpers[seats] = row_sums(helpers.view(np.uint8))
        self.hire_needs[seats] = np.where(helpers[:, tables.hired], NEVER, tables.prices)
        hired = self.num_helpers[self.all_seats(rows)].sum(axis=1)
        self.helpers_left[rows] = self.config.edition.helpers - hired
        taken = state.meeples[rows].sum(axis=1)
        self.taken[rows] = np.where(state.cities[rows], taken, tables.lowest.shape[1] - 1)
        self.lowest[rows] = lowest = tables.lowest[np.arange(taken.shape[1]), self.taken[rows]]
        self.cheapest[rows] = lowest.min(axis=1)
        self.deck_size[rows] = state.deck[rows].sum(axis=1)
        self.streams[rows] = stream_starts(state.seed[rows], state.episode[rows])
        self.set_order(rows, state.order[rows])
        self.acting[rows] = rows * self.num_players + state.seat[rows]

    def note_careers(self, seats: Indices) -> None:
        """Updates what follows from careers that have changed."""
        tables, k = self.tables, self.config.edition.num_career_slots
        careers = self.careers.take(seats, axis=0).reshape(len(seats), -1, k)
        sets = (np.bitwise_or.reduce(careers, axis=1) > 0) @ tables.set_bits
        self.best_rank[seats] = tables.set_ranks.take(sets)
        self.can_advance[seats] = tables.set_advances.take(sets)

    def seats(self, rows: Indices) -> Indices:
        """Returns the rows of the seats to act in arrays by seat, [M]."""
        return self.acting.take(rows)

    def all_seats(self, rows: Indices) -> Indices:
        """Returns the rows of all seats of some games in arrays by seat, [M, P]."""
        return rows[:, None] * self.num_players + np.arange(self.num_players)

    def act(self, rows: Indices, seats: NDArray[np.uint8]) -> None:
        """Makes other seats act, [M]."""
        self.state.seat[rows] = seats
        self.acting[rows] = rows * self.num_players + seats

    def set_order(self, rows: Indices, order: NDArray[np.integer]) -> None:
        """Sets turn orders [M, P]."""
        self.state.order[rows] = order
        self.place[rows[:, None] * self.num_players + order] = np.arange(self.num_players)


def by_kind(kinds: NDArray[np.uint8]) -> Iterator[tuple[int, Indices]]:
    """Yields each kind of decision that comes up, and which of M games wait for it."""
    order = kinds.argsort(kind="stable")
    start = 0
    for kind, number in enumerate(np.bincount(kinds).tolist()):
        if number and kind != OVER:
            yield kind, order[start : start + number]
        start += number


def row_sums(counts: NDArray[Any]) -> NDArray[np.uint8]:
    """Returns the sum of each row of small numbers [M, K]; six times as fast as `sum`."""
    found: NDArray[np.uint8] = np.einsum("ij->i", counts)
    return found


_NOBODY = np.empty(0, np.int64)


class Queue:
    """Games that are to do the same next."""

    def __init__(self) -> None:
        self._rows: list[Indices] = []

    def add(self, rows: Indices) -> None:
        """Adds games [M]."""
        if len(rows):
            self._rows.append(rows)

    def __bool__(self) -> bool:
        return bool(self._rows)

    def take(self) -> Indices:
        """Empties the queue and returns its games, [M]."""
        rows, self._rows = self._rows, []
        return rows[0] if len(rows) == 1 else np.concatenate([_NOBODY, *rows])


class Todo:
    """What answers lead to, in the order in which it is done.

    Attributes:
        effects: games whose effect goes on.
        helpers: games whose next helper is asked for.
        turns: games whose next seat acts.
        rounds: games where all have passed.
        rewards: games whose next seat gets a reward.
        tables: games whose table has changed.
        arrivals: games, places and rows of the board of meeples that come to cities.
    """

    def __init__(self) -> None:
        self.effects, self.helpers, self.turns = Queue(), Queue(), Queue()
        self.rounds, self.rewards, self.tables = Queue(), Queue(), Queue()
        self.arrivals: list[tuple[Indices, Indices, Indices]] = []
