"""What is played: number of players, scenario, edition and the options of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.board.notation import ActionCodec
from gonzaga_env.core.board.tables import Tables, tables_for
from gonzaga_env.core.constants import MAX_PLAYERS, MIN_PLAYERS
from gonzaga_env.core.editions.loading import check_edition, load_edition
from gonzaga_env.core.features import feature_table
from gonzaga_env.core.options import Options
from gonzaga_env.tabletop.arguments import checks_names
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.config import BaseConfig
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.features import FeatureTable


@dataclass(frozen=True, init=False)
class GameConfig(BaseConfig):
    """Everything that decides which game is played, apart from chance (see `BaseConfig`).

    Attributes:
        scenario: the name of a scenario for P players; None draws one for each game (R2.1).
    """

    game = "gonzaga"
    PLAYERS = range(MIN_PLAYERS, MAX_PLAYERS + 1), "R1.1"
    OPTIONS, EDITION = Options, "europe"
    load_edition = staticmethod(load_edition)

    edition: Edition
    rules: Options
    scenario: str | None

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
            num_players: P.
            scenario: see above.
            edition: the name of a shipped edition, a folder, or an edition.
            rules: the options, a mapping of some of them, or text (`RuleOptions.of`).

        Raises:
            OptionError: invalid number of players, scenario or rules.
            EditionError: the edition cannot be found or has faults.
        """
        if isinstance(edition, Edition):
            check_edition(edition)
        else:
            edition = load_edition(edition)
        super().__init__(num_players, edition, rules)
        object.__setattr__(self, "scenario", scenario)
        self.scenarios()

    @property
    def summary(self) -> str:
        """Players, edition and scenario in a few words."""
        return super().summary + (f", scenario {self.scenario}" if self.scenario else "")

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
            if not fitting:
                known = " and ".join(map(str, sorted({s.players for s in scenarios})))
                raise OptionError(
                    f"num_players is {self.num_players}; edition {self.edition.label} has "
                    f"scenarios for {known} players (R1.5)"
                )
            raise OptionError(
                f"no scenario {short_repr(self.scenario)} for {self.num_players} players{hint}; "
                f"there are: {names} (R1.5)"
            )
        return np.array(chosen, dtype=np.uint8)
