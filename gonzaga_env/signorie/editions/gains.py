"""The most VP and Florins that effects and rounds can bring a seat: bounds for what is stored.

An amount is a pair, VP and Florins. What is still to come never grows by more than a game gains, so
numbers that leave room for it now leave room to the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
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


@dataclass(frozen=True, eq=False)
class Gains:
    """The most that each thing brings a seat; prices, dowries and payments count nothing."""

    num_rounds: int  # of a game
    num_dice: int  # of a seat in a round
    unit: Amounts  # one point, tile, mission ... of a part of an effect, by op, [13, 2]
    rest: Amounts  # an effect from a part on, [E, parts + 1, 2]
    helpers: Amounts  # a column's helpers from a slot on, [5, H + 1, 2]
    die: Amounts  # a die, with its helpers, [2]
    bonus: Amounts  # the reward of rounds 1 to 5, or Florins, [2] (S11.4)
    wedding: Amounts  # a wedding, [2]
    vp_tile: Amounts  # that of rounds 6 and 7, [2] (S11.5)
    payment: Amounts  # VP paid for, [2]
    initiative: Amounts  # initiative at the end of a round, [2] (S11.1)
    end: Amounts  # what the end of the game scores, [2] (S12)

    def rounds(self, first: NDArray[np.integer]) -> Amounts:
        """Returns what whole rounds bring, from one on, with the end of the game, [..., 2]."""
        left = np.maximum(self.num_rounds + 1 - first, 0)
        early = np.clip(c.BONUS_ROUNDS + 1 - first, 0, left)[..., None]
        late = left[..., None] - early
        actions = self.num_dice * self.die + self.initiative
        each = actions + self.bonus + self.wedding, actions + self.vp_tile + self.payment
        return np.asarray(early * each[0] + late * each[1] + self.end)


@lru_cache(maxsize=16)
def gains_of(edition: Edition) -> Gains:
    """Returns the most that everything in an edition brings."""
    h = edition.num_helper_slots
    unit = np.zeros((len(c.OPS), 2), np.int64)
    unit[c.VP], unit[c.FLORINS] = (1, 0), (0, 1)
    unit[c.TRACKS] = 0, max(edition.slot_florins)
    unit[c.MISSION_OP], unit[c.MARRIAGE_OP] = (max(edition.slot_vp), 0), _vp(_DOWRY_VP)
    unit[c.HALF_DIE_VP] = (c.NUM_FACES + 1) // 2, 0
    most_parts = max(map(len, edition.effects))
    rest = np.zeros((len(edition.effects), most_parts + 1, 2), np.int64)
    for effect, parts in enumerate(edition.effects):
        for place, (op, number) in reversed([*enumerate(parts)]):
            rest[effect, place] = rest[effect, place + 1] + number * unit[op]
    whole = rest[:, 0]
    helpers = np.zeros((c.NUM_COLORS, h + 1, 2), np.int64)
    own = whole[c.NUM_COLORS : edition.first_assignment].reshape(c.NUM_COLORS, h, 2)
    helpers[:, :h] = own[:, ::-1].cumsum(axis=1)[:, ::-1]
    times = np.where(np.array(edition.meeples) == c.MARKED, c.MOST_SPENT, 1)[:, None]
    chosen = times * whole[edition.first_assignment : edition.first_bonus]
    actions = np.concatenate([whole[: c.NUM_COLORS], chosen]).max(axis=0)
    males, meeples = edition.supply[0] + edition.stock[0], sum(edition.supply + edition.stock)
    tiles = c.NUM_HOUSES * c.TILES_PER_HOUSE
    most = (c.NUM_COLORS * h, len(edition.bride_vp), meeples, tiles, males)  # `CRITERIA`
    return Gains(
        num_rounds=edition.num_rounds,
        num_dice=edition.num_dice,
        unit=unit,
        rest=rest,
        helpers=helpers,
        die=actions + helpers[:, 0].max(axis=0),
        bonus=np.maximum(whole[edition.first_bonus :].max(axis=0), (0, edition.reward_florins)),
        wedding=np.array([max(edition.bride_vp), max(edition.wedding_florins)]),
        vp_tile=_vp(max(vp * most[criterion] for vp, criterion in edition.vp_per)),
        payment=_vp(edition.pay_vp),
        initiative=_vp(max(edition.initiative_vp)),
        end=_vp(males * (max(edition.slot_vp) // 2) + tiles * max(c.TILE_VALUES)),
    )


def _vp(number: int) -> Amounts:
    return np.array([number, 0], np.int64)
