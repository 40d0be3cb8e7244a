"""Cached observations always equal observations read from the state."""

import copy
import pickle

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.state import SOURCES
from tests.beside import Beside
from tests.conftest import played


def kept(engine: Engine) -> Engine:
    """Observes often enough for the engine to start caching."""
    for seat in (*range(engine.num_players), 0):
        engine.observe(seat)
    assert engine._observations is not None
    return engine


def check(engine: Engine) -> None:
    """Compares what is cached with what another engine reads."""
    other = Engine.from_state(engine.config, engine.state, check=False)
    for seat in range(engine.num_players):
        cached, read = engine.observe(seat), other.observe(seat)
        wrong = {f.name for f in engine.features if (cached[:, f.slice] != read[:, f.slice]).any()}
        assert not wrong
    assert np.array_equal(engine.observe().any(axis=1), ~engine.state.finished)


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


def test_the_cache_follows_steps_of_some_games_and_of_mixed_phases() -> None:
    engine = kept(Engine(16, 3, seed=9))
    rng = np.random.default_rng(1)
    for _ in range(150):
        rows = np.flatnonzero(rng.random(16) < 0.4)
        engine.step(engine.sample_legal(rng, rows), rows)
        check(engine)
    assert len(set(engine.state.round.tolist())) > 1


def test_the_cache_follows_deals_and_assigned_states() -> None:
    engine = played(kept(Engine(6, 2, seed=3)), 9)
    before = engine.state.copy()
    engine.reset(seed=[5, 6], rows=np.array([4, 1]))
    check(engine)
    engine.reset()
    check(engine)
    engine.state = before
    check(kept(engine))


@pytest.mark.parametrize(
    "twin",
    [Engine.copy, copy.copy, copy.deepcopy, lambda engine: pickle.loads(pickle.dumps(engine))],
)
def test_twins_look_at_their_own_games(twin) -> None:
    engine = kept(Engine(5, 3, seed=1))
    other = played(twin(engine), 12)
    for each in (engine, other, kept(other)):
        check(each)


def test_scores_are_shown_up_to_255() -> None:
    both = Beside(Engine(1, 3, seed=8))
    state = both.state.copy()
    state.scores[0, :, SOURCES.index("donations")] = 252, 255, 300
    both.set_state(state, check=False)  # no game has so many donations
    for one in (both.games[0].observation(1), both.observe(1)[0], kept(both).observe(1)[0]):
        assert both.features.view(one, "score").tolist() == [255, 255, 252]
    both.play(np.random.default_rng(0), 6)
    check(both)
