"""What the engine for batches and the game for one have in common."""

from __future__ import annotations

from gonzaga_env.core.board.notation import ActionCodec
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.check import check_state
from gonzaga_env.core.state.state import State, no_games
from gonzaga_env.tabletop.base import EngineBase


class GameBase(EngineBase):
    """Configuration, tables and layouts, which never change (see `EngineBase`).

    Attributes:
        tables: the tables of the edition.
    """

    LOOKED_UP = (*EngineBase.LOOKED_UP, "tables", "_scenarios")

    config: GameConfig
    rules: Rules
    actions: ActionCodec
    edition: Edition

    def _look_up(self) -> None:
        super()._look_up()
        self.tables, self._scenarios = self.config.tables, self.config.scenarios()
        self._no_games: State = no_games(self.tables, self.num_players, self.rules)

    def _check_values(self, state: State) -> None:
        check_state(self.tables, self.rules, state)
