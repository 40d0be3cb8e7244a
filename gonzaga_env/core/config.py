"""What is played: number of players, scenario, edition and the options of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.board.notation import ActionCodec
from gonzaga_env.core.board.tables import Tables, tables_for
from gonzaga_env.core.constants import MAX_PLAYERS, MIN_PLAYERS
from gonzaga_env.core.editions.loading import check_edition, edition_of_record, load_edition
from gonzaga_env.core.features import feature_table
from gonzaga_env.core.options import Options
from gonzaga_env.tabletop.arguments import checks_names, is_integer
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.features import FeatureTable


@dataclass(frozen=True, init=False)
class GameConfig:
    """Everything that decides which game is played, apart from chance.

    Attributes:
        num_players: P, 2 to 4 (R1.1).
        scenario: the name of a scenario for P players; None draws one for each game (R2.1).
        edition: the edition.
        rules: the options.
    """

    game: ClassVar[str] = "gonzaga"
    OPTIONS: ClassVar[type[Options]] = Options
    load_edition: ClassVar[Any] = staticmethod(load_edition)
    written_edition: ClassVar[Any] = staticmethod(edition_of_record)

    num_players: int
    scenario: str | None
    edition: Edition
    rules: Options

    @checks_names
    def __init__(
        self,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Options | Mapping[str, Any] | str = Options(),
    ) -> None:
        """Checks the values and loads the edition.

        Args:
            num_players: see above.
            scenario: see above.
            edition: the name of a shipped edition, a folder, or an edition.
            rules: see above; a mapping of options is accepted too, and text (`RuleOptions.of`).

        Raises:
            OptionError: invalid number of players, scenario or rules.
            EditionError: the edition cannot be found or has faults.
        """
        check_num_players(num_players)
        if isinstance(edition, Edition):
            check_edition(edition)
        else:
            edition = load_edition(edition)
        values = (int(num_players), scenario, edition, Options.of(rules))
        for field, value in zip(fields(self), values, strict=True):
            object.__setattr__(self, field.name, value)
        self.scenarios()

    @property
    def summary(self) -> str:
        """Players, edition and scenario in a few words."""
        scenario = f", scenario {self.scenario}" if self.scenario else ""
        return f"{self.num_players} players, edition {self.edition.name}{scenario}"

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions, with sizes, blocks and texts."""
        return self.tables.actions

    @property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return feature_table(self.tables.num_hexes, self.num_players)

    @property
    def tables(self) -> Tables:
        """The tables of the edition."""
        return tables_for(self.edition)

    def scenarios(self) -> NDArray[np.uint8]:
        """Returns the indices of the scenarios that are drawn from (R2.1).

        Raises:
            OptionError: the edition has no such scenario for this number of players.
        """
        scenarios = self.edition.scenarios
        fitting = [i for i, s in enumerate(scenarios) if s.players == self.num_players]
        chosen = [i for i in fitting if self.scenario in (None, scenarios[i].name)]
        if not chosen:
            names = ", ".join(scenarios[i].name for i in fitting)
            others = [s.players for s in scenarios if s.name == self.scenario]
            hint = f", but for {others[0]}" if others else ""
            raise OptionError(
                f"no scenario {short_repr(self.scenario)} for {self.num_players} players{hint}; "
                f"there are: {names} (R1.5)"
            )
        return np.array(chosen, dtype=np.uint8)


def check_num_players(num_players: Any) -> None:
    """Raises OptionError unless `num_players` is an integer from 2 to 4 (R1.1)."""
    if not is_integer(num_players) or not MIN_PLAYERS <= num_players <= MAX_PLAYERS:
        raise OptionError(
            f"num_players is {short_repr(num_players)}; "
            f"it takes {MIN_PLAYERS} to {MAX_PLAYERS} (R1.1)"
        )
