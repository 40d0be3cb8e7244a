"""The options of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError
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

    sea_league: SeaLeague = "each_player"
    first_check_round: int = 6

    def __post_init__(self) -> None:
        if self.sea_league not in get_args(SeaLeague):
            raise OptionError(
                f"sea_league is {short_repr(self.sea_league)}; it takes "
                f"{' or '.join(map(repr, get_args(SeaLeague)))} (R6.3)"
            )
        if not is_integer(self.first_check_round) or not 1 <= self.first_check_round <= NUM_FIEFS:
            raise OptionError(
                f"first_check_round is {short_repr(self.first_check_round)}; "
                f"it takes 1 to {NUM_FIEFS} (R7.3)"
            )
        # numpy's integers are accepted, and are not JSON.
        object.__setattr__(self, "first_check_round", int(self.first_check_round))


Rules = Options  # the name that scripts have
