"""The rules of Gonzaga on numpy arrays: no environment API, no drawing, no global randomness."""

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.batch.scoring import winners
from gonzaga_env.core.board.notation import ActionCodec
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.editions.edition import Edition
from gonzaga_env.core.editions.loading import load_edition, shipped_editions
from gonzaga_env.core.options import Rules
from gonzaga_env.core.records import (
    Recorder,
    positions,
    read_records,
    replay,
    write_records,
)
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.state.deals import Deal
from gonzaga_env.core.state.features import FeatureTable
from gonzaga_env.core.state.from_observations import states_from_observations
from gonzaga_env.core.state.state import State
from gonzaga_env.core.view.game_view import GameView
from gonzaga_env.tabletop.errors import (
    ActionError,
    EditionError,
    GameError,
    IllegalActionError,
    MissingPackageError,
    OptionError,
    RecordError,
    StateError,
)
from gonzaga_env.tabletop.result import StepResult

GonzagaError = GameError  # the name that users have

__all__ = [
    "ActionCodec",
    "ActionError",
    "Deal",
    "Edition",
    "EditionError",
    "Engine",
    "FeatureTable",
    "Game",
    "GameConfig",
    "GameView",
    "GonzagaError",
    "IllegalActionError",
    "MissingPackageError",
    "OptionError",
    "RecordError",
    "Recorder",
    "Rules",
    "State",
    "StateError",
    "StepResult",
    "load_edition",
    "positions",
    "read_records",
    "replay",
    "shipped_editions",
    "states_from_observations",
    "winners",
    "write_records",
]
