"""The options of the rules, and the numbers that the rules fix."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np

from gonzaga_env.core.errors import OptionError

SeaLeague = Literal["each_player", "first_only"]

MIN_PLAYERS, MAX_PLAYERS = 2, 4  # R1.1
NUM_FIEFS = 12  # R1.1; as many rounds at most (R7.2)
NUM_RINGS = 6  # R1.1
NUM_REGIONS = 6  # R1.2
NUM_SEAS = 6  # R1.2
NUM_SYMBOLS = 8  # R1.2
NUM_REGION_CARDS = NUM_REGIONS + 1  # R1.1: the last is "inactive regions"
INACTIVE_CARD = NUM_REGIONS
NUM_ACTION_CARDS = 3  # R1.1: A, B, C; King's Privilege goes on top
HARBORS, CITIES, ALLIANCE = range(NUM_ACTION_CARDS)  # R4.2

DONATION_POINTS = 3  # R3.7
FLOURISHING_POINTS, INACTIVE_POINTS = 3, 1  # R6.1
LEAGUE_POINTS, LEAGUE_HARBORS = 10, 3  # R6.2
OPEN_SITES_AT_END = 3  # R7.1
GROUP_POINTS = 15  # R8.1
OBJECTIVE_POINTS = (0, 2, 5, 10, 15, 25, 35)  # R8.2


def is_integer(value: Any) -> bool:
    """Returns whether a value is one whole number, of Python or numpy; True is none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


@dataclass(frozen=True)
class Rules:
    """The rules' options, defaults first.

    Attributes:
        sea_league: "each_player" lets every player found a league in each sea, "first_only" one
            player a sea (R6.3).
        first_check_round: the round, 1 to 12, after which the end is checked first (R7.3).

    Raises:
        OptionError: an option has a value that it does not take.
    """

    sea_league: SeaLeague = "each_player"
    first_check_round: int = 6

    def __post_init__(self) -> None:
        if self.sea_league not in get_args(SeaLeague):
            raise OptionError(
                f"sea_league is {self.sea_league!r}; it takes "
                f"{' or '.join(map(repr, get_args(SeaLeague)))} (R6.3)"
            )
        if not is_integer(self.first_check_round) or not 1 <= self.first_check_round <= NUM_FIEFS:
            raise OptionError(
                f"first_check_round is {self.first_check_round!r}; it takes 1 to {NUM_FIEFS} (R7.3)"
            )

    def as_dict(self) -> dict[str, Any]:
        """Returns the options by name, as records hold them."""
        return asdict(self)
