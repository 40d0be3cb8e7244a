"""Sites: every feature against a naive computation from the oracle's sets of hexes."""

import numpy as np
import pytest
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.gonzaga.network.sites import SITE_FEATURES

from gonzaga_env.core import GameConfig, Rules
from gonzaga_env.core.state.state import PLACE, PLAN
from tests.agents.network.naive import RULES, Onlooker, games_beside_oracles, row_of, sites

ATTENTION = SITE_FEATURES.index("attention")


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("rules", RULES)
def test_every_feature_equals_the_naive_one(num_players: int, rules: Rules) -> None:
    config = GameConfig(num_players, rules=rules)
    reader, games, phases = InputReader(config), np.arange(3), set()
    used = np.zeros(len(SITE_FEATURES), dtype=np.bool_)
    for engine, oracles in games_beside_oracles(config, 3, every=5):
        phases.add(int(engine.state.phase[0]))
        seats = engine.seats
        found = reader.read(
            engine.state, engine.observe(), games, seats, *engine.legal_actions()
        ).sites
        used |= (found != 0).any(axis=(0, 1))
        if engine.state.phase[0] == PLAN:
            found[..., ATTENTION] = 0  # see the test of rivals
        for game, oracle in enumerate(oracles):
            seen = Onlooker(oracle, int(seats[game]))
            for number, cell in enumerate(sites()):
                wanted = row_of(seen.site(cell), SITE_FEATURES)
                names = [
                    SITE_FEATURES[i]
                    for i in np.flatnonzero(abs(found[game, number] - wanted) > 1e-5)
                ]
                assert not names, (cell, oracle.round, oracle.phase, names)
    assert phases == {PLAN, PLACE}
    rare = {"locked_for_others"} if num_players == 2 else set()
    assert {name for name, seen in zip(SITE_FEATURES, used, strict=True) if not seen} <= rare
