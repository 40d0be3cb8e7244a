"""Gonzaga, the hex-board game for 2 to 4 players, as a reinforcement learning environment."""

from gonzaga_env.core import Engine, Game, GameConfig, GonzagaError, Rules, load_edition
from gonzaga_env.envs import castles_of_tuscany_v0, gonzaga_v0, signorie_v0
from gonzaga_env.envs.registration import register_all
from gonzaga_env.render.decisions import draw_choices, draw_scores, draw_values
from gonzaga_env.render.draw import draw
from gonzaga_env.version import __version__

__all__ = [
    "Engine",
    "Game",
    "GameConfig",
    "GonzagaError",
    "Rules",
    "__version__",
    "castles_of_tuscany_v0",
    "draw",
    "draw_choices",
    "draw_scores",
    "draw_values",
    "gonzaga_v0",
    "load_edition",
    "signorie_v0",
]

register_all()
