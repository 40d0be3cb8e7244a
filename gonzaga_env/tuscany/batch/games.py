"""The games of an engine: the state's arrays by seat, and what follows from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.chance import stream_starts
from gonzaga_env.tabletop.rows import merge_seats, row_sums
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.actions import ACTIONS
from gonzaga_env.tuscany.board.regions import region_numbers, region_tables
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.state.state import State


class Games:
    """N games of P players.

    Arrays of players have one row for each seat here, game * P + seat, and are views of the
    state's, which are changed in place and never replaced. What follows from the state is cached
    with it.
    """

    def __init__(self, config: GameConfig, state: State) -> None:
        """Reads a state; the legal actions are left to `legal.update`."""
        self.config, self.state, self.num_players = config, state, config.num_players
        self.regions = region_tables(config.edition.boards)
        self.boards, self.layout = merge_seats(state.boards), merge_seats(state.layout)
        self.covered, self.wooden = merge_seats(state.covered), merge_seats(state.wooden)
        self.crops, self.hand = merge_seats(state.crops), merge_seats(state.hand)
        self.storage, self.bonus = merge_seats(state.storage), merge_seats(state.bonus)
        self.marble, self.workers = merge_seats(state.marble), merge_seats(state.workers)
        self.stacks, self.scores = merge_seats(state.stacks), merge_seats(state.scores)
        seats = len(self.boards)
        self.region = np.empty(seats, np.int64)  # number in `regions`
        self.near = np.empty(seats, np.uint32)  # sets of cells that touch a covered one
        self.turned = np.empty(seats, np.uint8)  # own tiles turned (T10.1)
        n = state.num_games
        self.most_turned = np.empty(n, np.uint8)  # the largest number of a player
        self.acting = np.empty(n, np.int64)  # the row of the seat to act in arrays by seat
        self.streams = np.empty(n, np.uint64)  # what chance is computed from (`stream_starts`)
        self.legal = np.empty((n, ACTIONS.size), np.bool_)  # actions of the seat to act
        self.num_legal = np.empty(n, np.int64)
        self.derive(np.arange(state.num_games))

    def derive(self, rows: Indices) -> None:
        """Computes what follows from the state of some games, but for their legal actions."""
        state = self.state
        self.streams[rows] = stream_starts(state.seed[rows], state.episode[rows])
        self.acting[rows] = rows * self.num_players + state.seat[rows]
        seats = self.all_seats(rows).ravel()
        self.region[seats] = region = region_numbers(self.boards[seats], self.layout[seats])
        cells = np.arange(c.NUM_CELLS, dtype=np.uint32)
        covered = (self.covered[seats, None] >> cells & 1).astype(np.bool_)
        touched = np.where(covered, self.regions.neighbours[region], np.uint32(0))
        self.near[seats] = np.bitwise_or.reduce(touched, axis=1)
        self.turned[seats] = turned = c.NUM_OWN_TILES - row_sums(self.stacks.take(seats, axis=0))
        self.most_turned[rows] = turned.reshape(-1, self.num_players).max(axis=1)

    def seats(self, rows: Indices) -> Indices:
        """Returns the rows of the seats to act in arrays by seat, [M]."""
        return self.acting.take(rows)

    def pass_on(self, rows: Indices, seats: NDArray[np.uint8]) -> None:
        """Makes other seats act, [M]."""
        self.state.seat[rows] = seats
        self.acting[rows] = rows * self.num_players + seats

    def all_seats(self, rows: Indices) -> Indices:
        """Returns the rows of all seats of some games in arrays by seat, [M, P]."""
        return rows[:, None] * self.num_players + np.arange(self.num_players)
