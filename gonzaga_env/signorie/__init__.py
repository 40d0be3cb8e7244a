"""Signorie: rules, state and views, and the same for many games and for one.

The names are those of `gonzaga_env.gonzaga` and `gonzaga_env.tuscany`.
"""

from gonzaga_env import kernel
from gonzaga_env.kernel import *  # noqa: F403  the names that it lists
from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.board import ActionCodec
from gonzaga_env.signorie.config import GameConfig, Options
from gonzaga_env.signorie.edition import Edition, load_edition, shipped_editions
from gonzaga_env.signorie.single.game import Game
from gonzaga_env.signorie.spec import (
    Recorder,
    game_from_record,
    positions,
    record_game,
    replay,
    verify,
)
from gonzaga_env.signorie.state import Deal, State, states_from_observations
from gonzaga_env.signorie.view import GameView, PlayerView

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
