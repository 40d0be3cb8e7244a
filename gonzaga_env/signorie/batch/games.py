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
from gonzaga_env.tabletop.rows import flat_rows, merge_seats, row_sums


class Games:
    """N games of P players.

    Arrays of players have one row for each seat here, game * P + seat, and are views of the
    state's, which are changed in place and never replaced. What follows from them is cached.
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
        self._add_seats(len(self.boards))
        self._add_games(state.num_games)
        self.derive(np.arange(state.num_games))

    def _add_seats(self, n: int) -> None:
        """Makes room for what follows for each seat, [N * P, ...]."""
        u8 = np.uint8
        # Shields without a face-up tile, by row and House (S10.2).
        self.missing = np.empty((n, self.tables.shields.shape[1]), u8)
        self.best_rank = np.empty(n, u8)  # of the males on tracks (S9.3); 0 without any
        self.at_ends = np.empty(n, np.bool_)  # whether they all stand at the ends of tracks
        # Whether a die of a color may still be placed (S5.2).
        self.open = np.empty((n, c.NUM_COLORS), np.bool_)
        self.margin = np.empty(n, np.int16)  # threshold less the sum of the dice (S11.3)
        self.idle = np.empty(n, np.bool_)  # has passed, or can take no more dice
        self.columns = np.empty((n, c.NUM_COLORS), u8)  # helpers as bits of slots, by column
        # Florins needed for a helper, plus 1, by the color that hires it and slot, or NEVER.
        self.hire_needs = np.empty((n, len(self.tables.prices)), u8)
        self.num_helpers = np.empty(n, u8)
        self.place = np.empty(n, u8)  # in the turn order
        self.seat_code = np.empty(n, u8)  # bits of what is impossible (NO_HELPER, AT_TOP)

    def _add_games(self, n: int) -> None:
        """Makes room for what follows for each game, [N, ...]."""
        u8 = np.uint8
        self.helpers_left = np.empty(n, u8)  # in the shared supply
        self.taken = np.empty((n, c.NUM_CITIES), u8)  # slots; all of cities out of play
        # Value of the lowest empty slot of each city, or NO_SLOT (S8.2), and the least of them.
        self.lowest, self.cheapest = np.empty((n, c.NUM_CITIES), u8), np.empty(n, u8)
        self.deck_size = np.empty(n, u8)
        self.code = np.empty(n, u8)  # bits of what is impossible for all (NO_DECK, NO_HELPER)
        # What is observed of the table and changes little (see `observations`).
        first, last = self.features["assignments"], self.features["tile_value"]
        self.table = np.empty((n, last.slice.stop - first.slice.start), u8)
        self.changed_tables: list[Indices] = []  # games where it has changed since
        self.acting = np.empty(n, np.int64)  # the row of the seat to act in arrays by seat
        self.streams = np.empty(n, np.uint64)  # what chance is computed from
        # The legal actions of the seat to act, padded to a multiple of eight, and their number.
        self.legal = np.zeros((n, -(-self.actions.size // 8) * 8), np.bool_)
        self.num_legal = np.empty(n, np.int64)

    def derive(self, rows: Indices) -> None:
        """Computes what follows from the state of some games, but for their legal actions."""
        state, tables, edition = self.state, self.tables, self.edition
        seats = self.all_seats(rows).ravel()
        held = flat_rows(self.held.take(seats, axis=0))
        self.missing[seats] = tables.shields.take(self.boards.take(seats), axis=0) - held
        helpers = self.helpers.take(seats, axis=0)
        bits = helpers << np.arange(edition.num_helper_slots, dtype=np.uint8)
        self.columns[seats] = np.einsum("ijk->ij", bits)
        helpers = flat_rows(helpers)
        self.hire_needs[seats] = np.where(helpers.take(tables.hired, axis=1), NEVER, tables.prices)
        self.num_helpers[seats] = number = row_sums(helpers.view(np.uint8))
        self.helpers_left[rows] = edition.helpers - row_sums(
            number.reshape(len(rows), self.num_players)
        )
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
        full = row_sums(free.view(np.uint8)) <= c.NUM_COLORS - self.edition.num_dice
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
