"""The configuration (players, scenario, edition, options) and the layout of observations.

Observations hold all that a seat may know of a position, as flat uint8. Players are listed from the
observing seat on, clockwise. Hidden are the other seats' plans until the reveal (R3.2), their
objectives (R2.2), and the order of all decks, the seat's own included (R2.2). An observation
determines the position up to what is hidden, which `states_from_observations` uses; of the past
(earlier plans, the order of placements) it keeps only what still matters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.board.actions import NUM_CARDS, ActionCodec
from gonzaga_env.core.board.tables import Tables, tables_for
from gonzaga_env.core.constants import MAX_PLAYERS, MIN_PLAYERS, NUM_FIEFS
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.editions.generating import edition_set, permuted
from gonzaga_env.core.editions.loading import check_edition, load_edition
from gonzaga_env.core.planes import plane_table
from gonzaga_env.kernel.arguments import checks_names
from gonzaga_env.kernel.chance import Draws
from gonzaga_env.kernel.config import BaseConfig, RuleOptions
from gonzaga_env.kernel.editions import EditionSource
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.spaces import FeatureRow, FeatureTable, PlaneTable

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


#: Version of the layout; checkpoints of another version are refused.
OBSERVATIONS_VERSION = 2


@lru_cache(maxsize=64)
def feature_table(num_hexes: int, num_players: int) -> FeatureTable:
    """Returns the layout for a map of H hexes and P players, built once for each pair of sizes."""
    return FeatureTable(_layout(num_hexes, num_players))


def _layout(h: int, p: int) -> list[FeatureRow]:
    """Returns name, shape, scale and meaning of every feature.

    Planes come first, then numbers; those that change at every step stand together, so that the
    cache of all seats' observations touches few lines of memory.
    """
    return [
        ("fiefs", (p, h), 1, "hexes held by each player's fiefs"),
        ("rings", (p, h), 1, "hexes held by each player's rings"),
        ("fief_number", (h,), c.NUM_FIEFS, "number (1 to 12) of the fief on the hex; 0 for none"),
        (
            "value",
            (h,),
            c.FLOURISHING_POINTS,
            "points for covering the hex; 0 if the seat holds it",
        ),
        ("objective", (h,), 1, "cities of the observer's objective"),
        ("phase", (1,), 1, "0: plans are made, 1: fiefs are placed"),
        ("round", (1,), c.NUM_FIEFS, "round, from 1"),
        ("last_round", (1,), 1, "this round is the last"),
        ("finished", (1,), 1, "the game is over"),
        ("num_acted", (1,), p, "seats that have acted in this phase"),
        ("open_sites", (1,), 8 * c.NUM_REGIONS, "flourishing cities and harbors nobody covers"),
        ("ring_stock", (p,), c.NUM_RINGS, "rings unspent"),
        ("score", (p,), 100, "score so far, 255 at most"),
        ("largest_group", (p,), c.NUM_PIECES, "pieces in the largest connected group"),
        ("order", (p,), p, "place in the turn order, from 1; 0 while unknown"),
        ("sea_harbors", (p, c.NUM_SEAS), 4, "harbors held of each sea"),
        ("leagues", (p, c.NUM_SEAS), 1, "sea leagues founded"),
        ("plan", (p, NUM_CARDS), 1, "cards of this round's plan; zero while hidden"),
        (
            "previous_plan",
            (p, NUM_CARDS),
            1,
            "cards not available: seven regions, A, B, C, privilege",
        ),
        ("fief", (p, c.NUM_FIEFS), 1, "this round's fief"),
        ("deck", (p, c.NUM_FIEFS), 1, "fiefs still to come"),
        ("flourishing", (c.NUM_REGIONS,), 1, "flourishing regions"),
        ("seat", (p,), 1, "the observer's seat (the unit of the fief cards, which breaks ties)"),
        ("symbols", (c.NUM_SYMBOLS,), 1, "symbols of the observer's objective"),
    ]


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
        edition: str | Path | Edition | None = "europe",
        rules: Options | Mapping[str, object] | str = Options(),
    ) -> None:
        """Checks the values and loads the edition.

        Args:
            num_players: P.
            scenario: see above.
            edition: the name of a shipped edition, a folder, or an edition; None for the default.
            rules: the options, a mapping of some of them, or text (`RuleOptions.of`).

        Raises:
            OptionError: invalid number of players, scenario or rules.
            EditionError: the edition cannot be found or has faults.
        """
        if isinstance(edition, Edition):
            check_edition(edition)
        super().__init__(num_players, edition, rules)
        object.__setattr__(self, "scenario", scenario)
        self.scenarios()

    @property
    def summary(self) -> str:
        """Players, edition and scenario in a few words."""
        return super().summary + (f", scenario {self.scenario}" if self.scenario else "")

    @classmethod
    def edition_set(cls, name: object) -> dict[str, str]:
        """Returns the maps of "generated:train" or "generated:test" by name, with their digests."""
        return edition_set(name)

    def on_edition(self, edition: EditionSource, draws: Draws) -> Self:
        """Returns the configuration on a map whose regions and seas are in a random order."""
        given = super().on_edition(edition, draws).edition
        return type(self)(self.num_players, edition=permuted(given, draws), rules=self.rules)

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions, with sizes, blocks and texts."""
        return self.tables.actions

    @cached_property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return feature_table(self.tables.num_hexes, self.num_players)

    @cached_property
    def planes(self) -> PlaneTable:
        """The layout of observations as planes over the map."""
        return plane_table(self.tables, self.features)

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
