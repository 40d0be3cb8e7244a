"""The Castles of Tuscany: rules, state and views, and the same for many games and for one.

The names are those of `gonzaga_env.gonzaga` and `gonzaga_env.signorie`.
"""

from gonzaga_env import tabletop
from gonzaga_env.tabletop import *  # noqa: F403  the names that it lists
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.board.actions import ActionCodec
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.editions.edition import Edition, load_edition, shipped_editions
from gonzaga_env.tuscany.options import Options
from gonzaga_env.tuscany.records import (
    Recorder,
    game_from_record,
    positions,
    record_game,
    replay,
    verify,
)
from gonzaga_env.tuscany.single.game import Game
from gonzaga_env.tuscany.state.deals import Deal
from gonzaga_env.tuscany.state.from_observations import states_from_observations
from gonzaga_env.tuscany.state.state import State
from gonzaga_env.tuscany.view.game_view import GameView, PlayerView

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
__all__ += tabletop.__all__
__all__.sort()
