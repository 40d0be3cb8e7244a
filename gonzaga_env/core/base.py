"""What the engine for batches and the game for one have in common."""

from __future__ import annotations

from typing import Any, get_args

from gonzaga_env.core.board.notation import ActionCodec
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.state.state import no_games
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.picture import Pictured
from gonzaga_env.tabletop.rewards import Reward

_LOOKED_UP = ("tables", "features", "_scenarios", "_no_games")


class GameBase(Pictured):
    """Configuration, tables and layouts, which never change.

    Attributes:
        config: what is played.
        num_players: P.
        rules: the options.
        reward: the kind of reward.
        tables: the tables of the edition.
        features: the layout of the observations.
    """

    def __init__(self, config: GameConfig, reward: Reward) -> None:
        """Looks up the tables.

        Raises:
            OptionError: there is no such kind of reward.
        """
        if reward not in get_args(Reward):
            kinds = ", ".join(map(repr, get_args(Reward)))
            raise OptionError(f"reward is {reward!r}; it takes {kinds}")
        self.config, self.reward = config, reward
        self.num_players, self.rules = config.num_players, config.rules
        self._look_up()

    def _look_up(self) -> None:
        self.tables = self.config.tables
        self.features = self.config.features
        self._scenarios = self.config.scenarios()
        self._no_games = no_games(self.tables, self.num_players, self.rules)

    @property
    def edition(self) -> Edition:
        """The edition."""
        return self.config.edition

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions: sizes, blocks and texts."""
        return self.tables.actions

    def __getstate__(self) -> dict[str, Any]:
        # Tables are large and follow from the edition, so pickles leave them out.
        return {k: v for k, v in self.__dict__.items() if k not in _LOOKED_UP}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._look_up()
