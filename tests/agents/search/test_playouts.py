"""Playouts: whole rounds in one batch, by legal moves."""

import numpy as np
import pytest
from gonzaga_agents.heuristics.gonzaga import PLANNED
from gonzaga_agents.search.gonzaga import Playouts

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.state import PLACE, PLAN
from tests.conftest import played


def started(config: GameConfig, num_steps: int) -> Engine:
    return played(Engine.from_config(config, 12, seed=9), num_steps, 9)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_plans_of_all_seats_are_legal_and_revealed_at_once(num_players: int) -> None:
    config, rng = GameConfig(num_players), np.random.default_rng(0)
    engine = started(config, 2 * num_players)
    playouts = Playouts(config, PLANNED, noise=3.0)
    plans = playouts.draw_plans(engine.state, rng)
    after = playouts.after_plans(engine.state.copy(), plans)
    for seat in range(num_players):  # the same, one after the other
        engine.step(plans[:, seat])
    assert after.state == engine.state
    assert (after.state.phase == PLACE).all()


def test_a_round_is_played_to_its_end_and_no_further() -> None:
    config, rng = GameConfig(3), np.random.default_rng(0)
    engine = started(config, 6 + 4)  # one of three seats has placed
    rounds = engine.state.round.copy()
    Playouts(config, PLANNED, 0.5).finish_round(engine, rng)
    assert (engine.state.phase == PLAN).all()
    assert (engine.state.num_acted == 0).all()
    assert (engine.state.round == rounds + 1).all()


@pytest.mark.parametrize(("num_rounds", "last"), [(1, 2), (3, 4), (NUM_FIEFS, NUM_FIEFS)])
def test_playouts_go_on_for_some_rounds_or_to_the_end(num_rounds: int, last: int) -> None:
    config, rng = GameConfig(3), np.random.default_rng(2)
    engine = started(config, 3)
    engine.autoreset = False
    played = Playouts(config, PLANNED, 0.5).play_rounds(engine, num_rounds, np.arange(12), rng)
    assert list(played) == list(range(1, num_rounds + 1))
    state = engine.state
    assert (state.finished | (state.round == last)).all()
    assert state.finished.all() == (num_rounds == NUM_FIEFS)
    assert ((state.phase == PLAN) | state.finished).all()


def test_games_of_one_deal_have_the_same_luck() -> None:
    """So equal positions stay equal, however much noise there is, and those of other deals not."""
    config, rng = GameConfig(3), np.random.default_rng(2)
    one = started(config, 3).state.take(np.zeros(12, dtype=np.int64))
    engine = Engine.from_state(config, one, autoreset=False)
    deals = np.arange(12) // 4
    for _ in Playouts(config, PLANNED, 5.0).play_rounds(engine, 3, deals, rng):
        pass
    totals = engine.state.totals.reshape(3, 4, -1)
    assert (totals == totals[:, :1]).all()
    assert (totals[0] != totals[1]).any()


def test_without_noise_the_best_plan_is_drawn() -> None:
    config = GameConfig(4)
    engine, playouts = started(config, 8), Playouts(config, PLANNED, 0.0)
    games, seats = np.arange(12), np.zeros(12, dtype=np.int64)
    scores = playouts.heuristic.legal_plans(engine.state, games, seats)
    plans = playouts.draw_plans(engine.state, np.random.default_rng(0))
    np.testing.assert_array_equal(plans[:, 0], scores.argmax(axis=1))
    rows, actions = engine.legal_actions()
    legal = np.zeros(scores.shape, dtype=np.bool_)
    legal[rows, actions] = True
    np.testing.assert_array_equal(scores > -np.inf, legal)
