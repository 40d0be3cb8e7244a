"""What greedy and planner think actions of Signorie are worth."""

import numpy as np
import pytest
from gonzaga_agents import make_agent
from gonzaga_agents.heuristics.signorie import Values, Weights
from gonzaga_agents.heuristics.signorie_view import SeatView

from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.constants import MAIN, MARRIAGE, MISSION, PAY, WED
from tests.agents.mixed import decisions


def played(name: str, num_players: int) -> tuple[Engine, np.ndarray, np.ndarray]:
    """Returns positions, what seats see there, and the texts of what an agent plays."""
    engine = decisions("signorie", num_players)
    agent, seen = make_agent(name, engine.config), engine.observe()
    actions = agent.act(seen, engine.legal_action_mask(), np.random.default_rng(0))
    return engine, seen, np.array([engine.actions.to_text(action) for action in actions])


def test_greedy_takes_the_points_there_are() -> None:
    engine, _, texts = played("greedy", 2)
    masks = engine.legal_action_mask()
    vp, codec = np.array(engine.config.edition.slot_vp), engine.actions
    missions = np.flatnonzero(engine.kinds == MISSION)
    for row in missions:
        slots = np.flatnonzero(masks[row, codec.mission]) // 5 % len(vp)
        assert vp[int(texts[row].split()[2]) - 1] >= vp[slots].max() - 6  # a tile is worth some
    for row in np.flatnonzero(engine.kinds == MARRIAGE):
        dowries = np.flatnonzero(masks[row, codec.marry]) % 4 + 1
        assert int(texts[row].split()[2]) == dowries.max()
    assert set(texts[engine.kinds == WED]) == {"wed"}
    assert len(missions) > 3


@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_the_last_florins_are_paid_for_points(name: str) -> None:
    engine, _, texts = played(name, 2)
    paying = (engine.kinds == PAY) & (engine.state.round == 7)
    assert set(texts[paying]) <= {"pay"}


def test_nothing_that_comes_too_late_is_worth_anything() -> None:
    engine = decisions("signorie", 2)
    seat = SeatView(engine.config, engine.observe())
    values = Values(seat, Weights(criterion=0.0))
    last = (seat.kind == MAIN) & (seat.round == 7) & (seat.dice_left == 1)
    assert last.any()
    assert not values.meeples[last].any()
    assert (values.future[last] <= 0).all()
    early = (seat.kind == MAIN) & (seat.round == 1)
    assert (values.future[early].max(axis=(1, 2)) > 3).all()


def test_dice_above_the_threshold_cost_the_reward() -> None:
    engine = decisions("signorie", 2)
    seat = SeatView(engine.config, engine.observe())
    values = Values(seat, Weights())
    dice = np.arange(1, 7)
    assert (np.diff(values.prizes, axis=1) <= 0).all()
    assert not values.prizes[dice > seat.slack[:, None]].any()
    early = (seat.kind == MAIN) & (seat.round <= 5) & (seat.slack >= 6)
    assert (values.prizes[early, 0] > 0).all()


def test_missing_shields_say_which_tiles_rows_take() -> None:
    engine = decisions("signorie", 3)
    state, rows = engine.state, np.arange(256)
    offered = SeatView(engine.config, engine.observe()).offered
    shields = np.array(engine.config.edition.shields)[state.boards[rows, engine.seats]]
    missing = shields - state.held[rows, engine.seats]
    for row, line, city in np.ndindex(256, 4, 5):
        tile = state.city_tiles[row, city, int(line < 3)]
        wanted = tile < 24 and missing[row, line, tile // 4] > 0
        assert offered[row, line, city] == (tile % 4 + 2 if wanted else 0)
