"""The agent "search" of Signorie."""

from __future__ import annotations

from pathlib import Path

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.spec import SPEC

from ..heuristics.signorie import PlannerAgent
from ..heuristics.signorie_value import features
from .turns import TurnGame, TurnSearch


class SearchAgent(TurnSearch):
    """Searches dice and what they lead to; single points and rows are the guide's."""

    game = TurnGame(
        spec=SPEC,
        planner=PlannerAgent,
        searched=(c.MAIN, c.SPEND, c.MISSION, c.MARRIAGE, c.REWARD, c.FREE_HELPER),
        features=features,
        weights=Path(__file__).parents[1] / "values" / "signorie.npz",
        short_playouts=True,
    )
