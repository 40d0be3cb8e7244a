"""The action space: 264 actions, equal for all seats and kinds of decisions, and their texts.

| index | text |
|---|---|
| 0 to 95 | `layout A B C' +-` (see `geometry.LAYOUTS`) |
| 96 to 100 | `bonus card`: at the start (T2.4), for a city (T8.2) |
| 101 | `draw` (T4) |
| 102 to 118 | `take AOG` (T5) |
| 119 to 136 | `remove V`, `remove hexagon`: from a full storage (T5.2) |
| 137 to 166 | `tile L4`: a tile's cell, the starting castle's and the castle's too (T6, T8.1) |
| 167 to 196 | `hexagon L4`: a wooden hexagon's cell (T6.3) |
| 197 to 206 | `crop AOG`: which tile of agriculture |
| 207 to 261 | `pay own+worker`, `pay own+VV`: two units (T6.2) |
| 262, 263 | `marble` (T3.2), `end` |
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from gonzaga_env.tabletop.engines.actions import ActionTexts
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.geometry import CELL_NAMES, LAYOUTS

#: Version of the space; checkpoints and records of another version are refused.
ACTIONS_VERSION = 1

#: What may be paid: a card of the hex's colour, a worker, or two equal cards of another (T6.2).
UNITS = ("own", "worker", *(colour * 2 for colour in c.COLOURS))
OWN, WORKER, FIRST_PAIR = 0, 1, 2
#: Both units of every payment, the first not after the second.
PAYMENTS: tuple[tuple[int, int], ...] = tuple(combinations_with_replacement(range(len(UNITS)), 2))


class ActionCodec(ActionTexts):
    """The action space with a text for each action: blocks of actions, single ones and the size."""

    layout = slice(0, 96)
    bonus = slice(96, 101)
    draw = 101
    take = slice(102, 119)
    remove = slice(119, 137)
    tile = slice(137, 167)
    hexagon = slice(167, 197)
    crop = slice(197, 207)
    pay = slice(207, 262)
    marble = 262
    end = 263

    def __init__(self) -> None:
        """Writes the texts."""
        examples = "layout A B C ++", "bonus card", "draw", "take AOG", "tile L4", "pay own+own"
        super().__init__(_texts(), examples)


def _texts() -> list[str]:
    blocks: tuple[tuple[str, Any], ...] = (
        ("layout", (layout.text for layout in LAYOUTS)),
        ("bonus", c.BONUS_TYPES),
        ("draw", ("",)),
        ("take", c.TILE_KINDS),
        ("remove", c.PIECE_NAMES),
        ("tile", CELL_NAMES),
        ("hexagon", CELL_NAMES),
        ("crop", c.TILE_KINDS[c.FIRST_CROP_KIND :]),
        ("pay", (f"{UNITS[first]}+{UNITS[second]}" for first, second in PAYMENTS)),
        ("marble", ("",)),
        ("end", ("",)),
    )
    return [f"{verb} {what}".rstrip() for verb, whats in blocks for what in whats]


ACTIONS = ActionCodec()
