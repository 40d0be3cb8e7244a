"""The action space: an index for every plan, placement, wedding and donation, equal for all seats.

| block | size | index in the block |
|---|---|---|
| plan | 42 | region card * 6 + action card * 2 + King's Privilege |
| fief | 6 H | rotation * H + hex of the fief's first cell |
| ring | H | hex |
| two rings | 3 H | direction (E, SE, SW) * H + hex of the western or northern ring |
| donate | 1 | |
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.geometry import NUM_ROTATIONS
from gonzaga_env.core.constants import NUM_ACTION_CARDS, NUM_REGION_CARDS

#: Version of the space; checkpoints and records of another version are refused.
ACTIONS_VERSION = 1
NUM_PLANS = NUM_REGION_CARDS * NUM_ACTION_CARDS * 2
NO_PLAN = 255
#: A second ring lies east, south-east or south-west of the first (`geometry.DIRECTIONS`).
PAIR_DIRECTIONS = (0, 1, 2)


def plan_action(region_card: int, action_card: int, privilege: int | bool = 0) -> int:
    """Returns the index of a plan (R3.2); `plan_cards` is the inverse."""
    return (region_card * NUM_ACTION_CARDS + action_card) * 2 + int(privilege)


def plan_cards(plan: int) -> tuple[int, int, int]:
    """Returns region card, action card and King's Privilege of a plan's index."""
    return plan // 6, plan // 2 % NUM_ACTION_CARDS, plan % 2


#: Of every plan: region card, action card, King's Privilege; [42, 3].
PLAN_CARDS: NDArray[np.int64] = np.array([plan_cards(plan) for plan in range(NUM_PLANS)])


#: Number of cards that a plan may use: seven regions, three actions, King's Privilege.
NUM_CARDS = NUM_REGION_CARDS + NUM_ACTION_CARDS + 1

#: Cards of each plan as 0 and 1: seven regions, three actions, King's Privilege; zeros for no plan.
CARDS = np.zeros((NO_PLAN + 1, NUM_CARDS), dtype=np.uint8)
CARDS[np.arange(NUM_PLANS), PLAN_CARDS[:, 0]] = 1
CARDS[np.arange(NUM_PLANS), NUM_REGION_CARDS + PLAN_CARDS[:, 1]] = 1
CARDS[:NUM_PLANS, -1] = PLAN_CARDS[:, 2]


class ActionSpace:
    """The blocks of the action space for a map of H hexes."""

    def __init__(self, num_hexes: int) -> None:
        """Lays out the blocks."""
        self.num_hexes = num_hexes  #: H
        self.plan = slice(0, NUM_PLANS)  #: the plans
        #: Placements of this round's fief, [6, H] row by row.
        self.fief = slice(NUM_PLANS, NUM_PLANS + NUM_ROTATIONS * num_hexes)
        self.ring = slice(
            self.fief.stop, self.fief.stop + num_hexes
        )  #: weddings with one ring, [H]
        #: Weddings with two rings, [3, H] row by row.
        self.rings = slice(self.ring.stop, self.ring.stop + len(PAIR_DIRECTIONS) * num_hexes)
        self.weddings = slice(self.ring.start, self.rings.stop)  #: all of them
        self.donate = self.rings.stop  #: the donation, the last action
        self.size = self.donate + 1  #: A, the number of actions
