"""Features of positions between rounds, against the slow way of counting."""

from typing import Any

import numpy as np
import pytest
from gonzaga_agents.heuristics.gonzaga_features import NUM_OWN, NUM_SHARED, FeatureReader

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.state import State
from tests.conftest import played


def between_rounds(config: GameConfig, num_games: int = 6, rounds: int = 5) -> State:
    """Returns games after some rounds of random play."""
    engine = Engine.from_config(config, num_games, seed=4)
    return played(engine, 2 * config.num_players * rounds, 4).state


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_shapes_and_scales(num_players: int) -> None:
    config = GameConfig(num_players)
    own, shared = FeatureReader(config.tables, config.rules).read(between_rounds(config))
    assert own.shape == (6, num_players, NUM_OWN)
    assert shared.shape == (6, NUM_SHARED)
    assert own.dtype == shared.dtype == np.float32
    for features in (own, shared):
        assert np.isfinite(features).all()
        assert np.abs(features).max() < 4


def test_rows_do_not_depend_on_each_other() -> None:
    config = GameConfig(3)
    state, reader = between_rounds(config), FeatureReader(config.tables, config.rules)
    own, shared = reader.read(state)
    for game in range(state.num_games):
        one_own, one_shared = reader.read(state.take(slice(game, game + 1)))
        np.testing.assert_array_equal(one_own[0], own[game])
        np.testing.assert_array_equal(one_shared[0], shared[game])


@pytest.mark.parametrize("sea_league", ["each_player", "first_only"])
def test_leagues_in_reach_are_counted_as_a_person_would(sea_league: Any) -> None:
    config = GameConfig(3, rules=Rules(sea_league))
    state, tables = between_rounds(config, 12, 7), config.tables
    own, _ = FeatureReader(tables, config.rules).read(state)
    taken = (state.piece[:, :, :-1] > 0).any(axis=1)
    for game, seat in np.ndindex(12, 3):
        by_missing = {1: 0, 2: 0, 3: 0}
        for sea in range(6):
            free = int((~taken[game] & (tables.harbor_sea[:-1] == sea)).sum())
            held = int(state.sea_harbors[game, seat, sea])
            others = [seat] if sea_league == "each_player" else range(3)
            if held < 3 and held + free >= 3 and not state.leagues[game, others, sea].any():
                by_missing[3 - held] += 1
        counted = own[game, seat, 5:8] * 3
        np.testing.assert_allclose(counted, list(by_missing.values()), atol=1e-6)


def test_best_placements_left_are_found_by_looking_at_every_one() -> None:
    config = GameConfig(2)
    state, tables = between_rounds(config, 2, 6), config.tables
    own, _ = FeatureReader(tables, config.rules).read(state)
    placements, num_hexes = tables.placements, tables.num_hexes
    taken = np.append((state.piece[0, :, :-1] > 0).any(axis=0), False)
    points = tables.points[state.scenario[0]].sum(axis=1)
    fiefs = state.deck[0, 0, state.round[0] - 1 :].tolist()
    found = np.zeros(9)
    for fief in fiefs:
        rows = np.arange(fief * 6 * num_hexes, (fief + 1) * 6 * num_hexes)
        # Rings of both players are few and lie in `taken` too; fiefs alone block here.
        rows = rows[placements.fault[rows] == PlacementFault.NONE]
        fief_hexes = np.append((state.piece[0, :, :-1] > 0).any(axis=0), False)
        ring_hexes = np.zeros_like(taken)
        ring_hexes[state.ring_cells[0].ravel()] = True
        blocking = fief_hexes & ~(ring_hexes & (state.piece[0] > 12).any(axis=0))
        rows = rows[~blocking[placements.cells[rows]].any(axis=1)]
        harbors, cities = tables.num_harbors[rows] > 0, tables.num_cities[rows] > 0
        kinds = [harbors & ~cities, cities & ~harbors, harbors & cities]
        for tier, least in enumerate((3, 6, 9)):
            for kind, mask in enumerate(kinds):
                found[tier * 3 + kind] += (mask & (points[rows] >= least)).any()
    np.testing.assert_allclose(own[0, 0, 23:32], found / len(fiefs), atol=1e-6)
