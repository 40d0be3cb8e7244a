"""Signorie as everything above the games takes it."""

from __future__ import annotations

from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.constants import KINDS
from gonzaga_env.signorie.records import RECORDS, Recorder, move_columns
from gonzaga_env.signorie.state.check import check_deal
from gonzaga_env.signorie.state.from_observations import states_from_observations
from gonzaga_env.signorie.view.game_log import log_lines
from gonzaga_env.tabletop.spec import GameParts, GameSpec

SPEC = GameSpec(
    title="Signorie",
    kinds=KINDS,
    engine=Engine,
    check_deal=check_deal,
    recorder=Recorder,
    lines=log_lines,
    from_observations=states_from_observations,
    move_columns=move_columns,
    parts=GameParts(
        agents={
            "greedy": "gonzaga_agents.signorie.agents:GreedyAgent",
            "planner": "gonzaga_agents.signorie.agents:PlannerAgent",
            "search": "gonzaga_agents.signorie.search:SearchAgent",
            "learned": "gonzaga_agents.policies.learned:load_learned",
        },
        network="gonzaga_agents.signorie.network:InputReader",
        scene="gonzaga_agents.signorie.scene:scene",
        puzzles="gonzaga_agents.analysis.turns:SIGNORIE",
        pictures="gonzaga_env.render.signorie.pictures:PICTURES",
        table="gonzaga_table.signorie:TABLE",
        text="gonzaga_env.text.signorie:TEXT",
    ),
    slow_batch=2,
    **RECORDS.for_spec(),
)
