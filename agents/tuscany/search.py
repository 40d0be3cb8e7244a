"""The agent "search" of The Castles of Tuscany."""

from __future__ import annotations

from pathlib import Path

from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import CASTLE_TILE, CITY_BONUS, MAIN, MARBLE
from gonzaga_env.tuscany.state.from_observations import states_from_observations

from ..search.turns import TurnGame, TurnSearch
from .agents import PlannerAgent
from .value import features


class SearchAgent(TurnSearch):
    """Searches turns; setup, payments and other decisions of little weight are the guide's."""

    game = TurnGame(
        config=GameConfig,
        engine=Engine,
        draw=states_from_observations,
        planner=PlannerAgent,
        searched=(MAIN, CITY_BONUS, CASTLE_TILE, MARBLE),
        features=features,
        weights=Path(__file__).parent / "value.npz",
    )
