"""The engine for batches: N games on numpy arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.engines.decisions import DecisionEngine
from gonzaga_env.tabletop.rows import Rows
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.base import GameBase
from gonzaga_env.tuscany.batch import legal
from gonzaga_env.tuscany.batch.games import Games
from gonzaga_env.tuscany.batch.observations import observe
from gonzaga_env.tuscany.batch.transitions import apply_actions
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.state.deals import Deal
from gonzaga_env.tuscany.state.state import State, winners
from gonzaga_env.tuscany.view.game_view import GameView


class Engine(GameBase, DecisionEngine[GameConfig, State, Deal, GameView]):
    """N games of The Castles of Tuscany.

    Games that are stepped together may wait for different kinds of decisions. Game i depends on
    its own seed only. An answer that has no alternative is not asked for: the step that leads to
    it plays it too. `BatchEngine` tells what `rows` and `autoreset` mean.

    `StepResult.points` are the acting seat's green and red points from the answer itself, without
    T11.
    """

    AT_ONCE = np.isin(
        np.arange(len(c.SOURCES)), (*range(c.ROUND_1), *range(c.YIELD_RED, c.END_TILES))
    ).astype(np.int64)

    def _derive(self) -> None:
        self._games = Games(self.config, self._state)
        legal.update(self._games, self._all.indices)

    def _update(self, rows: Rows) -> None:
        self._games.derive(rows.indices)
        legal.update(self._games, rows.indices)

    def _winners(self, state: State) -> NDArray[np.bool_]:
        return winners(state)

    def _observe_into(self, rows: Rows, seats: Indices, out: NDArray[np.uint8]) -> None:
        observe(self._games, rows, seats, out)

    def _apply(self, rows: Indices, actions: Indices) -> None:
        apply_actions(self._games, rows, actions)
