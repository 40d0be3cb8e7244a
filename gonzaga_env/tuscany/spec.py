"""The Castles of Tuscany as everything above the games takes it."""

from __future__ import annotations

from gonzaga_env.tabletop.spec import GameParts, GameSpec
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.constants import KINDS, RED
from gonzaga_env.tuscany.records import RECORDS, Recorder, move_columns
from gonzaga_env.tuscany.state.deals import check_deal
from gonzaga_env.tuscany.state.from_observations import states_from_observations
from gonzaga_env.tuscany.view.game_log import log_lines

SPEC = GameSpec(
    title="The Castles of Tuscany",
    kinds=KINDS,
    counted=RED,
    engine=Engine,
    check_deal=check_deal,
    recorder=Recorder,
    lines=log_lines,
    from_observations=states_from_observations,
    move_columns=move_columns,
    parts=GameParts(
        agents={
            "greedy": "gonzaga_agents.tuscany.agents:GreedyAgent",
            "planner": "gonzaga_agents.tuscany.agents:PlannerAgent",
            "search": "gonzaga_agents.tuscany.search:SearchAgent",
            "learned": "gonzaga_agents.policies.learned:load_learned",
        },
        network="gonzaga_agents.tuscany.network:InputReader",
        scene="gonzaga_agents.tuscany.scene:scene",
        puzzles="gonzaga_agents.analysis.turns:TUSCANY",
        pictures="gonzaga_env.render.tuscany.pictures:PICTURES",
        table="gonzaga_table.tuscany:TABLE",
        text="gonzaga_env.text.tuscany:TEXT",
    ),
    **RECORDS.for_spec(),
)
