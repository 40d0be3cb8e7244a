"""The engine for batches: N games on numpy arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.base import GameBase
from gonzaga_env.signorie.batch import legal
from gonzaga_env.signorie.batch.games import Games
from gonzaga_env.signorie.batch.observations import observe, show_tables
from gonzaga_env.signorie.batch.transitions import apply_actions
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.state.deals import Deal
from gonzaga_env.signorie.state.state import State, winners
from gonzaga_env.signorie.view.game_view import GameView
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.engines.decisions import DecisionEngine
from gonzaga_env.tabletop.rows import Rows


class Engine(GameBase, DecisionEngine[GameConfig, State, Deal, GameView]):
    """N games of Signorie.

    Games that are stepped together may wait for different kinds of decisions. Game i depends on
    its own seed only. A decision that has no alternative is not asked for: the step that leads to
    it plays it too, through seats and rounds; but the first decision of a game is always asked.
    `BatchEngine` tells what `rows` and `autoreset` mean.

    `StepResult.points` are the acting seat's VP from its decision to the next one.
    """

    AT_ONCE = np.ones(len(c.SOURCES), np.int64)

    def _derive(self) -> None:
        self._games = Games(self.config, self._state)
        self._look(self._all.indices)

    def _update(self, rows: Rows) -> None:
        self._games.derive(rows.indices)
        self._look(rows.indices)

    def _look(self, rows: Indices) -> None:
        legal.update(self._games, rows)
        show_tables(self._games, rows)

    def _winners(self, state: State) -> NDArray[np.bool_]:
        return winners(state)

    def _observe_into(self, rows: Rows, seats: Indices, out: NDArray[np.uint8]) -> None:
        observe(self._games, rows, seats, out)

    def _apply(self, rows: Indices, actions: Indices) -> None:
        apply_actions(self._games, rows, actions)
