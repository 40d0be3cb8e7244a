"""The games of an engine: the state's arrays by seat, and what follows from them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch.tables import AT_TOP, NEVER, NO_DECK, NO_HELPER, tables_of
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.state.state import State
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.chance import stream_starts
from gonzaga_env.tabletop.rows import merge_seats


class Games:
    """N games of P players.

    Arrays of players have one row for each seat here, game * P + seat, and are views of the
    state's. What follows from the state is cached with it:

    Attributes:
        config, edition, actions, features: what is played, and its layouts.
        tables: the edition as arrays.
        num_players: P.
        state: the state; its arrays are changed in place and never replaced.
        missing: shields without a face-up tile, by row and House, [N * P, 24] uint8 (S10.2).
        best_rank: of the males on tracks, [N * P] uint8 (S9.3); 0 without any.
        at_ends: whether they all stand at the ends of tracks, [N * P] bool.
        open: whether a die of a color may still be placed, [N * P, 5] bool (S5.2).
        margin: threshold less the sum of the dice, [N * P] int16 (S11.3).
        idle: whether a seat has passed or can take no more dice, [N * P] bool.
        columns: helpers as bits of slots, by column, [N * P, 5] uint8.
        hire_needs: Florins needed for a helper, plus 1, by the color that hires it and slot,
            [N * P, 5 * H] uint8; NEVER where it is impossible.
        num_helpers: helpers of each seat, [N * P] uint8.
        helpers_left: helpers in the shared supply, [N] uint8.
        place: places of the seats in the turn order, [N * P] uint8.
        taken: slots taken of each city, all of those out of play, [N, 5] uint8.
        lowest: value of the lowest empty slot of each city, or NO_SLOT, [N, 5] uint8 (S8.2).
        cheapest: the least of them, [N] uint8.
        deck_size: [N] uint8.
        code: bits of what is impossible for all seats (NO_DECK, NO_HELPER), [N] uint8.
        seat_code: for a seat (NO_HELPER, AT_TOP), [N * P] uint8.
        table: what is observed of the table and changes little (see `observations`), [N, W] uint8.
        changed_tables: games where it has changed since.
        acting: the row of the seat to act in arrays by seat, [N] int64.
        streams: what chance is computed from, [N] uint64 (see `stream_starts`).
        legal: the legal actions of the seat to act, [N, A] bool; padded to a multiple of eight.
        num_legal: their number, [N] int64.
    """

    def __init__(self, config: GameConfig, state: State) -> None:
        """Reads a state; `legal.update` and `observations.show_tables` do the rest."""
        self.config, self.state, self.num_players = config, state, config.num_players
        self.edition, self.tables = config.edition, tables_of(config.edition)
        self.actions, self.features = config.actions, config.features
        s: Any = state
        merge: Any = merge_seats
        self.boards, self.passed, self.florins = map(merge, (s.boards, s.passed, s.florins))
        self.supply, self.stock, self.threshold = map(merge, (s.supply, s.stock, s.threshold))
        self.careers, self.placed, self.helpers = map(merge, (s.careers, s.placed, s.helpers))
        self.brides, self.meeples, self.scores = map(merge, (s.brides, s.meeples, s.scores))
        self.initiative, self.height, self.held = map(merge, (s.initiative, s.height, s.held))
        self.row_vp, self.face_down = merge(s.row_vp), merge(s.face_down)
        n, seats, bits = state.num_games, len(self.boards), np.uint8
        self.missing = np.empty((seats, self.tables.shields.shape[1]), bits)
        self.hire_needs = np.empty((seats, len(self.tables.prices)), bits)
        self.best_rank, self.num_helpers, self.place, self.seat_code = np.empty((4, seats), bits)
        self.at_ends, self.idle = np.empty((2, seats), np.bool_)
        self.open, self.columns = np.empty((seats, c.NUM_COLORS), np.bool_), self.placed.copy()
        self.margin = np.empty(seats, np.int16)
        self.helpers_left, self.cheapest, self.deck_size, self.code = np.empty((4, n), bits)
        self.taken, self.lowest = np.empty((2, n, c.NUM_CITIES), bits)
        first, last = self.features["assignments"], self.features["tile_value"]
        self.table = np.empty((n, last.slice.stop - first.slice.start), bits)
        self.acting, self.num_legal = np.empty((2, n), np.int64)
        self.streams = np.empty(n, np.uint64)
        self.legal = np.zeros((n, -(-self.actions.size // 8) * 8), np.bool_)
        self.changed_tables: list[Indices] = []
        self.derive(np.arange(n))

    def derive(self, rows: Indices) -> None:
        """Computes what follows from the state of some games, but for their legal actions."""
        state, tables, edition = self.state, self.tables, self.edition
        seats = self.all_seats(rows).ravel()
        held = self.held.take(seats, axis=0).reshape(len(seats), -1)
        self.missing[seats] = tables.shields.take(self.boards.take(seats), axis=0) - held
        helpers = self.helpers.take(seats, axis=0)
        bits = helpers << np.arange(edition.num_helper_slots, dtype=np.uint8)
        self.columns[seats] = np.einsum("ijk->ij", bits)
        helpers = helpers.reshape(len(seats), -1)
        self.hire_needs[seats] = np.where(helpers.take(tables.hired, axis=1), NEVER, tables.prices)
        self.num_helpers[seats] = number = row_sums(helpers.view(np.uint8))
        self.helpers_left[rows] = edition.helpers - row_sums(number.reshape(len(rows), -1))
        self.deck_size[rows] = deck_size = row_sums(state.deck.take(rows, axis=0))
        self.code[rows] = (deck_size == 0) * NO_DECK
        self.note_no_helpers(rows)
        at_top = self.initiative.take(seats) == len(edition.initiative_vp) - 1
        full = number == helpers.shape[1]
        self.seat_code[seats] = at_top * AT_TOP + full * NO_HELPER
        taken = np.einsum("ijk->ik", state.meeples.take(rows, axis=0))
        taken[~state.cities.take(rows, axis=0)] = tables.lowest.shape[1] - 1
        self.taken[rows] = taken
        self.lowest[rows] = lowest = tables.lowest[np.arange(c.NUM_CITIES), taken]
        self.cheapest[rows] = lowest.min(axis=1)
        self.streams[rows] = stream_starts(state.seed.take(rows), state.episode.take(rows))
        self.note_careers(seats)
        self.note_dice(rows)
        self.set_order(rows, state.order.take(rows, axis=0))
        self.acting[rows] = rows * self.num_players + state.seat.take(rows)

    def note_careers(self, seats: Indices) -> None:
        """Updates what follows from careers that have changed."""
        slots = np.bitwise_or.reduce(self.careers.take(seats, axis=0), axis=1) > 0
        sets = slots @ self.tables.set_bits
        self.best_rank[seats] = self.tables.set_ranks.take(sets)
        self.at_ends[seats] = self.tables.set_ends.take(sets)

    def note_dice(self, rows: Indices) -> None:
        """Updates what follows from all dice of some games."""
        seats = self.all_seats(rows).ravel()
        placed, standing = self.placed.take(seats, axis=0), self.threshold.take(seats, axis=0)
        free = placed == 0
        full = row_sums(free.view(np.uint8)) <= c.NUM_COLORS - c.MAX_DICE
        self.open[seats] = free & ~full[:, None]
        self.idle[seats] = self.passed[seats] | full
        raised = self.edition.threshold_step * row_sums(standing).astype(np.int16)
        self.margin[seats] = self.edition.threshold + raised - row_sums(placed)

    def note_no_helpers(self, rows: Indices) -> None:
        """Updates what follows where the supply has no helpers left."""
        rows = rows[self.helpers_left.take(rows) == 0]
        if len(rows):
            self.code[rows] |= NO_HELPER
            self.hire_needs[self.all_seats(rows)] = NEVER

    def take_changed_tables(self) -> Indices:
        """Empties `changed_tables` and returns the games."""
        rows, self.changed_tables = self.changed_tables, []
        return np.concatenate([np.empty(0, np.int64), *rows])

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


def row_sums(counts: NDArray[Any]) -> NDArray[np.uint8]:
    """Returns the sum of each row of small numbers [M, K]; six times as fast as `sum`."""
    found: NDArray[np.uint8] = np.einsum("ij->i", counts)
    return found
