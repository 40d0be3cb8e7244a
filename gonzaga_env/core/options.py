"""The options of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.tabletop.options import RuleOptions

SeaLeague = Literal["each_player", "first_only"]


@dataclass(frozen=True)
class Options(RuleOptions):
    """The options of the rules; records hold them under the same names.

    Attributes:
        sea_league: "each_player" lets every player found a league in each sea; "first_only" allows
            one league per sea in all (R6.3).
        first_check_round: the first round, 1 to 12, after which the end is checked (R7.3).

    Raises:
        OptionError: an option has an invalid value.
    """

    EXAMPLE = '{"sea_league": "first_only"}'
    RANGES: ClassVar[Mapping[str, range]] = {"first_check_round": range(1, NUM_FIEFS + 1)}
    RULES: ClassVar[Mapping[str, str]] = {"sea_league": "R6.3", "first_check_round": "R7.3"}

    sea_league: SeaLeague = "each_player"
    first_check_round: int = 6


Rules = Options  # the name that scripts have
