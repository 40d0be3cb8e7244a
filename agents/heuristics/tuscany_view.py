"""The view of a seat, as arrays that a heuristic computes with."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.batch.games import colour_counts
from gonzaga_env.tuscany.batch.legal import cells_mask
from gonzaga_env.tuscany.board import NOT_BUILT, region_tables
from gonzaga_env.tuscany.config import GameConfig

from ..agent import SeatView as SeatViewBase
from ..arrays import Floats, Indices, Observations

_BITS = np.uint32(1) << np.arange(c.NUM_CELLS, dtype=np.uint32)


class SeatView(SeatViewBase):
    """The view of M seats to act; all arrays begin with [M].

    Attributes:
        hand, display, storage: pieces by kind, [M, 8], [M, 17], [M, 18].
        round: from 1.
        regions, all_covered: numbers and covered cells of all players' regions, [M, P].
        left: rounds whose scoring green points still reach, this one included.
    """

    def __init__(self, config: GameConfig, observations: Observations) -> None:
        """Reads observations [M, D] of seats to act."""
        super().__init__(config, observations)
        self.hand, self.display = self._read("hand"), self._read("display")
        self.storage, self.bonus = self._own("storage"), self._own("bonus")
        self.marble, self.workers = self._own("marble"), self._own("workers")
        self.round = self._own("round").astype(np.int64)
        self.left = (c.NUM_ROUNDS + 1 - self.round).astype(np.float32)
        self.capacity = 1 + self.bonus[:, c.BONUS_STORAGE]
        self.stored = self.storage.sum(axis=1, dtype=np.int64)
        self._read_region()

    def _read_region(self) -> None:
        tables = region_tables(self.config.edition.boards)
        boards = self._read("boards").argmax(axis=3) @ np.array([16, 4, 1])
        layout = self._read("layout").astype(np.int64)
        built = boards * c.NUM_LAYOUTS + layout - 1
        self.regions = np.where(layout > 0, built, NOT_BUILT + boards)
        self.all_covered = self._read("covered") @ _BITS
        self.boards, self.region, self.covered = (
            every[:, 0] for every in (boards, self.regions, self.all_covered)
        )
        self.colours = tables.colours[self.region]
        self.zones = tables.zones[self.region]
        self.neighbours = tables.neighbours[self.region]
        self.colour_cells = tables.colour_cells[self.region]
        touched = np.where(self._own("covered").astype(np.bool_), self.neighbours, np.uint32(0))
        self.near = np.bitwise_or.reduce(touched, axis=1)

    @cached_property
    def empty(self) -> NDArray[np.uint32]:
        """Empty cells, sets."""
        return ~self.covered & np.uint32(2**c.NUM_CELLS - 1)

    @cached_property
    def open(self) -> NDArray[np.bool_]:
        """Cells that may be covered now (T6.1), [M, 30]."""
        return cells_mask(self.near & self.empty)

    @cached_property
    def to_cover(self) -> Indices:
        """Empty cells of each colour, [M, 8]."""
        return np.bitwise_count(self.colour_cells & self.empty[:, None]).astype(np.int64)

    @cached_property
    def zone_sizes(self) -> Indices:
        """The number of cells of each cell's zone, [M, 30]."""
        return np.bitwise_count(self.zones).astype(np.int64)

    @cached_property
    def zone_left(self) -> Indices:
        """Empty cells of each cell's zone, [M, 30]."""
        return np.bitwise_count(self.zones & self.empty[:, None]).astype(np.int64)

    @cached_property
    def zone_crops(self) -> NDArray[np.bool_]:
        """Whether each cell's zone shows each crop, [M, 30, 4]."""
        crops = self._own("crops") @ _BITS
        return (crops[:, None, :] & self.zones[:, :, None]) > 0

    @cached_property
    def before(self) -> Indices:
        """How many other players have completed each colour, [M, 8]."""
        return self._read("complete")[:, 1:].sum(axis=1, dtype=np.int64)

    @cached_property
    def turns_left(self) -> Floats:
        """Own turns still to come, this one included, as expected."""
        turned = self._read("turned").astype(np.float32)
        p = self.config.num_players
        pace = np.maximum(turned.max(axis=1), 3) / np.maximum(self._own("lap"), 6)
        after = 2 if self.config.rules.final_turns == "lap_then_one" else 1.5  # T10.3
        expected = (c.NUM_OWN_TILES - turned.max(axis=1)) / pace + after
        final = self._own("turns_left").astype(np.float32) / p
        return np.where(self._own("final") > 0, np.ceil(final), expected).astype(np.float32)

    @cached_property
    def hexagons_ready(self) -> NDArray[np.int64]:
        """Wooden hexagons that may be placed now (B8)."""
        stored = self.storage[:, c.HEXAGON].astype(np.int64)
        if self.config.rules.hexagon_same_turn:
            return stored
        return stored - self._own("new_hexagons")

    @cached_property
    def cell(self) -> Indices:
        """The cell that is being covered; -1 for none."""
        cells = self._read("cell")
        return np.where(cells.any(axis=1), cells.argmax(axis=1), -1)

    @cached_property
    def bonus_stock(self) -> NDArray[np.uint8]:
        """Bonus tiles in stock, [M, 5]."""
        return self._read("bonus_stock")

    @cached_property
    def stored_colours(self) -> Indices:
        """Stored tiles by colour, [M, 8]."""
        return colour_counts(self.storage).astype(np.int64)

    @cached_property
    def display_colours(self) -> Indices:
        """Tiles on display by colour, [M, 8]."""
        return colour_counts(np.pad(self.display, ((0, 0), (0, 1)))).astype(np.int64)
