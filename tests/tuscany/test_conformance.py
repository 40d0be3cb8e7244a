"""The Castles of Tuscany passes the suite of all games."""

import pytest

from gonzaga_env.tabletop.conformance import CHECKS, Check
from gonzaga_env.tuscany import GameConfig, Options
from gonzaga_env.tuscany.spec import SPEC

CONFIGS = [
    GameConfig(2),
    GameConfig(3, rules=Options(3, "lap", "lap_then_one", "ranked", "tiles", "setup", True)),
    GameConfig(4, rules={"max_laps": 12}),  # games are cut off
]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: f"{config.num_players} players")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_tuscany_conforms(check: Check, config: GameConfig) -> None:
    check(SPEC, config, config.num_players)
