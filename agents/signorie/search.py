"""The agent "search" of Signorie."""

from __future__ import annotations

from pathlib import Path

from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.constants import FREE_HELPER, MAIN, MARRIAGE, MISSION, REWARD, SPEND
from gonzaga_env.signorie.state.from_observations import states_from_observations

from ..search.turns import TurnGame, TurnSearch
from .agents import PlannerAgent
from .value import features


class SearchAgent(TurnSearch):
    """Searches dice and what they lead to; single points and rows are the guide's."""

    game = TurnGame(
        config=GameConfig,
        engine=Engine,
        draw=states_from_observations,
        planner=PlannerAgent,
        searched=(MAIN, SPEND, MISSION, MARRIAGE, REWARD, FREE_HELPER),
        features=features,
        weights=Path(__file__).parent / "value.npz",
        short=True,
    )
