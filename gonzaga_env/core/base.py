"""What the engine for batches and the game for one have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import ActionCodec
from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.config import GameConfig, Rules
from gonzaga_env.core.observe import draw_hidden
from gonzaga_env.core.refusals import explain_illegal
from gonzaga_env.core.state import Deal, State, check_deal, draw_deals, empty_state, state_layout
from gonzaga_env.core.view import GameView, describe_action, view_game
from gonzaga_env.kernel.engine import EngineBase
from gonzaga_env.kernel.errors import IllegalActionError


class GameBase(EngineBase[GameConfig, State, Deal, GameView]):
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
        self.tables, self._scenarios = self.config.tables, self.config.scenarios()
        super()._look_up()

    def _check_values(self, state: State) -> None:
        state.check_values(state_layout(self.tables, self.num_players))

    def _empty(self, num_games: int) -> State:
        return empty_state(self.tables, num_games, self.num_players, self.rules)

    def _draw_deals(self, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> Deal:
        return draw_deals(self.tables, self.num_players, self._scenarios, seeds, episodes)

    def _check_deal(self, deal: Any, num_games: int) -> None:
        check_deal(self.config, deal, num_games)

    def _redraw(self, games: State, seats: NDArray[np.int64], rng: np.random.Generator) -> None:
        draw_hidden(self.tables, games, seats, rng)

    def _view(
        self, state: State, row: int, viewer: Any, last: tuple[int, int] | None, names: Any
    ) -> GameView:
        return view_game(self.config, state, row, viewer, last=last, names=names)

    def _describe(self, state: State, action: int) -> str:
        return describe_action(self.tables, self.rules, state, action)

    def _illegal_action(self, state: State, game: int, action: int) -> IllegalActionError:
        return explain_illegal(self.tables, state, game, action)
