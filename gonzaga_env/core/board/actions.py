"""The action space: an index and a text for every action, equal for all seats.

| block | size | index in the block | text |
|---|---|---|---|
| plan | 42 | region card * 6 + action card * 2 + King's Privilege | `Francia B + privilege` |
| fief | 6 H | rotation * H + hex of the fief's first cell | `fief 5 r2 @ 12,7` |
| ring | H | hex | `ring 12,7` |
| two rings | 3 H | direction (E, SE, SW) * H + hex of the first ring | `rings 12,7 12,8` |
| donate | 1 | | `donate` |

Hexes are row and column. The first of two rings is the western or northern one. A fief's text has
its number, its rotation and its first cell.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.constants import NUM_ACTION_CARDS, NUM_FIEFS, NUM_REGION_CARDS
from gonzaga_env.core.edition import NUM_ROTATIONS, Cell, Edition
from gonzaga_env.kernel.errors import ActionError
from gonzaga_env.kernel.messages import short_repr

#: Version of the space; checkpoints and records of another version are refused.
ACTIONS_VERSION = 1
NUM_PLANS = NUM_REGION_CARDS * NUM_ACTION_CARDS * 2
NO_PLAN = 255
#: A second ring lies east, south-east or south-west of the first (`edition.DIRECTIONS`).
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


ACTION_CARD_NAMES = ("A", "B", "C")
INACTIVE_NAME = "inactive"
PRIVILEGE_SUFFIX = " + privilege"
DONATE = "donate"
_LONGEST_TEXT = 200

_CELL = r"([0-9]+),([0-9]+)"
_FIEF = re.compile(rf"fief (?:([0-9]+) )?r([0-5]) @ {_CELL}")
_RINGS = re.compile(rf"rings? {_CELL}(?: {_CELL})?")
_PLAN = re.compile(r"(.+) ([ABC])")


class ActionCodec:
    """The action space of an edition: its blocks, for a map of H hexes, and texts of actions."""

    def __init__(self, edition: Edition) -> None:
        """Lays out the blocks."""
        self.edition = edition  #: names hexes and regions
        num_hexes = len(edition.grid)
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

    def __repr__(self) -> str:
        return f"<ActionCodec, {self.size} actions, edition {self.edition.name}>"

    @property
    def region_names(self) -> tuple[str, ...]:
        """Names of the region cards, the inactive one last (R1.1)."""
        return (*self.edition.regions.values(), INACTIVE_NAME)

    def to_text(self, action: int, fief: int | None = None) -> str:
        """Returns the text of an action.

        Args:
            action: index in the space.
            fief: number (1 to 12) of the fief of a placement; None leaves it out of the text.

        Raises:
            ActionError: the index is not in the space, or its second ring is off the map.
        """
        self._check(action)
        if action < self.fief.start:
            region, card, privilege = plan_cards(action)
            suffix = PRIVILEGE_SUFFIX if privilege else ""
            return f"{self.region_names[region]} {ACTION_CARD_NAMES[card]}{suffix}"
        if action < self.fief.stop:
            rotation, cell = divmod(action - self.fief.start, self.num_hexes)
            number = "" if fief is None else f"{fief} "
            return f"fief {number}r{rotation} @ {self._cell_text(cell)}"
        if action < self.ring.stop:
            return f"ring {self._cell_text(action - self.ring.start)}"
        if action < self.rings.stop:
            return self._rings_text(action)
        return DONATE

    def parse(self, text: str) -> int:
        """Returns the index of an action's text; the inverse of `to_text`.

        A fief's number in the text is optional and does not change the index.

        Raises:
            ActionError: the text is not an action of this edition.
        """
        if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
            raise ActionError(f"{text!r:.40} is not an action; actions are texts such as 'donate'")
        if text == DONATE:
            return self.donate
        if match := _FIEF.fullmatch(text):
            number, rotation, row, col = match.groups()
            if number and not 1 <= int(number) <= NUM_FIEFS:
                raise ActionError(f"{short_repr(text)}: fiefs have numbers 1 to {NUM_FIEFS}")
            cell = self._cell(text, row, col)
            return self.fief.start + int(rotation) * self.num_hexes + cell
        if match := _RINGS.fullmatch(text):
            return self._parse_rings(text, *match.groups())
        return self._parse_plan(text)

    def _check(self, action: int) -> None:
        if not isinstance(action, int | np.integer) or not 0 <= action < self.size:
            raise ActionError(
                f"action {short_repr(action)} is not in the space; it holds 0 to {self.size - 1}"
            )

    def _cell_text(self, cell: int) -> str:
        row, col = self.edition.grid.cells[cell]
        return f"{row},{col}"

    def _cell(self, text: str, row: str, col: str) -> int:
        at: Cell = (int(row), int(col))
        if at not in self.edition.grid.index:
            raise ActionError(
                f"{short_repr(text)}: there is no hex {row},{col} on the map (row, column)"
            )
        return self.edition.grid.index[at]

    def _rings_text(self, action: int) -> str:
        direction, cell = divmod(action - self.rings.start, self.num_hexes)
        other = int(self.edition.grid.neighbors[cell, PAIR_DIRECTIONS[direction]])
        if other == self.num_hexes:
            raise ActionError(
                f"action {action} would place the second ring, next to {self._cell_text(cell)}, "
                f"off the map; both rings must be on the map (R5.2)"
            )
        return f"rings {self._cell_text(cell)} {self._cell_text(other)}"

    def _parse_rings(self, text: str, row: str, col: str, row2: str | None, col2: str) -> int:
        first = self._cell(text, row, col)
        if (row2 is not None) != text.startswith("rings"):
            raise ActionError(f"{short_repr(text)}: 'ring' takes one hex, 'rings' takes two")
        if row2 is None:
            return self.ring.start + first
        second = self._cell(text, row2, col2)
        for i, direction in enumerate(PAIR_DIRECTIONS):
            if self.edition.grid.neighbors[first, direction] == second:
                return self.rings.start + i * self.num_hexes + first
        raise ActionError(
            f"{short_repr(text)}: the second hex must lie east, south-east or south-west of the "
            "first (R5.2)"
        )

    def _parse_plan(self, text: str) -> int:
        match = _PLAN.fullmatch(text.removesuffix(PRIVILEGE_SUFFIX))
        if match is None or match[1] not in self.region_names:
            raise ActionError(
                f"{short_repr(text)} is not an action; plans look like "
                f"'{self.region_names[0]} B', with "
                f"one of the regions {', '.join(self.region_names)}; other actions look like "
                f"'fief r2 @ 12,7', 'ring 12,7', 'rings 12,7 12,8' or 'donate'"
            )
        region = self.region_names.index(match[1])
        card = ACTION_CARD_NAMES.index(match[2])
        return plan_action(region, card, text.endswith(PRIVILEGE_SUFFIX))
