"""The options of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError

SeaLeague = Literal["each_player", "first_only"]


@dataclass(frozen=True)
class Rules:
    """The options of the rules.

    Attributes:
        sea_league: "each_player" lets every player found a league in each sea; "first_only" allows
            one league per sea in all (R6.3).
        first_check_round: the first round, 1 to 12, after which the end is checked (R7.3).

    Raises:
        OptionError: an option has an invalid value.
    """

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

    @classmethod
    def of(cls, rules: Any) -> Rules:
        """Returns rules given as such, or as a mapping of their options (see `as_dict`).

        Raises:
            OptionError: neither, an unknown option, or an invalid value.
        """
        if isinstance(rules, cls):
            return rules
        if not isinstance(rules, Mapping):
            raise OptionError(
                f"rules is {short_repr(rules)}; it takes an instance, such as Rules(), "
                'or a mapping, such as {"sea_league": "first_only"}'
            )
        known = [field.name for field in fields(cls)]
        unknown = [name for name in rules if name not in known]
        if unknown:
            raise OptionError(f"rules hold {short_repr(unknown[0])}; there are: {', '.join(known)}")
        return cls(**rules)

    def as_dict(self) -> dict[str, Any]:
        """Returns the options by name, as records hold them."""
        return asdict(self)
