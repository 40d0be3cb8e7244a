"""What covering the cells of a region brings in The Castles of Tuscany, as facts of choices.

Green points are counted as often as they will be scored: times the rounds to come, this one
included (T11.1).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.batch.legal import cells_mask
from gonzaga_env.tuscany.board import CELL_BITS, Cells, region_tables
from gonzaga_env.tuscany.config import GameConfig

from ..arrays import Floats, Indices, Masks, Observations
from .tuscany_view import SeatView

TILE_COLOURS = np.array(c.TILE_COLOURS)
CROPS = np.array(c.TILE_CROPS[c.FIRST_CROP_KIND :])[:, None] >> np.arange(4) & 1 > 0  # [10, 4]
#: Stages of a zone: its size and its empty hexes as one number.
_STAGES = {(size, left): 4 * size + left for size in (1, 2, 3) for left in range(1, size + 1)}
_BEGUN = [_STAGES[2, 2], _STAGES[3, 3], _STAGES[3, 2]]
#: By stage: points for the next hex (T7.1), and the zone's points by empty hex.
_NOW, _PROMISE = np.zeros((2, 16), np.float32)
for (_size, _left), _stage in _STAGES.items():
    _PROMISE[_stage] = c.ZONE_POINTS[_size] / _left
    _NOW[_stage] = c.ZONE_POINTS[_size] * (_left == 1)

COVERING = (
    *("points for the zone", "points for the colour", "points for crops"),  # T7, T8.4
    *("zone of two begun", "zone of three begun", "zone of three has one hex left"),
    *("colour has one hex left", "colour has two hexes left"),
    *("workers", "marble", "monastery", "yield cards", "bonus tile", "wooden hexagon"),  # T8
    *("castle with a tile to place", "castle: most points", "castle: per 4 colours"),
    *("hexes reached", "points promised by hexes reached", "colours reached"),
    *("stored colours reached", "castle reached"),
)
CROP_POINTS = 2


def _sets(cells: Masks) -> Cells:
    """Returns cells [..., 30] as sets."""
    found: Cells = (cells @ CELL_BITS).astype(np.uint32)
    return found


class FactView(SeatView):
    """What facts are computed from; all arrays begin with [M].

    Attributes:
        turned, green, red: own tiles turned and points, of all players, [M, P].
        piece: the kind of piece that is being placed.
        marble_used: whether this is the second action of the turn (T3.2).
    """

    def __init__(self, config: GameConfig, observations: Observations) -> None:
        super().__init__(config, observations)
        self.turned = self._read("turned").astype(np.int64)
        self.green, self.red = (self._read(name).astype(np.float32) for name in ("green", "red"))
        self.piece, self.marble_used = self._which("piece"), self._own("marble_used") > 0

    @cached_property
    def bases(self) -> Floats:
        """What facts are multiplied by, [M, 4]."""
        progress = self.turned.max(axis=1) / np.float32(c.NUM_OWN_TILES) - 0.5
        late = 1 - np.clip((self.turns_left - 1) / 8, 0, 1)
        last = (self._own("final") > 0) & (self.turns_left <= 1)
        return np.column_stack([np.ones_like(late), progress, late, last]).astype(np.float32)

    @cached_property
    def stage(self) -> Indices:
        """Stage of each cell's zone (see `_STAGES`), [M, 30]; those of covered cells too."""
        return 4 * np.minimum(self.zone_sizes, 3) + np.minimum(self.zone_left, 3)

    @cached_property
    def is_full(self) -> Masks:
        """Whether the storage has no free space (T9.1)."""
        return self.stored >= self.capacity

    @cached_property
    def is_empty(self) -> Masks:
        """Empty cells, [M, 30]."""
        return cells_mask(self.empty)

    @cached_property
    def promise(self) -> Floats:
        """The points of each empty cell's zone by its empty cells, [M, 30]."""
        return _PROMISE[self.stage] * self.is_empty * self.left[:, None]

    @cached_property
    def colour_points(self) -> Floats:
        """Points for covering the last cell of each colour now (T7.2), [M, 8]."""
        points = np.zeros((c.NUM_COLOURS, self.config.num_players), np.float32)
        points[:, :2] = self.config.colour_points
        return points[np.arange(c.NUM_COLOURS), self.before] * self.left[:, None]

    @cached_property
    def points(self) -> Floats:
        """Points for covering each cell now, crops aside, [M, 30]."""
        cells = self.colours.astype(np.int64)
        last = np.where(self.to_cover == 1, self.colour_points, 0)
        return _NOW[self.stage] * self.left[:, None] + np.take_along_axis(last, cells, axis=1)

    @cached_property
    def open_colours(self) -> Masks:
        """Colours with a cell that may be covered now (T6.1), [M, 8]."""
        return (self.colour_cells & (self.near & self.empty)[:, None]) > 0

    @cached_property
    def far(self) -> Cells:
        """Empty cells that can't be covered yet, sets."""
        return self.empty & ~self.near

    @cached_property
    def by_stage(self) -> dict[int, Cells]:
        """The empty cells of zones in each stage, sets."""
        stage = np.where(self.is_empty, self.stage, 0)
        return {number: _sets(stage == number) for number in _STAGES.values()}

    @cached_property
    def units(self) -> Indices:
        """Units that could pay for each colour (T6.2), [M, 8]."""
        hand = self.hand.astype(np.int64)
        pairs = hand // 2
        return (self.workers + pairs.sum(axis=1))[:, None] + hand - pairs

    @cached_property
    def castle(self) -> tuple[Floats, Indices]:
        """Most points that a castle's tile could bring, and colours that it could have (T8.1)."""
        cells = self.colours.astype(np.int64)
        there = np.take_along_axis(self.display_colours, cells, axis=1) > 0
        gains = self.points + (cells == c.AGRICULTURE) * self.left[:, None]
        most = np.where(there & self.open, gains, 0).max(axis=1)
        return most, ((self.display_colours > 0) & self.open_colours).sum(axis=1)

    @cached_property
    def attraction(self) -> Floats:
        """What picks the cell that a tile in storage is meant for, [M, 30]; -1 where covered."""
        reached = np.bitwise_count(self.neighbours & self.far[:, None])
        begun = np.isin(self.stage, _BEGUN) * self.left[:, None]
        found = self.points + begun / 2 + reached / 10 + 50 * self.open
        return np.where(self.is_empty, found, -1).astype(np.float32)

    @cached_property
    def lead(self) -> tuple[Floats, Floats]:
        """Tens of green points, and of points with green to come, before the best other player."""
        both = self.green, self.red + self.green * self.left[:, None]
        leads = (np.clip((one[:, 0] - one[:, 1:].max(axis=1)) / 10, -3, 3) for one in both)
        return next(leads), next(leads)

    @cached_property
    def rivals(self) -> tuple[Floats, Floats]:
        """Most points for a zone that another player would finish with a tile of each colour, and
        the share of them who have a cell in reach for it, [M, 8].
        """
        tables = region_tables(self.config.edition.boards)
        region, covered = self.regions[:, 1:], self.all_covered[:, 1:]
        touched = tables.neighbours[region] * cells_mask(covered)
        near = np.bitwise_or.reduce(touched, axis=2) & ~covered
        in_reach = tables.colour_cells[region] & near[..., None]  # [M, P - 1, 8]
        zones = tables.zones[region]
        left = np.bitwise_count(zones & ~covered[..., None])
        size = np.bitwise_count(zones) * (left == 1)
        points = np.zeros(in_reach.shape, np.float32)
        for number in (1, 2, 3):
            last = in_reach & _sets(size == number)[..., None]
            points[last > 0] = c.ZONE_POINTS[number]
        most = points.max(axis=1) * self.left[:, None]
        return most, (in_reach > 0).mean(axis=1, dtype=np.float32)

    def crop_points(self, rows: Indices, cells: Indices, kinds: Indices) -> Floats:
        """Returns the points of kinds of agriculture, from 0, on cells (T8.4), [K]."""
        new = ~self.zone_crops[rows, cells] & CROPS[kinds]
        found: Floats = new.sum(axis=1) * self.left[rows]
        return found

    def covering(self, rows: Indices, cells: Indices) -> Floats:
        """Returns the facts of covering cells, those of crops left 0, [K, C]."""
        left, stage, colour = self.left[rows], self.stage[rows, cells], self.colours[rows, cells]
        missing, points = self.to_cover[rows, colour], self.colour_points[rows, colour]
        bonus = self.bonus[rows].astype(np.float32)
        most, choices = self.castle
        is_castle = colour == c.CASTLE
        new = self.neighbours[rows, cells] & self.far[rows]
        promised = np.zeros(len(rows), np.float32)
        for number, cells_in_stage in self.by_stage.items():
            promised += np.bitwise_count(new & cells_in_stage[rows]) * _PROMISE[number]
        reached = ((new[:, None] & self.colour_cells[rows]) > 0) & ~self.open_colours[rows]
        columns = (
            *(_NOW[stage] * left, points * (missing == 1), np.zeros_like(left)),
            *((stage == begun) * left for begun in _BEGUN),
            *(points * (missing == 2), points * (missing == 3)),
            (colour == c.VILLAGE) * (1 + bonus[:, c.BONUS_WORKER]),  # T8.6
            (colour == c.QUARRY) * (1 + bonus[:, c.BONUS_MARBLE]),  # T8.5
            colour == c.MONASTERY,  # T8.7
            (colour == c.WAGON) * (1 + bonus[:, c.BONUS_YIELD]),  # T8.8
            *(colour == c.CITY, colour == c.INN),  # T8.2, T8.3: a piece placed has left a space
            *(is_castle & (choices[rows] > 0), is_castle * most[rows]),  # T8.1
            is_castle * choices[rows] / 4,
            *(np.bitwise_count(new), promised * left / 3, reached.sum(axis=1)),
            (reached & (self.stored_colours[rows] > 0)).sum(axis=1),
            reached[:, c.CASTLE],
        )
        return np.column_stack(columns).astype(np.float32)

    def best_cells(self, rows: Indices, kinds: Indices) -> Indices:
        """Returns the cells that tiles are meant for, [K]; 30 where none is empty."""
        worth = np.where(
            self.colours[rows] == TILE_COLOURS[kinds][:, None], self.attraction[rows], -1
        )
        field = (kinds >= c.FIRST_CROP_KIND).nonzero()[0]
        crops = CROPS[kinds[field] - c.FIRST_CROP_KIND]
        new = (~self.zone_crops[rows[field]] & crops[:, None]).sum(axis=2)
        worth[field] += np.where(worth[field] < 0, 0, new * self.left[rows[field], None])
        best = worth.argmax(axis=1)
        return np.where(worth[np.arange(len(rows)), best] < 0, c.NUM_CELLS, best)
