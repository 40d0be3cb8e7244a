"""The options of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from gonzaga_env.tabletop.options import RuleOptions

MOST_LAPS = 200  # a game keeps the number of its lap in a byte


@dataclass(frozen=True)
class Options(RuleOptions):
    """The options of the rules; records hold them under the same names.

    By default they are what the rulebook's sentences say: the preset "rulebook". The preset
    "online" is what reviews and the help page of an online edition say: "lap", "lap_then_one",
    "ranked", "tiles".

    Attributes:
        draw_base: region cards that the action draws, 2 or 3 (T4.1, M7).
        round_end: rounds 1 and 2 end with the "turn" in which a stack was emptied, or with the
            "lap", so that all have had equally many turns (T10.2, B2).
        final_turns: after a third stack is empty, "one_each" plays one turn each; "lap_then_one"
            plays the lap out and then one turn each (T10.3, B2).
        colour_bonus: "literal" gives 1 to the first and 2 to the second; "ranked" gives what the
            edition says (T7.2, B3).
        bonus_gains: +1 marble and +1 worker tiles count for "every" gain, those of a yield card
            too, or for gains by "tiles", quarry and village, only (T8.5, T8.6, B5).
        storage_points: whether +1 storage tiles give 2 green "always", or at the "setup" only
            (T9.3, B4).
        hexagon_same_turn: whether a wooden hexagon may be placed in the turn it was won (B8).
        max_laps: laps after which a game is cut off, 1 to 200; games need not end by themselves
            (T10.4).

    Raises:
        OptionError: an option has an invalid value.
    """

    EXAMPLE = '{"draw_base": 3}'
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "rulebook": {
            "round_end": "turn",
            "final_turns": "one_each",
            "colour_bonus": "literal",
            "bonus_gains": "every",
        },
        "online": {
            "round_end": "lap",
            "final_turns": "lap_then_one",
            "colour_bonus": "ranked",
            "bonus_gains": "tiles",
        },
    }
    RANGES: ClassVar[Mapping[str, range]] = {"max_laps": range(1, MOST_LAPS + 1)}

    draw_base: Literal[2, 3] = 2
    round_end: Literal["turn", "lap"] = "turn"
    final_turns: Literal["one_each", "lap_then_one"] = "one_each"
    colour_bonus: Literal["literal", "ranked"] = "literal"
    bonus_gains: Literal["every", "tiles"] = "every"
    storage_points: Literal["always", "setup"] = "always"
    hexagon_same_turn: Literal[False, True] = False
    max_laps: int = 100
