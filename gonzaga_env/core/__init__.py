"""Gonzaga (shared code is `gonzaga_env.kernel`): its rules on numpy arrays.

There is no environment API here, no drawing and no global randomness.

`gonzaga_env.gonzaga` has the same names, and `gonzaga_env.tuscany` and `gonzaga_env.signorie` have
them for the other games.
"""

from gonzaga_env import kernel
from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board.actions import ActionCodec
from gonzaga_env.core.config import GameConfig, Options, Rules
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.editions.loading import load_edition, shipped_editions
from gonzaga_env.core.observe import states_from_observations
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.spec import Recorder, game_from_record, positions, record_game, replay, verify
from gonzaga_env.core.state import Deal, State, winners
from gonzaga_env.core.view import GameView, PlayerView
from gonzaga_env.kernel import *  # noqa: F403  the names that it lists

GonzagaError = kernel.GameError  # the name that scripts have

__all__ = [
    "ActionCodec",
    "Deal",
    "Edition",
    "Engine",
    "Game",
    "GameConfig",
    "GameView",
    "GonzagaError",
    "Options",
    "PlayerView",
    "Recorder",
    "Rules",
    "State",
    "game_from_record",
    "load_edition",
    "positions",
    "record_game",
    "replay",
    "shipped_editions",
    "states_from_observations",
    "verify",
    "winners",
]
__all__ += kernel.__all__
__all__.sort()
