"""What the network sees of positions and choices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import (
    MARRIAGE_ROW,
    MAX_DICE,
    MAX_DOWRY,
    NUM_ASSIGNMENTS,
    NUM_CAREERS,
    NUM_CITIES,
    NUM_COLORS,
    NUM_FACES,
    NUM_ROUNDS,
    VP_PER_FLORIN,
)

from ..common.arrays import Floats, Indices
from ..network.choices.reader import POINTS, ChoiceReader, Judged
from .heuristic import FACES, NEVER, Values, score
from .planner import PLANNED
from .seat import Seat

_DIE_FEATURES = ("value", "cost", "prize", "used")
CHOICE_FEATURES = (*_DIE_FEATURES, "price", "points", "lowest", "tile")
"""Of the choice's die, if it has one, of what it pays and scores at once, and of its city."""
_SEEN = (  # as it is; plans, assignments and tiles are summed up
    *("vp", "florins", "supply", "stock", "threshold", "careers", "placed", "helpers", "brides"),
    *("initiative", "height", "place", "passed", "row_vp", "face_down", "kind", "effect", "left"),
    *("repeats", "color", "round", "pool", "bonus_tiles", "vp_tiles", "empty", "deck_size"),
)
_MOST_HELPERS, _MOST_SLOTS = 6, 12  # of any edition (N1), so that tokens mean the same for all
_NO_DIE, _NO_CITY = NUM_COLORS * NUM_FACES, NUM_CITIES


class InputReader(ChoiceReader):
    """Reads inputs for a game."""

    seen, num_features = _SEEN, len(CHOICE_FEATURES)
    num_tokens = 128

    def judge(self, observations: NDArray[np.uint8]) -> Judged:
        """See `ChoiceReader.judge`."""
        seat, listed = Seat(self.config, observations), _choices(self.config)
        values = Values(seat, PLANNED)
        dice = _dice(values)
        tiles = np.pad(seat.assignments, ((0, 0), (0, 1)))  # 0 where no tile is used
        lowest = np.pad(seat.lowest, ((0, 0), (0, 1)))
        offers = np.pad(values.offers, ((0, 0), (0, 0), (0, 1)))

        def features(rows: Indices, actions: Indices) -> tuple[Floats, NDArray[np.integer]]:
            cities = listed.cities[actions]
            columns = (
                dice[rows, listed.dice[actions]],
                listed.prices[actions] / MAX_DOWRY,
                listed.points[actions] / POINTS,
                lowest[rows, cities] / MAX_DOWRY,
                offers[rows, listed.rows[actions], cities] / POINTS,
            )
            tokens = listed.tokens[actions] + tiles[rows, listed.slots[actions]]
            return np.column_stack(columns).astype(np.float32), tokens

        return Judged(score(values), _position(values), features)


@dataclass(frozen=True)
class _Choices:
    """What actions are in any position, each [A].

    Attributes:
        tokens: what tells them apart; to those of assignments, the number of the tile is added.
        dice: the die, color by color; _NO_DIE for none.
        slots: the assignment slot; NUM_ASSIGNMENTS for none.
        prices: Florins beside what the die costs.
        points: VP at once.
        cities, rows: where a meeple goes, _NO_CITY for none, and whose tile it may take.
    """

    tokens: Indices
    dice: Indices
    slots: Indices
    prices: Indices
    points: Indices
    cities: Indices
    rows: Indices


@lru_cache(maxsize=16)
def _choices(config: GameConfig) -> _Choices:
    """Returns what the actions of a game are."""
    codec, edition = config.actions, config.edition
    size, h = codec.size, edition.num_helper_slots
    found = _Choices(_tokens(config), *(np.zeros(size, np.int64) for _ in range(6)))
    found.dice[:], found.slots[:], found.cities[:] = _NO_DIE, NUM_ASSIGNMENTS, _NO_CITY
    found.dice[codec.die] = np.arange(_NO_DIE).repeat(codec.num_choices)
    shape = NUM_COLORS, NUM_FACES, codec.num_choices
    slots = np.arange(NUM_ASSIGNMENTS).reshape(NUM_COLORS, 1, 2)
    found.slots[codec.die].reshape(shape)[:, :, h : h + 2] = slots
    prices = np.array(edition.helper_prices)[list(edition.hires_in)]
    found.prices[codec.die].reshape(shape)[:, :, :h] = prices[:, None]
    dowries = np.arange(1, MAX_DOWRY + 1)
    found.prices[codec.marry] = np.tile(dowries, NUM_CITIES)
    found.points[codec.marry] = VP_PER_FLORIN * found.prices[codec.marry]
    found.points[codec.mission] = np.tile(np.repeat(edition.slot_vp, NUM_CITIES), NUM_CAREERS)
    found.prices[codec.pay], found.points[codec.pay] = edition.pay, edition.pay_vp
    found.cities[codec.marry] = np.arange(NUM_CITIES).repeat(MAX_DOWRY)
    found.rows[codec.marry] = MARRIAGE_ROW
    missions = codec.mission.stop - codec.mission.start
    found.cities[codec.mission] = np.arange(missions) % NUM_CITIES
    found.rows[codec.mission] = np.arange(NUM_CAREERS).repeat(missions // NUM_CAREERS)
    return found


def _tokens(config: GameConfig) -> Indices:
    """Returns `_Choices.tokens`: dice of a color, careers and cities are all alike."""
    codec, edition = config.actions, config.edition
    h, k = edition.num_helper_slots, edition.num_career_slots
    helpers = (np.arange(NUM_COLORS)[:, None] * _MOST_HELPERS + np.arange(h)).ravel()
    tokens, after = np.zeros(codec.size, np.int64), NUM_COLORS * _MOST_HELPERS
    dice = tokens[codec.die].reshape(NUM_COLORS, NUM_FACES, codec.num_choices)
    dice[:, :, :h] = helpers.reshape(NUM_COLORS, 1, h)
    dice[:, :, h : h + 2] = after + NUM_COLORS
    dice[:, :, h + 2] = after + np.arange(NUM_COLORS)[:, None]
    after += NUM_COLORS + NUM_ASSIGNMENTS
    blocks = (
        (slice(codec.skip_turn, codec.spend.stop), np.arange(4), 4),
        (codec.track, np.tile(np.arange(k), NUM_CAREERS), _MOST_SLOTS),
        (slice(codec.initiative, codec.stop + 1), np.arange(2), 2),
        (codec.mission, np.tile(np.arange(k).repeat(NUM_CITIES), NUM_CAREERS), _MOST_SLOTS),
        (codec.marry, np.tile(np.arange(MAX_DOWRY), NUM_CITIES), MAX_DOWRY),
        (codec.row, np.array([0] * NUM_CAREERS + [1]), 2),
        (slice(codec.use, codec.keep + 1), np.arange(8), 8),
        (codec.free_helper, helpers, NUM_COLORS * _MOST_HELPERS),
    )
    for block, numbers, room in blocks:
        tokens[block] = after + numbers
        after += room
    return tokens


def _dice(values: Values) -> Floats:
    """Returns `_DIE_FEATURES` of each die, and zeros for none, [M, 31, F]."""
    seat = values.seat
    found = np.zeros((len(seat), _NO_DIE + 1, len(_DIE_FEATURES)), np.float32)
    planes = found[:, :_NO_DIE].reshape(len(seat), NUM_COLORS, NUM_FACES, len(_DIE_FEATURES))
    planes[..., 0] = FACES / NUM_FACES
    planes[..., 1] = seat.tables.costs / NUM_FACES
    planes[..., 2] = (values.prizes / POINTS)[:, None]
    planes[..., 3] = values.used / POINTS
    return found


def _position(values: Values) -> Floats:
    """Returns what things are worth to the planner, and what is seen of the round, [M, F]."""
    seat, m = values.seat, len(values.seat)
    worth = (
        values.careers,
        values.effects,
        np.where(values.future > NEVER / 2, values.future, 0).reshape(m, -1),
        values.counted,
        values.meeples,
        values.offers.max(axis=2),
        np.column_stack([values.florin, values.prize, values.wedding]),
    )
    numbers = np.column_stack([seat.slack / 10, seat.dice_left / MAX_DICE, seat.tiles / 4])
    left = seat.turns_left / (MAX_DICE * NUM_ROUNDS)
    return np.column_stack([np.concatenate(worth, axis=1) / POINTS, numbers, left])
