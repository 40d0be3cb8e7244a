"""The base of the engine for batches and of the engine for one game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import ACTIONS_VERSION, ActionCodec
from gonzaga_env.core.config import OBSERVATIONS_VERSION, GameConfig, Rules
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.observe import draw_hidden
from gonzaga_env.core.refusals import explain_illegal
from gonzaga_env.core.state import KINDS, SOURCES, Deal, State, check_deal, draw_deals, state_layout
from gonzaga_env.core.view import GameView, describe_action, view_game
from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.engine import EngineBase
from gonzaga_env.kernel.errors import IllegalActionError
from gonzaga_env.kernel.rows import RowKey
from gonzaga_env.kernel.state import ArrayLayout
from gonzaga_env.kernel.view import Viewer


class GameBase(EngineBase[GameConfig, State, Deal, GameView]):
    """Configuration, tables and layouts, which never change (see `EngineBase`)."""

    NOT_PICKLED = (*EngineBase.NOT_PICKLED, "tables", "_scenarios")

    CONFIG, STATE, KINDS = GameConfig, State, KINDS
    SOURCES = SOURCES
    VERSIONS: ClassVar = {"actions": ACTIONS_VERSION, "observations": OBSERVATIONS_VERSION}

    config: GameConfig
    rules: Rules
    actions: ActionCodec
    edition: Edition

    def _set_tables(self) -> None:
        self.tables, self._scenarios = self.config.tables, self.config.scenarios()
        super()._set_tables()

    def layout(self) -> Mapping[str, ArrayLayout]:
        return state_layout(self.tables, self.num_players)

    def _draw_deals(self, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> Deal:
        return draw_deals(self.tables, self.num_players, self._scenarios, seeds, episodes)

    def check_deal(self, deal: Deal, num_games: int) -> None:
        """Raises OptionError unless a deal is valid for so many games."""
        check_deal(self.config, deal, num_games)

    def _write_deal(self, state: State, rows: RowKey, deal: Deal) -> None:
        state.scenario[rows], state.deck[rows] = deal.scenario, deal.decks
        state.objective[rows] = deal.objectives

    def _redraw(self, games: State, seats: Indices, rng: np.random.Generator) -> None:
        draw_hidden(self.tables, games, seats, rng)

    def _view(
        self,
        state: State,
        row: int,
        viewer: Viewer,
        last: tuple[int, int] | None,
        names: Sequence[str],
    ) -> GameView:
        return view_game(self.config, state, row, viewer, last=last, names=names)

    def _describe(self, state: State, action: int) -> str:
        return describe_action(self.tables, self.rules, state, action)

    def _illegal_action(self, state: State, game: int, action: int) -> IllegalActionError:
        return explain_illegal(self.tables, state, game, action)
