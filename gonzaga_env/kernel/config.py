"""What is played: what the configurations of all games have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar

from gonzaga_env.kernel.arguments import checks_names, is_integer
from gonzaga_env.kernel.bounded import short_repr
from gonzaga_env.kernel.editions import OnlyEdition
from gonzaga_env.kernel.engine import Codec, EditionBase, EditionSource
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.options import RuleOptions
from gonzaga_env.kernel.spaces import FeatureTable

DEFAULT_RULES: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, init=False)
class BaseConfig:
    """Everything that decides which game is played, apart from chance."""

    game: ClassVar[str]  #: the game's name, as `GameSpec.name`
    PLAYERS: ClassVar[tuple[range, str]]  #: the numbers of players, and the rule that says so
    OPTIONS: ClassVar[type[RuleOptions]]  #: the class of the options
    EDITION: ClassVar[str] = OnlyEdition.name  #: the default edition's name
    #: Returns a shipped edition by name, or the one in a file; without it, a game has the
    #: `OnlyEdition`.
    load_edition: ClassVar[Any] = None

    num_players: int  #: P
    edition: EditionBase  #: the edition
    rules: RuleOptions  #: the options

    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        edition: EditionSource | None = None,
        rules: RuleOptions | Mapping[str, object] | str = DEFAULT_RULES,
    ) -> None:
        """Checks the values and loads the edition.

        Args:
            num_players: see above.
            edition: the name of a shipped edition, a file, or an edition that was loaded; None
                for the default one.
            rules: the options, a mapping of some of them, or text (`RuleOptions.of`).

        Raises:
            OptionError: invalid number of players or options.
            EditionError: the edition cannot be found or has faults.
        """
        possible, rule = self.PLAYERS
        if not is_integer(num_players) or num_players not in possible:
            raise OptionError(
                f"num_players is {short_repr(num_players)}; "
                f"it takes {possible[0]} to {possible[-1]} ({rule})"
            )
        if not isinstance(edition, EditionBase):
            load = self.load_edition or OnlyEdition(self.game).load
            edition = load(self.EDITION if edition is None else edition)
        values = (int(num_players), edition, self.OPTIONS.of(rules))
        for field, value in zip(fields(BaseConfig), values, strict=True):
            object.__setattr__(self, field.name, value)

    @property
    def actions(self) -> Codec:
        """The codec of actions."""
        raise NotImplementedError

    @property
    def features(self) -> FeatureTable:
        """The layout of observations; its `size` is D."""
        raise NotImplementedError

    @property
    def summary(self) -> str:
        """Players and edition in a few words."""
        return f"{self.num_players} players, edition {self.edition.name}"
