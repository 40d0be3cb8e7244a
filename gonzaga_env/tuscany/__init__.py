"""The Castles of Tuscany: rules, state and views, and the same for many games and for one.

The names are those of `gonzaga_env.gonzaga` and `gonzaga_env.signorie`.
"""

from gonzaga_env import kernel
from gonzaga_env.kernel import *  # noqa: F403  the names that it lists
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.board import ActionCodec
from gonzaga_env.tuscany.config import GameConfig, Options
from gonzaga_env.tuscany.edition import Edition, load_edition, shipped_editions
from gonzaga_env.tuscany.single.game import Game
from gonzaga_env.tuscany.spec import (
    Recorder,
    game_from_record,
    positions,
    record_game,
    replay,
    verify,
)
from gonzaga_env.tuscany.state import Deal, State, states_from_observations
from gonzaga_env.tuscany.view import GameView, PlayerView

__all__ = [
    "ActionCodec",
    "Deal",
    "Edition",
    "Engine",
    "Game",
    "GameConfig",
    "GameView",
    "Options",
    "PlayerView",
    "Recorder",
    "State",
    "game_from_record",
    "load_edition",
    "positions",
    "record_game",
    "replay",
    "shipped_editions",
    "states_from_observations",
    "verify",
]
__all__ += kernel.__all__
__all__.sort()
