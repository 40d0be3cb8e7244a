"""Gonzaga as everything above the games takes it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.batch.engine import Engine
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.infos import GonzagaInfos
from gonzaga_env.core.records import RECORDS, Recorder, move_columns
from gonzaga_env.core.single.game import Game
from gonzaga_env.core.state.deals import check_deal
from gonzaga_env.core.state.from_observations import states_from_observations
from gonzaga_env.core.state.state import KINDS, PLAN
from gonzaga_env.core.view.game_log import log_lines
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.spec import GameParts, GameSpec


def _decks(game: Game) -> NDArray[np.uint8]:
    """Returns the decks of one game, seat by seat, fiefs 1 to 12 in order of drawing, [P * 12]."""
    return np.frombuffer(b"".join(game.position.decks), np.uint8) + np.uint8(1)


def _deck_features(config: GameConfig) -> FeatureTable:
    shape = config.num_players, NUM_FIEFS
    return FeatureTable([("decks", shape, NUM_FIEFS, "fiefs in order of drawing, from 1")])


SPEC = GameSpec(
    title="Gonzaga",
    kinds=KINDS,
    engine=Engine,
    check_deal=check_deal,
    recorder=Recorder,
    lines=log_lines,
    from_observations=states_from_observations,
    move_columns=move_columns,
    infos=GonzagaInfos(),
    sealed=(KINDS[PLAN],),
    hidden=_decks,
    hidden_features=_deck_features,
    parts=GameParts(
        agents={
            "greedy": "gonzaga_agents.gonzaga.greedy:GreedyAgent",
            "planner": "gonzaga_agents.gonzaga.planner:PlannerAgent",
            "search": "gonzaga_agents.gonzaga.search:SearchAgent",
            "learned": "gonzaga_agents.policies.learned:load_learned",
        },
        network="gonzaga_agents.gonzaga.network:InputReader",
        scene="gonzaga_agents.gonzaga.scene:scene",
        puzzles="gonzaga_agents.gonzaga.puzzles",
        pictures="gonzaga_env.render.gonzaga.pictures:PICTURES",
        table="gonzaga_table.gonzaga:TABLE",
        text="gonzaga_env.text.gonzaga:TEXT",
    ),
    **RECORDS.for_spec(),
)
