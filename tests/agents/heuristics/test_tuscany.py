"""What greedy and planner think actions of The Castles of Tuscany are worth."""

import numpy as np
from gonzaga_agents import make_agent
from gonzaga_agents.heuristics.tuscany import Values, Weights, score_actions
from gonzaga_agents.heuristics.tuscany_view import SeatView
from gonzaga_agents.play.evaluate import play_match

from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import (
    BONUS_MARBLE,
    BONUS_STORAGE,
    BONUS_WORKER,
    CASTLE_CROP,
    CROP,
    CROPS,
    PAYMENT,
    STARTING_BONUS,
    TILE_KINDS,
    WAGON,
)
from tests.agents.mixed import decisions
from tests.conftest import played

#: The crops that each kind of agriculture shows, [10, 4].
SHOWN = np.array([[crop in kind[1:] for crop in CROPS] for kind in TILE_KINDS if kind[0] == "A"])


def test_payments_cost_more_the_more_they_take() -> None:
    engine = decisions("tuscany", 3)
    seat = SeatView(engine.config, engine.observe())
    scores = score_actions(seat, Weights())
    paying = (seat.kind == PAYMENT) & (engine.num_legal() > 1)
    assert paying.any()
    own, pairs = (
        engine.actions.parse(f"pay {units}") for units in ("own+own", "VV+VV")
    )  # two cards, or four
    hold = paying & engine.legal_action_mask()[:, [own, pairs]].all(axis=1)
    assert (scores[hold, own] > scores[hold, pairs]).all()


def test_bonus_tiles_are_worth_what_the_options_let_them_bring() -> None:
    """T8.6, T9.3, B4, B5, T7.2."""
    engine = played(Engine(256, 3, seed=5), 160)
    usual, tiles, setup = (
        Values(SeatView(GameConfig(3, rules=rules), engine.observe()), Weights())
        for rules in ("rulebook", "bonus_gains=tiles", "storage_points=setup")
    )
    wagons = usual.seat.to_cover[:, WAGON] > 0
    held = usual.seat.bonus[:, [BONUS_MARBLE, BONUS_WORKER]].any(axis=1)
    assert 0 < held.sum() < wagons.sum() < 256
    for kind in (BONUS_MARBLE, BONUS_WORKER):
        assert ((usual.bonus[:, kind] > tiles.bonus[:, kind]) == wagons).all()
    assert ((usual.yield_card > tiles.yield_card) == held).all()
    lost = (usual.bonus - setup.bonus)[:, BONUS_STORAGE]
    assert np.allclose(lost, 2 * usual.seat.left)
    start = SeatView(setup.seat.config, played(Engine(256, 3, seed=5), 6).observe())
    assert (start.kind == STARTING_BONUS).all()
    assert (Values(start, Weights()).bonus[:, BONUS_STORAGE] > 6).all()


def test_greedy_places_the_crops_that_score_most() -> None:
    config = GameConfig(2)
    agent = make_agent("greedy", config)
    engine, rng, found = Engine(512, 2, seed=9), np.random.default_rng(3), 0
    for _ in range(170):
        rows = np.flatnonzero(np.isin(engine.kinds, (CROP, CASTLE_CROP)))
        if len(rows):
            seen, masks = engine.observe(rows=rows), engine.legal_action_mask(rows)
            seat = SeatView(config, seen)
            chosen = agent.act(seen, masks, rng) - engine.actions.crop.start
            new = ~seat.zone_crops[np.arange(len(rows)), seat.cell]  # [M, 4]
            gains = new.astype(int) @ SHOWN.T
            best = np.where(masks[:, engine.actions.crop], gains, -1).max(axis=1)
            assert (gains[np.arange(len(rows)), chosen] == best).all()
            found += len(rows)
        engine.step(engine.sample_legal(rng))
    assert found > 20


def test_greedy_replaces_what_it_cannot_place() -> None:
    config = GameConfig(4)
    match = play_match(config, [make_agent("greedy", config)], [0] * 4, num_deals=6, seed=3)
    assert (match.rounds == 3).all()  # nobody runs into the limit of laps
    assert match.totals.mean() > 50
