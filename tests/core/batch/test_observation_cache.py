"""Cached observations always equal observations read from the state."""

import copy
import pickle

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.batch.observations import observe
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.state import SOURCES
from gonzaga_env.tabletop.errors import OptionError
from tests.conftest import played
from tests.core.game_batch import GameBatch


def kept(engine: Engine) -> Engine:
    """Observes often enough for the engine to start caching."""
    for seat in (*range(engine.num_players), 0):
        engine.observe(seat)
    assert engine._observations is not None
    return engine


def read_from_state(engine: Engine, seat: int) -> np.ndarray:
    seats = np.full(engine.num_games, seat)
    return observe(engine.tables, engine.features, engine.state, np.arange(len(seats)), seats)


def check(engine: Engine) -> None:
    for seat in range(engine.num_players):
        cached, read = engine.observe(seat), read_from_state(engine, seat)
        wrong = {f.name for f in engine.features if (cached[:, f.slice] != read[:, f.slice]).any()}
        assert not wrong
    over = engine.state.finished
    assert not engine.observe()[over].any()
    assert engine.observe()[~over].any(axis=1).all()


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
    check(engine)
    check(other)
    check(kept(other))


def test_scores_are_shown_up_to_255() -> None:
    engine, game = Engine(1, 3, seed=8), GameBatch(1, 3, seed=8)
    state = engine.state.copy()
    state.scores[0, :, SOURCES.index("donations")] = 252, 255, 300
    for one in (engine, game):
        one.set_state(state, check=False)  # no game has so many donations
    for asked in (engine.observe(1)[0], game.observe(1)[0], kept(engine).observe(1)[0]):
        assert engine.features.view(asked, "score").tolist() == [255, 255, 252]
    rng = np.random.default_rng(0)
    for _ in range(6):
        actions = engine.sample_legal(rng)
        engine.step(actions)
        game.step(actions)
    check(engine)
    assert (engine.observe(2) == game.observe(2)).all()


@pytest.mark.parametrize("looks", [0, 9])
def test_outputs_may_be_parts_of_other_arrays_and_of_other_dtypes(looks: int) -> None:
    engine = played(Engine(5, 2, seed=4), 6)
    for _ in range(looks):
        engine.observe()
    for columns, ask in (
        (engine.actions.size, engine.legal_action_mask),
        (engine.features.size, engine.observe),
    ):
        asked = ask()
        assert asked.any()
        for dtype in (np.uint8, np.bool_ if asked.dtype == np.bool_ else np.float32):
            wide = np.full((5, columns + 3), 1, dtype=dtype)
            part = wide[:, 1:-2]
            assert ask(out=part) is part
            assert (part == asked).all()
            assert wide[:, [0, -2, -1]].all()
        for shape in ((5, columns + 1), (4, columns), (columns,)):
            with pytest.raises(OptionError, match="out has shape"):
                ask(out=np.zeros(shape, dtype=asked.dtype))


def test_earlier_results_do_not_change() -> None:
    engine = Engine(4, 2, seed=5)
    result = engine.step(engine.sample_legal(np.random.default_rng(6)))
    seats = result.seats.copy()
    played(engine, 5)
    assert (result.seats == seats).all()


def test_results_can_be_changed_by_the_caller() -> None:
    engine = kept(Engine(3, 2))
    engine.observe()[:] = 255
    check(engine)
