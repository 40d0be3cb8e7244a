"""States of every game: their bytes, their arrays, and what seats can make of observations."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gonzaga_env import gonzaga
from gonzaga_env.kernel.errors import OptionError, StateError
from gonzaga_env.kernel.state import Origin
from tests.beside import EVERY_GAME
from tests.conftest import played
from tests.marks import nightly


@EVERY_GAME
def test_broken_bytes_are_refused(game: Any) -> None:
    state = game.Engine(2, 2).state
    data = state.to_bytes()
    magic, header, rest = data.split(b"\n", 2)
    assert game.State.from_bytes(data) == state
    assert game.State.from_bytes(data).origin == state.origin
    one = header.index(b"[2")  # the shape of the first array
    headers = (b"[]", b"[" * 9000, b"[" * 20_000, header.replace(b'"|u1"', b'"O"', 1))
    shapes = (b"[-2", b"[2.0", b"[99999999999999999999", b'["2"')
    for bad in (
        *(data[1:], data[:-1], data[:40], data + b"\0", b"", b"x" + data),
        *(b"\n".join((magic, bad, rest)) for bad in headers),
        *(b"\n".join((magic, header[:one] + bad + header[one + 2 :], rest)) for bad in shapes),
        data.replace(b'"|u1"', b'"(((("', 1),
        data.replace(b'"seed"', b'"sead"', 1),
        data.replace(magic, b"other-state-1", 1),
    ):
        with pytest.raises(StateError, match="not a state"):
            game.State.from_bytes(bad)
    for wrong in (None, "text", 3, [], memoryview(b"")):
        with pytest.raises(StateError, match="not a state: the bytes should start with"):
            game.State.from_bytes(wrong)


@EVERY_GAME
@pytest.mark.parametrize(
    "shape", [[2**62], [0, 2**62], [0, 10**40], [1] * 9, [0] * 70, [-1], [True], 2, None, {"2": 2}]
)
def test_impossible_shapes_are_refused_before_numpy_sees_them(game: Any, shape: object) -> None:
    """Some were an OverflowError."""
    start, header, rest = game.Engine(2, 2).state.to_bytes().split(b"\n", 2)
    described = json.loads(header)
    described["arrays"]["seed"][1] = shape
    with pytest.raises(StateError, match="not a state: "):
        game.State.from_bytes(b"\n".join((start, json.dumps(described).encode(), rest)))


@EVERY_GAME
def test_games_stand_together(game: Any) -> None:
    state = played(game.Engine(3, 2, seed=4), 30).state
    repeated = state.repeat(3)
    assert repeated.num_games == 9
    assert repeated == state.take(np.arange(9) // 3)
    repeated.seed[0] ^= np.uint64(1)
    assert (state.repeat(3).seed != repeated.seed).sum() == 1
    other = game.Engine(1, 3).state
    for wrong, says in (([state, other], "2 states of 2 shapes"), ([], "0 states")):
        with pytest.raises(StateError, match=says):
            game.State.concatenate(wrong)
    before = state.copy()
    with pytest.raises(StateError, match=r"one is needed|shape"):
        state.put(np.array([0]), other)
    with pytest.raises(StateError, match="rows are"):
        state.take(np.array([3]))
    assert state == before


@EVERY_GAME
def test_fields_keep_their_dtype_and_shape_and_are_named_where_they_do_not(game: Any) -> None:
    engine = played(game.Engine(2, 3, seed=1, autoreset=False), 60)
    fresh = game.Engine(2, 3).state
    for name, array in engine.state.arrays().items():
        right = getattr(fresh, name)
        assert (array.dtype, array.shape) == (right.dtype, right.shape), name
        for wrong in (array.astype(np.float32), array[:1]):
            state = engine.state.copy()
            setattr(state, name, wrong)
            with pytest.raises(StateError, match=rf"{name} is .*; it takes|not a state of"):
                engine.state = state


@EVERY_GAME
def test_arrays_without_games_are_refused(game: Any) -> None:
    """The fuzzer's: such bytes passed, and the state's length raised TypeError."""
    engine = game.Engine(1, 2)
    for shape in ((), (1, 1)):
        state = engine.state.copy()
        state.seed = state.seed.reshape(shape)
        refuse: list[Callable[[], Any]] = [lambda state=state: engine.set_state(state)]
        refuse += [lambda state=state: game.State.from_bytes(state.to_bytes())]
        for each in refuse:
            with pytest.raises(StateError, match=f"seed has {len(shape)} axes"):
                each()


@EVERY_GAME
def test_states_know_their_edition_and_options(game: Any) -> None:
    engine = played(game.Engine(4, 3), 20)
    samples = engine.resample(0, np.random.default_rng(0))
    for made in (engine.state, engine.state.copy(), engine.state.take(slice(0, 2)), samples):
        assert made.origin == Origin(engine.edition.digest, engine.rules)
    by_hand = engine.state.copy()
    by_hand.origin = None
    assert (
        game.Engine.from_state(engine.config, by_hand).state.to_bytes() == engine.state.to_bytes()
    )
    assert by_hand.origin is None


@EVERY_GAME
@pytest.mark.parametrize("copied", [True, False])
def test_an_engine_is_made_from_a_state_without_dealing(game: Any, copied: bool) -> None:
    engine = played(game.Engine(4, 3, seed=3), 23)
    state, before = engine.state.copy(), engine.state.copy()
    other = game.Engine.from_state(engine.config, state, copy=copied)
    assert (other.num_games, other.autoreset) == (4, True)
    played(other, 5)
    assert (state == before) == copied
    assert (other.state is state) != copied
    for _ in range(2):  # it goes back more than once
        other.set_state(before.copy(), copy=copied)
        assert played(other, 60, seed=9).state == played(engine.copy(), 60, seed=9).state


@EVERY_GAME
@pytest.mark.parametrize("num_players", [3, *nightly(2, 4)])
def test_any_seat_goes_on_from_what_it_sees(game: Any, num_players: int) -> None:
    """T12.1 to T12.3, S13.1: games of which some are further than others."""
    engine, rng = game.Engine(16, num_players, seed=1), np.random.default_rng(0)
    for step in range(150):
        rows = np.flatnonzero(rng.random(16) < 0.8)
        engine.step(engine.sample_legal(rng, rows), rows)
        if step % 5:
            continue
        for seat in (engine.seats, np.full(16, step % num_players)):
            seen, acts = engine.observe(seat), seat == engine.seats
            states = game.states_from_observations(engine.config, seen, rng, 2)
            other = game.Engine.from_state(engine.config, states)  # it checks them
            # Observations of the newer games do not say which seat made them: it becomes 0.
            own = seat.repeat(2) * (game is gonzaga)
            assert np.array_equal(other.observe(own), seen.repeat(2, axis=0))
            assert np.array_equal(other.seats == own, acts.repeat(2))
            drawn = game.Engine.from_state(engine.config, engine.resample(seat, rng))
            assert np.array_equal(drawn.observe(seat), seen)
            assert (drawn.num_legal() > 0).all()
            masks = engine.legal_action_mask()[acts]
            assert np.array_equal(drawn.legal_action_mask()[acts], masks)
            masks = masks.repeat(2, axis=0)
            assert np.array_equal(other.legal_action_mask()[acts.repeat(2)], masks)


@EVERY_GAME
def test_observations_that_cannot_go_on_are_refused(game: Any) -> None:
    config, rng = game.GameConfig(2), np.random.default_rng(0)
    seen = game.Engine.from_config(config, 2).observe()
    wrong: list[Any] = [seen[:, :-1], seen[0], seen.astype(np.float32), None, seen.tolist()]
    for observations in wrong:
        with pytest.raises(OptionError, match=r"observations are .* takes? a uint8 array"):
            game.states_from_observations(config, observations, rng)
    with pytest.raises(StateError, match="observation 0 shows"):
        game.states_from_observations(config, seen * 0, rng)
    with pytest.raises(OptionError, match="num_samples is 0"):
        game.states_from_observations(config, seen, rng, 0)
