"""The options of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.options import RuleOptions

MOST_LAPS = 200  # a game keeps the number of its lap in a byte


@dataclass(frozen=True)
class Options(RuleOptions):
    """The options of the rules; records hold them under the same names.

    Attributes:
        draw_base: region cards that the action draws, 2 or 3 (T4.1, M7).
        round_end: rounds 1 and 2 end with the "lap", so that all have had equally many turns, or
            with the "turn" (T10.2, B2).
        final_turns: after a third stack is empty, "lap_then_one" plays the lap out and then one
            turn each; "one_each" plays one turn each (T10.3).
        colour_bonus: "ranked" gives what the edition says; "literal" gives 1 to the first and 2 to
            the second (T7.2, B3).
        hexagon_same_turn: whether a wooden hexagon may be placed in the turn it was won (B8).
        max_laps: laps after which a game is cut off, 1 to 200; games need not end by themselves
            (T10.4).

    Raises:
        OptionError: an option has an invalid value.
    """

    EXAMPLE = '{"draw_base": 3}'

    draw_base: Literal[2, 3] = 2
    round_end: Literal["lap", "turn"] = "lap"
    final_turns: Literal["lap_then_one", "one_each"] = "lap_then_one"
    colour_bonus: Literal["ranked", "literal"] = "ranked"
    hexagon_same_turn: Literal[False, True] = False
    max_laps: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_integer(self.max_laps) or not 1 <= self.max_laps <= MOST_LAPS:
            raise OptionError(f"max_laps is {short_repr(self.max_laps)}; it takes 1 to {MOST_LAPS}")
        # numpy's integers are accepted, and are not JSON.
        object.__setattr__(self, "max_laps", int(self.max_laps))
