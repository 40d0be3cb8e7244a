"""What is played: number of players, edition and options."""

from __future__ import annotations

from dataclasses import dataclass

from gonzaga_env.tabletop.config import BaseConfig
from gonzaga_env.tabletop.editions.files import RECONSTRUCTION
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.actions import ACTIONS, ActionCodec
from gonzaga_env.tuscany.editions.edition import Edition, load_edition
from gonzaga_env.tuscany.features import feature_table
from gonzaga_env.tuscany.options import Options


@dataclass(frozen=True, init=False)
class GameConfig(BaseConfig):
    """Everything that decides which game is played, apart from chance (see `BaseConfig`)."""

    game = "tuscany"
    PLAYERS = range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1), "T1.1"
    OPTIONS, EDITION = Options, RECONSTRUCTION
    load_edition = staticmethod(load_edition)

    edition: Edition
    rules: Options

    @property
    def colour_points(self) -> tuple[tuple[int, int], ...]:
        """Points for the first and the second to complete each colour, [8] (T7.2, B3)."""
        if self.rules.colour_bonus == "literal":
            return ((1, 2),) * c.NUM_COLOURS
        return self.edition.colour_bonus

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions, with sizes, blocks and texts."""
        return ACTIONS

    @property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return feature_table(self.num_players, len(self.edition.yield_cards))
