"""What is played: number of players, edition and options."""

from __future__ import annotations

from dataclasses import dataclass

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.board.actions import ActionCodec, action_codec
from gonzaga_env.signorie.editions.edition import Edition, load_edition
from gonzaga_env.signorie.features import feature_table
from gonzaga_env.signorie.options import Options
from gonzaga_env.tabletop.config import BaseConfig
from gonzaga_env.tabletop.editions.files import RECONSTRUCTION
from gonzaga_env.tabletop.features import FeatureTable


@dataclass(frozen=True, init=False)
class GameConfig(BaseConfig):
    """Everything that decides which game is played, apart from chance (see `BaseConfig`)."""

    game = "signorie"
    PLAYERS = range(c.MIN_PLAYERS, c.MAX_PLAYERS + 1), "S1.1"
    OPTIONS, EDITION = Options, RECONSTRUCTION
    load_edition = staticmethod(load_edition)

    edition: Edition
    rules: Options

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions, with sizes, blocks and texts."""
        return action_codec(self.edition)

    @property
    def features(self) -> FeatureTable:
        """The layout of the observations."""
        return feature_table(self.num_players, self.edition)
