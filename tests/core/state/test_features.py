"""Observations: the table of features, hidden information, resampling."""

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NO_PLAN, NUM_PLANS
from gonzaga_env.core.state import PLACE, State, current_fiefs, open_sites
from tests.conftest import played

POSITIONS = [(p, steps) for p in (2, 3, 4) for steps in (0, 1, p - 1, p, p + 1, 9 * p - 1, 15 * p)]


@pytest.mark.parametrize(("num_players", "steps"), POSITIONS)
def test_features_agree_with_the_state(num_players: int, steps: int) -> None:
    engine = played(Engine(6, num_players, seed=steps), steps)
    for seat in range(num_players):
        observations = engine.observe(seat)
        for game in range(6):
            seen = {
                f.name: engine.features.view(observations, f.name)[game] for f in engine.features
            }
            check_features(engine, engine.state, game, seat, seen)


def check_features(
    engine: Engine, state: State, game: int, seat: int, seen: dict[str, np.ndarray]
) -> None:
    """Compares one observation with the state, player by player, the slow way."""
    tables, h, p = engine.tables, engine.tables.num_hexes, engine.num_players
    scenario, placing = state.scenario[game], state.phase[game] == PLACE
    own = bits.unpack(state.fiefs[game, seat], h) == 1
    own |= bits.unpack(state.rings[game, seat], h) == 1
    assert (seen["value"] == np.where(own, 0, tables.site_value[scenario, :-1])).all()
    objective = state.objective[game, seat]
    assert (seen["objective"] == bits.unpack(tables.objective_bits[objective], h)).all()
    names = [tables.edition.symbols[i] for i in np.flatnonzero(seen["symbols"])]
    assert set(names) == set(tables.edition.objectives[objective])
    for name in ("phase", "round", "last_round", "num_acted"):
        assert seen[name][0] == getattr(state, name)[game]
    assert seen["open_sites"][0] == open_sites(tables, state)[game]
    flourish = [tables.edition.regions[m] for m in tables.edition.regions]
    flourish = [name for name, flag in zip(flourish, seen["flourishing"], strict=True) if flag]
    assert set(flourish) == set(tables.edition.scenarios[scenario].flourishing)
    assert np.flatnonzero(seen["seat"]).tolist() == [seat]
    for i in range(p):
        other = (seat + i) % p
        shown = state.round[game] - 1
        assert (seen["fiefs"][i] == bits.unpack(state.fiefs[game, other], h)).all()
        assert (seen["rings"][i] == bits.unpack(state.rings[game, other], h)).all()
        assert np.flatnonzero(seen["fief"][i]).tolist() == [state.deck[game, other, shown]]
        to_come = sorted(state.deck[game, other, shown + 1 :].tolist())
        assert np.flatnonzero(seen["deck"][i]).tolist() == to_come
        assert seen["previous_plan"][i].tolist() == cards(state.previous_plan[game, other])
        visible = placing or other == seat
        assert seen["plan"][i].tolist() == cards(state.plan[game, other] if visible else NO_PLAN)
        place = state.order[game].tolist().index(other) + 1 if placing else 0
        assert seen["order"][i] == place
        assert seen["ring_stock"][i] == state.ring_stock[game, other]
        assert seen["score"][i] == state.scores[game, other].sum()
        assert (seen["sea_harbors"][i] == state.sea_harbors[game, other]).all()
        assert (seen["leagues"][i] == state.leagues[game, other]).all()
        assert seen["largest_group"][i] == state.largest_group[game, other]


def cards(plan: int) -> list[int]:
    """Returns regions, actions and privilege of a plan as 0 and 1, the slow way."""
    shown = [0] * 11
    if plan != NO_PLAN:
        shown[plan // 6] = shown[7 + plan // 2 % 3] = 1
        shown[10] = int(plan % 2)
    return shown


def test_normalised_features_are_about_zero_to_one() -> None:
    engine = played(Engine(50, 4), 70)
    observations = engine.observe()
    scaled = engine.features.normalise(observations)
    assert scaled.dtype == np.float32
    assert scaled.min() == 0
    assert scaled.max() <= 2.0
    feature = engine.features["ring_stock"]
    assert np.allclose(scaled[:, feature.slice] * 6, observations[:, feature.slice])


@pytest.mark.parametrize("num_players", [2, 4])
def test_value_is_what_every_legal_placement_scores(num_players: int) -> None:
    engine = Engine(40, num_players, seed=3)
    tables, rng = engine.tables, np.random.default_rng(0)
    under_rings = 0
    for _ in range(20 * num_players):
        value = engine.features.view(engine.observe(), "value")
        value = np.pad(value, ((0, 0), (0, 1)))
        actions = engine.sample_legal(rng)
        spatial = (actions >= NUM_PLANS) & (actions < engine.actions.donate)
        fiefs = current_fiefs(engine.state)[np.arange(40), engine.seats]
        rows = tables.placements.row(fiefs, np.where(spatial, actions - NUM_PLANS, 0))
        cells = tables.placements.cells[rows]
        worth = value[np.arange(40)[:, None], cells].sum(axis=1)
        scored = tables.points[engine.state.scenario, rows].sum(axis=1)
        assert (worth == scored)[spatial].all()
        rings = np.bitwise_or.reduce(engine.state.rings, axis=1)
        under_rings += (tables.placements.bits[rows] & rings).any(axis=1)[spatial].sum()
        engine.step(actions)
    assert under_rings > 10  # fiefs under rings of others were among them (R5.5)
