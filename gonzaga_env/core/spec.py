"""Gonzaga as everything above the games takes it."""

from __future__ import annotations

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.board.actions import ACTIONS_VERSION
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import MAX_PLAYERS, MIN_PLAYERS
from gonzaga_env.core.records import Recorder, positions, record_game, replay, verify
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.state.features import OBSERVATIONS_VERSION
from gonzaga_env.core.state.state import KINDS, SOURCES
from gonzaga_env.tabletop.spec import GameSpec

SPEC = GameSpec(
    name=GameConfig.game,
    title="Gonzaga",
    players=tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1)),
    kinds=KINDS,
    sources=SOURCES,
    config=GameConfig,
    engine=Engine,
    game=Game,
    versions={"actions": ACTIONS_VERSION, "observations": OBSERVATIONS_VERSION},
    recorder=Recorder,
    record=record_game,
    replay=replay,
    positions=positions,
    verify=verify,
)
