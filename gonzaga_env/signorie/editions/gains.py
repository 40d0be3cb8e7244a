"""The most VP and Florins that a game can bring a seat: bounds for what is stored.

An amount is a pair, VP and Florins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c

if TYPE_CHECKING:  # it imports this module
    from gonzaga_env.signorie.editions.edition import Edition

#: Of a seat's points, whose sum is an int16, and of its Florins.
MOST_HELD = 30_000
_DOWRY_VP = c.MAX_DOWRY * c.VP_PER_FLORIN
Amounts = NDArray[np.int64]


def most_gained(edition: Edition) -> tuple[int, int]:
    """Returns the most VP and Florins that a game brings a seat.

    Prices, dowries and payments count nothing.
    """
    h = edition.num_helper_slots
    unit = np.zeros((len(c.OPS), 2), np.int64)
    unit[c.VP], unit[c.FLORINS] = (1, 0), (0, 1)
    unit[c.TRACKS] = 0, max(edition.slot_florins)
    unit[c.MISSION_OP], unit[c.MARRIAGE_OP] = (max(edition.slot_vp), 0), _vp(_DOWRY_VP)
    unit[c.HALF_DIE_VP] = (c.NUM_FACES + 1) // 2, 0
    whole = np.zeros((len(edition.effects), 2), np.int64)
    for effect, parts in enumerate(edition.effects):
        whole[effect] = sum(number * unit[op] for op, number in parts)
    helpers = whole[c.NUM_COLORS : edition.first_assignment].reshape(c.NUM_COLORS, h, 2)
    times = np.where(np.array(edition.meeples) == c.MARKED, c.MOST_SPENT, 1)[:, None]
    chosen = times * whole[edition.first_assignment : edition.first_bonus]
    actions = np.concatenate([whole[: c.NUM_COLORS], chosen]).max(axis=0)
    males, meeples = edition.supply[0] + edition.stock[0], sum(edition.supply + edition.stock)
    tiles = c.NUM_HOUSES * c.TILES_PER_HOUSE
    most = (c.NUM_COLORS * h, len(edition.bride_vp), meeples, tiles, males)  # `CRITERIA`
    die = actions + helpers.sum(axis=1).max(axis=0)  # with its helpers
    bonus = np.maximum(whole[edition.first_bonus :].max(axis=0), (0, edition.reward_florins))
    wedding = np.array([max(edition.bride_vp), max(edition.wedding_florins)])
    vp_tile = _vp(max(vp * most[criterion] for vp, criterion in edition.vp_per))  # S11.5
    each = edition.num_dice * die + _vp(max(edition.initiative_vp))  # S11.1
    early = min(c.BONUS_ROUNDS, edition.num_rounds)
    late = edition.num_rounds - early
    end = _vp(males * (max(edition.slot_vp) // 2) + tiles * max(c.TILE_VALUES))  # S12
    found = early * (each + bonus + wedding) + late * (each + vp_tile + _vp(edition.pay_vp)) + end
    points, florins = found.tolist()
    return points, florins


def _vp(number: int) -> Amounts:
    return np.array([number, 0], np.int64)
