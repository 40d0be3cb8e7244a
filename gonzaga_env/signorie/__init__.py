"""Signorie: rules, state and views, and the same for many games and for one."""

from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.editions.edition import Edition, load_edition, shipped_editions
from gonzaga_env.signorie.options import Options
from gonzaga_env.signorie.records import Recorder, positions, replay, verify
from gonzaga_env.signorie.single.game import Game
from gonzaga_env.signorie.state.deals import Deal
from gonzaga_env.signorie.state.state import State
from gonzaga_env.signorie.view.game_view import GameView, PlayerView

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
