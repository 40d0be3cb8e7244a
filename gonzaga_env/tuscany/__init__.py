"""The Castles of Tuscany: rules, state and views, and the same for many games and for one."""

from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.editions.edition import Edition, load_edition, shipped_editions
from gonzaga_env.tuscany.options import Options
from gonzaga_env.tuscany.records import Recorder, positions, replay, verify
from gonzaga_env.tuscany.single.game import Game
from gonzaga_env.tuscany.state.deals import Deal
from gonzaga_env.tuscany.state.state import State
from gonzaga_env.tuscany.view.game_view import GameView, PlayerView

__all__ = [
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
    "load_edition",
    "positions",
    "replay",
    "shipped_editions",
    "verify",
]
