"""The view of a seat, as arrays that a heuristic computes with."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch.games import NO_SLOT, Tables, tables_of
from gonzaga_env.signorie.config import GameConfig

from ..agent import SeatView as SeatViewBase
from ..arrays import Floats, Indices, Observations

_VALUES = np.array(c.TILE_VALUES, np.float32)


class SeatView(SeatViewBase):
    """The view of M seats to act; all arrays begin with [M].

    Attributes:
        tables: the edition as arrays.
        effect, left, color: the running effect, what it has still to do, and the column of the die;
            0 for none.
        florins, brides, initiative: own numbers.
        supply, stock: males and females, [M, 2].
        careers: males by career and slot, [M, 3, K].
        placed: values of the own dice, [M, 5].
        helpers: [M, 5, H] bool.
        missing: shields by row and House, [M, 4, 6].
        face_down, row_vp: tiles and fronts by row, [M, 4].
        lowest: value of the lowest empty slot of each city, NO_SLOT for none, [M, 5] (S8.2).
        dice_left: dice that may still be taken in this round.
        turns_left: dice that may still be taken in this round and later ones.
        slack: by how much the sum of the dice may still rise for a reward (S11.3).
        assignments: the tile on each slot, [M, 10].
        pool: whether there is a die of a color and value, [M, 5, 6].
        deck_size: tiles that may still be drawn.
    """

    def __init__(self, config: GameConfig, observations: Observations) -> None:
        """Reads observations [M, D] of seats to act."""
        super().__init__(config, observations)
        self.tables: Tables = tables_of(config.edition)
        self.effect, self.color = map(self._which, ("effect", "color"))
        self.left, self.round, self.florins = map(self._counts, ("left", "round", "florins"))
        self.brides, self.initiative = self._counts("brides"), self._counts("initiative")
        self.supply, self.stock, self.careers = map(self._counts, ("supply", "stock", "careers"))
        self.placed, self.missing = self._counts("placed"), self._counts("missing")
        self.face_down, self.row_vp = self._counts("face_down"), self._counts("row_vp")
        self.helpers = self._counts("helpers") > 0
        empty = self._read("empty") > 0
        self.lowest = np.where(empty.any(axis=2), empty.argmax(axis=2) + 1, NO_SLOT)
        playing = (self.kind == c.MAIN) | self._read("color").any(axis=1)
        num_dice, num_rounds = config.edition.num_dice, config.edition.num_rounds
        self.dice_left = (num_dice - (self.placed > 0).sum(axis=1)) * playing
        self.turns_left = self.dice_left + num_dice * (num_rounds - self.round)
        standing = self._counts("threshold").sum(axis=1)
        threshold = config.edition.threshold + config.edition.threshold_step * standing
        self.slack = threshold - self.placed.sum(axis=1)
        self.assignments, self.deck_size = self._which("assignments"), self._counts("deck_size")
        self.pool = self._read("pool") > 0

    def _counts(self, name: str) -> Indices:
        """Returns what belongs to the seat."""
        return self._own(name).astype(np.int64)

    @cached_property
    def bonus(self) -> Indices:
        """The effect of the round's bonus tile; that of round 5 in later rounds."""
        tiles = self._which("bonus_tiles")
        this = np.minimum(self.round, c.BONUS_ROUNDS) - 1
        return self.config.edition.first_bonus + tiles[np.arange(len(self)), this]

    @cached_property
    def criteria(self) -> Floats:
        """VP for each thing that the VP tiles of the last rounds count, [M, 2, 5]."""
        vp, criteria = np.array(self.config.edition.vp_per).T
        by_tile = vp[:, None] * (criteria[:, None] == np.arange(len(c.CRITERIA)))
        return by_tile[self._which("vp_tiles")].astype(np.float32)

    @cached_property
    def counted(self) -> Indices:
        """Numbers of the things that VP tiles count, [M, 5] (`CRITERIA`)."""
        counts = (
            self.helpers.sum(axis=(1, 2)),
            self.brides,
            self._counts("meeples").sum(axis=1),
            self.tiles.sum(axis=1),
            self.careers.sum(axis=(1, 2)),
        )
        return np.stack(counts, axis=1)

    @cached_property
    def tiles(self) -> Indices:
        """Tiles in each row, [M, 4]."""
        boards = self._counts("boards").argmax(axis=1)
        shields = self.tables.shields[boards].reshape(self.missing.shape).astype(np.int64)
        held = shields.sum(axis=2) - self.missing.sum(axis=2)
        return held + self.face_down

    @cached_property
    def offered(self) -> Floats:
        """Value of the tiles of cities that a row would take, 0 for none, [M, 4, 5] (S10.2)."""
        houses, values = self._read("tile_house"), self._read("tile_value") @ _VALUES
        slots = np.array([1, 1, 1, 0])  # careers get mission tiles, the marriage row the others
        wanted = np.einsum("mrh,mcrh->mrc", self.missing > 0, houses[:, :, slots] > 0)
        return wanted * values[:, :, slots].transpose(0, 2, 1)
