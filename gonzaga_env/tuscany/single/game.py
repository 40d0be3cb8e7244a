"""One game in plain Python: what `batch.engine` is for many games."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.engines.decisions import DecisionGame
from gonzaga_env.tuscany.base import GameBase
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.single.legal import legal_actions
from gonzaga_env.tuscany.single.observations import observe
from gonzaga_env.tuscany.single.position import Position
from gonzaga_env.tuscany.single.transitions import apply_action, winners
from gonzaga_env.tuscany.state.deals import Deal
from gonzaga_env.tuscany.state.state import State
from gonzaga_env.tuscany.view.game_view import GameView


class Game(GameBase, DecisionGame[GameConfig, State, Deal, GameView]):
    """One game of The Castles of Tuscany: equal to one row of an `Engine` at every step.

    Example::

        game = Game(num_players=3, seed=7)
        while not game.finished:
            game.play(game.sample_legal(rng))

    Attributes:
        position: the full state in plain Python, for reading only; `play` changes it and `reset`
            and assigning `state` replace it.
    """

    POSITION = Position
    position: Position

    @property
    def truncated(self) -> bool:
        """Whether the game is over because it was cut off after `max_laps`."""
        return self.position.truncated

    def winners(self) -> list[bool]:
        """Returns who would win if the game ended now, [P] (T11.3)."""
        return winners(self.position)

    def _legal_actions(self) -> int:
        return legal_actions(self.position)

    def _observe(self, seat: int) -> NDArray[np.uint8]:
        return np.frombuffer(observe(self.position, seat), np.uint8)

    def _apply(self, position: Position, action: int) -> int:
        return apply_action(position, action)

    def _gained(self) -> list[int]:
        return self.position.red
