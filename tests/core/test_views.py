"""Observations that are kept up to date: always what reading the state anew gives."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.observation import observe
from gonzaga_env.core.rules import Rules


def kept(engine: Engine) -> Engine:
    """Looks so often that the engine begins to keep its views."""
    for seat in (*range(engine.num_players), 0):
        engine.observe(seat)
    return engine


def read_anew(engine: Engine, seat: int) -> np.ndarray:
    seats = np.full(engine.num_games, seat)
    return observe(engine.tables, engine.features, engine.state, np.arange(len(seats)), seats)


def check(engine: Engine) -> None:
    for seat in range(engine.num_players):
        views, anew = engine.observe(seat), read_anew(engine, seat)
        wrong = {f.name for f in engine.features if (views[:, f.slice] != anew[:, f.slice]).any()}
        assert not wrong


@pytest.mark.parametrize("autoreset", [True, False])
@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("league", ["each_player", "first_only"])
def test_views_are_what_the_state_says(league: str, num_players: int, autoreset: bool) -> None:
    rules = Rules(sea_league=league, first_check_round=1)
    engine = kept(Engine(24, num_players, rules=rules, seed=num_players, autoreset=autoreset))
    rng, num_ended = np.random.default_rng(0), 0
    for _ in range(30 * num_players):
        check(engine)
        num_ended += engine.step(engine.sample_legal(rng)).finished.sum()
    check(engine)
    assert num_ended >= 24


def test_views_follow_steps_of_some_games_and_of_mixed_phases() -> None:
    engine = kept(Engine(16, 3, seed=9))
    rng = np.random.default_rng(1)
    for _ in range(150):
        rows = np.flatnonzero(rng.random(16) < 0.4)
        engine.step(engine.sample_legal(rng, rows), rows)
        check(engine)
    assert len(set(engine.state.round.tolist())) > 1


def test_views_follow_what_is_dealt_and_what_is_assigned() -> None:
    engine = kept(Engine(6, 2, seed=3))
    rng = np.random.default_rng(2)
    for _ in range(9):
        engine.step(engine.sample_legal(rng))
    before = engine.state.copy()
    engine.reset(seed=[5, 6], rows=np.array([4, 1]))
    check(engine)
    engine.reset()
    check(engine)
    engine.state = before
    check(kept(engine))


@pytest.mark.parametrize(
    "twin", [Engine.copy, copy.deepcopy, lambda engine: pickle.loads(pickle.dumps(engine))]
)
def test_twins_look_at_their_own_games(twin) -> None:
    engine = kept(Engine(5, 3, seed=1))
    rng = np.random.default_rng(3)
    other = twin(engine)
    for _ in range(12):
        other.step(other.sample_legal(rng))
    check(engine)
    check(other)
    check(kept(other))


def test_what_was_returned_is_the_askers_own() -> None:
    engine = kept(Engine(3, 2))
    engine.observe()[:] = 255
    check(engine)
