"""Scores of actions in red points, by rules of thumb: all decisions of a batch at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.batch.legal import cells_mask
from gonzaga_env.tuscany.board import (
    ACTIONS,
    FIRST_PAIR,
    OWN,
    PAYMENTS,
    UNITS,
    WORKER,
    region_tables,
)
from gonzaga_env.tuscany.config import GameConfig

from ..agent import WeighingAgent
from ..arrays import Floats, Observations
from .tuscany_view import SeatView

_ZONE_POINTS = np.array(c.ZONE_POINTS, np.float32)
_COLOURS = np.array(c.TILE_COLOURS)
_CROPS = (np.array(c.TILE_CROPS[c.FIRST_CROP_KIND :]) >> np.arange(4)[:, None] & 1).astype(
    np.float32
)
"""Which crops the kinds of agriculture show, [4, 10]."""

PAYMENT_UNITS = np.array(PAYMENTS)  # [55, 2]
_OTHERS = ~np.eye(c.NUM_COLOURS, dtype=np.bool_)


@dataclass(frozen=True)
class Weights:
    """Values of things in the middle of the game, in red points.

    Towards the end of the game, what is left over falls to the points of T11.2.

    Attributes:
        action: an action of a turn.
        card, worker, marble, hexagon: one of these.
        enough: cards in hand from which on more are worth little.
        surplus: the part of its worth that a card has then.
        zone: the part of a zone's points that is counted for covering the same part of its cells.
        colour: how much of a colour's points is counted for each cell that is still missing.
        reach: a cell that can be covered from now on.
        stored: the part of what placing would bring that a tile in storage is worth.
        least: what a tile in storage is worth at least.
        castle: the part of what a castle's tile would bring.
        draws, covered: how many draws a turn, and which part of the cells, are still expected.
        space: a free space in storage.
        turn: turning an own tile, which brings the end nearer.
        horizon: turns before the end from which on things are worth less.
    """

    action: float = 1.0
    card: float = 0.8
    enough: float = 7.0
    surplus: float = 0.02
    worker: float = 1.6
    marble: float = 2.0
    hexagon: float = 2.2
    zone: float = 0.5
    colour: float = 0.5
    reach: float = 0.3
    stored: float = 0.8
    least: float = 1.0
    castle: float = 1.0
    draws: float = 0.35
    covered: float = 0.6
    space: float = 0.3
    turn: float = 1.2
    horizon: float = 4.0


class Values:
    """Values of things to M seats; all arrays begin with [M]."""

    def __init__(self, seat: SeatView, weights: Weights) -> None:
        self.seat, self.weights = seat, w = seat, weights
        self.soon = np.clip((seat.turns_left - 1) / w.horizon, 0, 1)
        held = seat.hand.sum(axis=1, dtype=np.int64)
        plenty = np.clip(1.2 - held / w.enough, w.surplus, 1)
        late = (1 - self.soon) / c.CARDS_PER_POINT
        self.card = (w.card * self.soon * plenty + late).astype(np.float32)
        self.worker, self.marble = self._fading(w.worker, 1), self._fading(w.marble, 1)
        self.action = self._fading(w.action, 0)
        self.bonus = self._bonus()
        self.effect = self._effects()
        self.cards = self._cards()
        self.cheapest = self._cheapest()

    def _fading(self, early: float, late: float) -> Floats:
        return (late + (early - late) * self.soon).astype(np.float32)

    def _bonus(self) -> Floats:
        """Returns what a bonus tile of each type is worth, [M, 5]."""
        seat, w = self.seat, self.weights
        expected = w.covered * np.minimum(1, seat.turns_left / 20)[:, None] * seat.to_cover
        worth = np.zeros((len(seat), len(c.BONUS_TYPES)), np.float32)
        worth[:, c.BONUS_CARD] = w.draws * np.maximum(seat.turns_left - 1, 0) * self.card
        scores = seat.config.rules.storage_points == "always"  # B4
        points = c.STORAGE_POINTS * seat.left * (scores | (seat.kind == c.STARTING_BONUS))
        worth[:, c.BONUS_STORAGE] = points + 4 * w.space * self.soon
        yields = expected[:, c.WAGON] * (1 + seat.bonus[:, c.BONUS_YIELD])
        marble = expected[:, c.QUARRY] + yields * self._more("marble")
        workers = expected[:, c.VILLAGE] + yields * self._more("worker")
        worth[:, c.BONUS_MARBLE] = marble * self.marble
        worth[:, c.BONUS_WORKER] = workers * self.worker
        worth[:, c.BONUS_YIELD] = expected[:, c.WAGON] * self.yield_card
        return worth

    @property
    def hexagon(self) -> Floats:
        """A wooden hexagon that is won now."""
        free = self.seat.stored < self.seat.capacity
        return np.where(free, self._fading(self.weights.hexagon, 1), c.REFUSED_HEXAGON_POINTS)

    def _more(self, gain: str) -> float:
        """Returns how often a yield card brings what bonus tiles add to a gain (B5)."""
        cards = self.seat.config.edition.yield_cards
        bringing = sum(copies for kind, _, copies in cards if c.GAINS[kind] == gain)
        every = self.seat.config.rules.bonus_gains == "every"
        return every * bringing / sum(copies for *_, copies in cards)

    @property
    def yield_card(self) -> Floats:
        """The mean over all yield cards."""
        seat = self.seat
        worth = {
            **{"green": seat.left, "red": np.ones_like(self.card), "cards": self.card},
            **{"worker": self.worker, "marble": self.marble, "hexagon": self.hexagon},
        }
        cards = seat.config.edition.yield_cards
        total = sum(worth[c.GAINS[gain]] * number * copies for gain, number, copies in cards)
        found: Floats = total / sum(copies for *_, copies in cards)
        found += self._more("marble") * seat.bonus[:, c.BONUS_MARBLE] * self.marble
        found += self._more("worker") * seat.bonus[:, c.BONUS_WORKER] * self.worker
        return found

    def _effects(self) -> Floats:
        """Returns what a piece on a cell of each colour brings besides points, [M, 8] (T8)."""
        seat = self.seat
        worth = np.zeros((len(seat), c.NUM_COLOURS), np.float32)
        worth[:, c.VILLAGE] = self.worker * (1 + seat.bonus[:, c.BONUS_WORKER])
        worth[:, c.QUARRY] = self.marble * (1 + seat.bonus[:, c.BONUS_MARBLE])
        worth[:, c.MONASTERY] = self.card * c.MONASTERY_CARDS
        worth[:, c.WAGON] = self.yield_card * (1 + seat.bonus[:, c.BONUS_YIELD])
        worth[:, c.INN] = self.hexagon
        worth[:, c.CITY] = np.where(seat.bonus_stock > 0, self.bonus, 0).max(axis=1)
        return worth

    def _cards(self) -> Floats:
        """Returns what a card of each colour in hand is worth, [M, 8]."""
        seat = self.seat
        useful = np.where(seat.hand > 2 * seat.to_cover, 0.6, 1.0)
        useful += 0.15 * (seat.stored_colours > 0)
        return (self.card[:, None] * useful).astype(np.float32)

    def units(self, colours: NDArray[np.integer], rows: NDArray[np.int64]) -> Floats:
        """Returns what a unit of payment costs seats for cells of colours, [L, 10] (T6.2)."""
        own = self.cards[rows, colours]
        return np.column_stack([own, self.worker[rows], 2 * self.cards[rows]])

    def _cheapest(self) -> Floats:
        """Returns the worth of the cheapest payment for each colour, [M, 8]; inf for none."""
        seat, pairs = self.seat, self.seat.hand // 2
        options = np.full((len(seat), c.NUM_COLOURS, 2 * len(UNITS)), np.inf, np.float32)
        for copy in range(2):
            part = options[..., copy * len(UNITS) : (copy + 1) * len(UNITS)]
            part[..., OWN] = np.where(seat.hand > copy, self.cards, np.inf)
            part[..., WORKER] = np.where(seat.workers > copy, self.worker, np.inf)[:, None]
            others = np.where(pairs > copy, 2 * self.cards, np.inf)
            part[..., FIRST_PAIR:] = np.where(_OTHERS, others[:, None], np.inf)
        return np.partition(options, 1, axis=2)[..., :2].sum(axis=2)


class Placements:
    """The value of covering each cell to M seats, before its cost."""

    def __init__(self, values: Values) -> None:
        self.values, self.seat = values, values.seat
        self.points = self._zones() + self._colours()
        new_crops = (~self.seat.zone_crops).astype(np.float32) @ _CROPS
        new_crops *= (self.seat.colours == c.AGRICULTURE)[..., None]
        self.crops = new_crops * self.seat.left[:, None, None]  # points (T8.4), [M, 30, 10]
        own = np.take_along_axis(values.effect, self.seat.colours.astype(np.int64), axis=1)
        base = self.points * self.seat.left[:, None] + own + self._reach()
        self.base = base + self._castle(base)

    def _zones(self) -> Floats:
        """Returns the points of zones, and of progress in them (T7.1), [M, 30]."""
        seat, part = self.seat, np.float32(self.values.weights.zone)
        size, left = seat.zone_sizes.clip(0, 3), seat.zone_left
        points = _ZONE_POINTS[size]
        share = points * part / np.maximum(size, 1)
        last = left <= 1
        return np.where(last, points - share * (size - 1), share)

    def _colours(self) -> Floats:
        """Returns the points for colours, and for coming closer to them (T7.2), [M, 30]."""
        seat, keep = self.seat, np.float32(self.values.weights.colour)
        points = np.zeros((c.NUM_COLOURS, seat.config.num_players), np.float32)
        points[:, :2] = seat.config.colour_points
        best = points[np.arange(c.NUM_COLOURS), seat.before.clip(0, seat.config.num_players - 1)]
        gain = best * (keep ** np.maximum(seat.to_cover - 1, 0) - keep**seat.to_cover)
        by_cell: Floats = np.take_along_axis(gain, seat.colours.astype(np.int64), axis=1)
        return by_cell.astype(np.float32)

    def _reach(self) -> Floats:
        """Returns what the cells that come within reach are worth, [M, 30]."""
        seat = self.seat
        new = seat.neighbours & ~seat.near[:, None] & seat.empty[:, None]
        worth = np.float32(self.values.weights.reach) * self.values.soon[:, None]
        return np.bitwise_count(new) * worth

    def _castle(self, base: Floats) -> Floats:
        """Returns what the tile of a castle's effect brings (T8.1), [M, 30]."""
        seat = self.seat
        there = np.take_along_axis(seat.display_colours, seat.colours.astype(np.int64), axis=1) > 0
        with_crops = base + np.where(seat.colours == c.AGRICULTURE, seat.left[:, None], 0)
        open_now = np.where(there & seat.open, with_crops, 0)
        best = open_now.max(axis=1, keepdims=True)
        return np.where(seat.colours == c.CASTLE, self.values.weights.castle * best, 0)

    def of_kinds(self) -> Floats:
        """Returns the best cell for each kind of tile, [M, 17]; -inf for none.

        Two actions are taken off cells that can't be covered yet.
        """
        away = 2 * self.values.action[:, None]
        worth = self.base - np.where(self.seat.open, 0, away)
        worth = np.where(cells_mask(self.seat.empty), worth, -np.inf)
        by_colour = np.where(
            self.seat.colours[:, None] == np.arange(c.NUM_COLOURS)[:, None], worth[:, None], -np.inf
        )
        found = by_colour.max(axis=2)[:, _COLOURS]
        field = by_colour[:, c.AGRICULTURE, :, None] + self.crops
        found[:, c.FIRST_CROP_KIND :] = field.max(axis=1)
        return found.astype(np.float32)


def score_actions(seat: SeatView, weights: Weights) -> Floats:
    """Returns what each action is worth to M seats in red points, [M, 264].

    Actions that are not legal have values too; their order says nothing.
    """
    return score(Placements(Values(seat, weights)))


def score(placements: Placements) -> Floats:
    """Returns what each action is worth, as `score_actions` does."""
    values, seat = placements.values, placements.seat
    scores = np.zeros((len(seat), ACTIONS.size), np.float32)
    stored = _stored(values, placements)
    _score_main(scores, values, placements, stored)
    marble = seat.kind == c.MARBLE
    if marble.any():
        scores[marble, ACTIONS.marble] = (_best_main(scores, values) - values.marble)[marble]
        scores[marble, ACTIONS.end] = 0
    scores[:, ACTIONS.bonus] = values.bonus
    scores[:, ACTIONS.remove] = -stored
    cell = np.maximum(seat.cell, 0)
    rows = np.arange(len(seat))
    # Crops are worth less what they could bring elsewhere.
    scores[:, ACTIONS.crop] = placements.crops[rows, cell] - np.float32(0.3) * _CROPS.sum(axis=0)
    paying = (seat.kind == c.PAYMENT).nonzero()[0]
    units = values.units(seat.colours[paying, cell[paying]], paying)
    scores[paying, ACTIONS.pay] = -units[:, PAYMENT_UNITS].sum(axis=2)
    _score_setup(scores, seat)
    return scores


def _stored(values: Values, placements: Placements) -> Floats:
    """Returns what each kind of piece in storage is worth, [M, 18]."""
    seat, w = values.seat, values.weights
    found = np.empty((len(seat), c.HEXAGON + 1), np.float32)
    worth = placements.of_kinds() - values.action[:, None] - 2 * values.card[:, None]
    found[:, : c.HEXAGON] = np.maximum(w.stored * worth, w.least) * (seat.turns_left > 1)[:, None]
    found[:, : c.HEXAGON] = np.where(np.isfinite(worth), found[:, : c.HEXAGON], 0)
    found[:, c.HEXAGON] = values._fading(w.hexagon, 1)
    surplus = seat.stored_colours[:, _COLOURS] >= seat.to_cover[:, _COLOURS]
    found[:, : c.HEXAGON] *= np.where(surplus, 0.2, 1)
    return found


def _score_main(scores: Floats, values: Values, placements: Placements, stored: Floats) -> None:
    """Scores drawing, taking and placing (T4 to T6)."""
    seat, w = values.seat, values.weights
    draws = seat.config.rules.draw_base + seat.bonus[:, c.BONUS_CARD]
    scores[:, ACTIONS.draw] = draws * values.card
    held = seat.stored_colours[:, _COLOURS]
    take = stored[:, : c.HEXAGON] * np.where(held > 0, w.stored, 1)
    kept = np.where(seat.storage > 0, stored, np.inf).min(axis=1)
    full = seat.stored >= seat.capacity
    space = np.where(full, kept, w.space * values.soon)
    scores[:, ACTIONS.take] = take - space[:, None] + w.turn
    cost = np.take_along_axis(values.cheapest, seat.colours.astype(np.int64), axis=1)
    cost = np.where(np.isfinite(cost), cost, 99)
    has_kind = seat.storage[:, None, c.FIRST_CROP_KIND : c.HEXAGON] > 0
    crops = np.where(has_kind, placements.crops, 0).max(axis=2)
    freed = w.space * values.soon[:, None]
    scores[:, ACTIONS.tile] = placements.base + crops - cost + freed
    field = (seat.colours == c.AGRICULTURE) * seat.left[:, None]
    loss = values._fading(w.hexagon, 1)[:, None]
    scores[:, ACTIONS.hexagon] = placements.base + field - cost - loss + values.action[:, None]
    castle = seat.kind == c.CASTLE_TILE
    if castle.any():  # a castle's tile costs nothing (T8.1)
        shown = seat.display[:, None, c.FIRST_CROP_KIND :] > 0
        crops = np.where(shown, placements.crops, 0).max(axis=2)
        scores[castle, ACTIONS.tile] = (placements.base + crops + 1)[castle]


def _best_main(scores: Floats, values: Values) -> Floats:
    """Returns the score of the best action that a marble would allow, [M]."""
    seat = values.seat
    cells = np.take_along_axis(np.isfinite(values.cheapest), seat.colours.astype(np.int64), axis=1)
    cells &= seat.open
    has = np.take_along_axis(seat.stored_colours, seat.colours.astype(np.int64), axis=1) > 0
    hexagons = seat.hexagons_ready[:, None] > 0
    options = (
        scores[:, ACTIONS.draw, None],
        np.where(seat.display > 0, scores[:, ACTIONS.take], -np.inf),
        np.where(cells & has, scores[:, ACTIONS.tile], -np.inf),
        np.where(cells & hexagons, scores[:, ACTIONS.hexagon], -np.inf),
    )
    return np.concatenate(options, axis=1).max(axis=1)


def _score_setup(scores: Floats, seat: SeatView) -> None:
    """Scores layouts by their zones, and starting castles by what they touch (T2.4)."""
    choosing = (seat.kind == c.LAYOUT).nonzero()[0]
    if len(choosing):
        worth = _layout_worth(seat.config)[seat.boards[choosing]]
        scores[choosing, ACTIONS.layout] = worth
    starting = (seat.kind == c.STARTING_CASTLE).nonzero()[0]
    if len(starting):
        touched = np.bitwise_count(seat.neighbours[starting])
        scores[starting, ACTIONS.tile] = touched


@lru_cache(maxsize=16)
def _layout_worth(config: GameConfig) -> Floats:
    """Returns the points of all zones of each region, [64, 96]."""
    zones = region_tables(config.edition.boards).zones
    size = np.bitwise_count(zones)[:-64].clip(1, 3)
    points: Floats = (_ZONE_POINTS[size] / size).sum(axis=1).reshape(-1, c.NUM_LAYOUTS)
    return points.astype(np.float32)


#: Nothing is promised by zones, colours or reach. What can't be placed yet is worth almost nothing,
#: so it is replaced; and where little else counts, turning an own tile beats drawing.
_NOW = Weights(
    **{"zone": 0.0, "colour": 0.0, "reach": 0.0, "castle": 0.0, "draws": 0.0, "covered": 0.0},
    **{"card": 0.8, "enough": 12.0, "worker": 2.0, "marble": 1.5, "hexagon": 0.4, "action": 1.0},
    **{"stored": 0.4, "least": 0.1, "space": 0.0, "turn": 0.2},
)

#: Found by an evolution strategy over games of three among its candidates.
PLANNED = Weights(
    action=3.43,
    card=0.92,
    enough=19.2,
    surplus=0.03,
    worker=1.4,
    marble=3.28,
    hexagon=5.07,
    zone=0.69,
    colour=0.48,
    reach=0.21,
    stored=0.84,
    castle=0.69,
    draws=0.25,
    covered=0.46,
    space=0.28,
    turn=0.51,
    horizon=8.26,
)


class _WeighingAgent(WeighingAgent):
    CONFIG = GameConfig

    def _scores(self, observations: Observations) -> Floats:
        return score_actions(SeatView(self._config, observations), self.weights)


class GreedyAgent(_WeighingAgent):
    """A baseline that knows the rules and does not look ahead.

    Takes the most points now, and otherwise what it can place next or the cards for it.
    """

    name, unit, weights = "greedy", "points now", _NOW


class PlannerAgent(_WeighingAgent):
    """A baseline that plays for points now and later: it weighs what a position promises."""

    name, unit, weights = "planner", "points now and promised", PLANNED
