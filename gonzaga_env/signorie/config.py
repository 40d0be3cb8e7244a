"""What is played: number of players, edition and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from gonzaga_env.signorie.board.actions import ActionCodec, action_codec
from gonzaga_env.signorie.constants import MAX_PLAYERS, MIN_PLAYERS
from gonzaga_env.signorie.editions.edition import Edition, load_edition
from gonzaga_env.signorie.options import Options
from gonzaga_env.signorie.state.features import feature_table
from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.features import FeatureTable


@dataclass(frozen=True, init=False)
class GameConfig:
    """Everything that decides which game is played, apart from chance.

    Attributes:
        num_players: P, 2 to 4 (S1.1).
        edition: the edition.
        rules: the options.
    """

    game: ClassVar[str] = "signorie"

    num_players: int
    edition: Edition
    rules: Options

    def __init__(
        self,
        num_players: int = 4,
        edition: str | Path | Edition = "reconstruction",
        rules: Options | Mapping[str, Any] = Options(),
    ) -> None:
        """Checks the values and loads the edition.

        Args:
            num_players: see above.
            edition: the name of a shipped edition, a file, or an edition that was loaded.
            rules: see above; a mapping of options is accepted too.

        Raises:
            OptionError: invalid number of players or options.
            EditionError: the edition cannot be found or has faults.
        """
        if not is_integer(num_players) or not MIN_PLAYERS <= num_players <= MAX_PLAYERS:
            raise OptionError(
                f"num_players is {short_repr(num_players)}; "
                f"it takes {MIN_PLAYERS} to {MAX_PLAYERS} (S1.1)"
            )
        if not isinstance(edition, Edition):
            edition = load_edition(edition)
        values = (int(num_players), edition, Options.of(rules))
        for field, value in zip(fields(self), values, strict=True):
            object.__setattr__(self, field.name, value)

    @property
    def summary(self) -> str:
        """Players and edition in a few words."""
        return f"{self.num_players} players, edition {self.edition.name}"

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions: sizes, blocks and texts."""
        return action_codec(self.edition)

    @property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return feature_table(self.num_players, self.edition)
