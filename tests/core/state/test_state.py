"""State: dtypes and shapes, copies, bytes, pickles."""

import json

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.state.state import State
from gonzaga_env.tabletop.errors import OptionError, StateError
from tests.conftest import played

SHAPES = {
    "seed": ("N", np.uint64),
    "episode": ("N", np.uint32),
    "scenario": ("N", np.uint8),
    "objective": ("NP", np.uint8),
    "deck": ("NPf", np.uint8),
    "round": ("N", np.uint8),
    "phase": ("N", np.uint8),
    "num_acted": ("N", np.uint8),
    "last_round": ("N", np.bool_),
    "finished": ("N", np.bool_),
    "plan": ("NP", np.uint8),
    "previous_plan": ("NP", np.uint8),
    "order": ("NP", np.uint8),
    "ring_stock": ("NP", np.uint8),
    "fiefs": ("NPW", np.uint64),
    "rings": ("NPW", np.uint64),
    "sea_harbors": ("NPs", np.uint8),
    "leagues": ("NPs", np.bool_),
    "scores": ("NPs", np.int16),
    "blocked": ("NfF", np.uint64),
    "ring_blocked": ("NPR", np.uint64),
    "ring_cells": ("NPs", np.uint16),
    "piece": ("NPH", np.uint8),
    "group": ("NPg", np.uint32),
    "largest_group": ("NP", np.uint8),
}


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_every_field_keeps_its_dtype_and_shape(num_players: int) -> None:
    engine = played(Engine(5, num_players), 30)
    placements = engine.tables.placements
    sizes = {
        "N": 5, "P": num_players, "f": 12, "s": 6, "g": 18, "H": engine.tables.num_hexes + 1,
        "W": placements.bits.shape[1], "F": placements.fief_conflicts.shape[2],
        "R": placements.ring_conflicts.shape[1],
    }  # fmt: skip
    arrays = engine.state.arrays()
    assert list(arrays) == list(SHAPES)
    for name, (axes, dtype) in SHAPES.items():
        assert arrays[name].dtype == dtype, name
        assert arrays[name].shape == tuple(sizes[axis] for axis in axes), name


def same_future(one: Engine, other: Engine) -> bool:
    played(one, 60, seed=9)
    played(other, 60, seed=9)
    return one.state == other.state


@pytest.mark.parametrize(
    "cut",
    [
        lambda b: b"",
        lambda b: b[1:],
        lambda b: b[:-1],
        lambda b: b + b"\0",
        lambda b: b[:40],
        lambda b: b"gonzaga-state-4\n[]\n",
        lambda b: b.replace(b"state-4", b"state-3", 1),  # the layout of 0.5
    ],
)
def test_broken_bytes_are_refused(cut) -> None:
    data = Engine(2, 2).state.to_bytes()
    with pytest.raises(StateError, match="not a state"):
        State.from_bytes(cut(data))


@pytest.mark.parametrize(
    "data",
    [None, "text", 3, [], memoryview(b"")],
    ids=["None", "text", "int", "list", "memoryview"],
)
def test_what_is_not_bytes_is_refused(data: object) -> None:
    """F9: None was an AttributeError."""
    with pytest.raises(StateError, match="not a state: the bytes should start with"):
        State.from_bytes(data)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "shape", [[2**62], [0, 2**62], [0, 10**40], [1] * 9, [0] * 70, [-1], [True], 2, None, {"2": 2}]
)
def test_impossible_shapes_are_refused_before_numpy_sees_them(shape: object) -> None:
    """Some were an OverflowError."""
    start, header, rest = Engine(2, 2).state.to_bytes().split(b"\n", 2)
    described = json.loads(header)
    described["arrays"]["seed"][1] = shape
    with pytest.raises(StateError, match="not a state: "):
        State.from_bytes(b"\n".join((start, json.dumps(described).encode(), rest)))


def test_take_and_put_move_games_between_states() -> None:
    engine = played(Engine(6, 3, seed=3), 40)
    whole = engine.state.copy()
    some = whole.take(np.array([4, 1]))
    assert some.num_games == 2
    assert some.take(slice(0, 1)) == whole.take(slice(4, 5))
    fresh = Engine(6, 3, seed=50).state
    fresh.put(np.array([0, 5]), some)
    assert fresh.take(slice(5, 6)) == whole.take(slice(1, 2))
    assert fresh != whole


def test_repeated_games_stand_together() -> None:
    state = played(Engine(3, 2, seed=4), 30).state
    repeated = state.repeat(3)
    assert repeated.num_games == 9
    for game in range(3):
        for copied in range(3):
            row = 3 * game + copied
            assert repeated.take(slice(row, row + 1)) == state.take(slice(game, game + 1))
    repeated.deck[0, 0, 0] ^= 1
    assert (state.repeat(3).deck != repeated.deck).sum() == 1


def test_states_are_joined_one_after_the_other() -> None:
    one, other = played(Engine(2, 3, seed=1), 20).state, played(Engine(3, 3, seed=2), 31).state
    joined = State.concatenate([one, other, one])
    assert joined.num_games == 7
    assert joined.take(slice(0, 2)) == joined.take(slice(5, 7)) == one
    assert joined.take(slice(2, 5)) == other
    with pytest.raises(StateError, match="2 states of 2 shapes"):
        State.concatenate([one, Engine(1, 2).state])
    with pytest.raises(StateError, match="0 states"):
        State.concatenate([])


@pytest.mark.parametrize("copied", [True, False])
def test_an_engine_is_made_from_a_state_without_dealing(copied: bool) -> None:
    engine = played(Engine(4, 3, seed=3), 23)
    state = engine.state.copy()
    kept = state.copy()
    other = Engine.from_state(engine.config, state, copy=copied)
    assert (other.num_games, other.autoreset) == (4, True)
    assert np.array_equal(other.legal_action_mask(), engine.legal_action_mask())
    played(other, 5)
    assert (state == kept) == copied
    assert (other.state is state) != copied
    other.set_state(kept, copy=copied)
    assert same_future(Engine.from_state(engine.config, engine.state), other)
    with pytest.raises(StateError, match="not a state of 3 players"):
        Engine.from_state(engine.config, Engine(1, 4).state)
    with pytest.raises(StateError, match="takes a State"):
        engine.set_state(None)


def test_a_state_names_the_field_that_does_not_fit() -> None:
    engine = Engine(2, 3)
    state = engine.state.copy()
    state.scores = state.scores.astype(np.int64)
    with pytest.raises(StateError, match=r"scores is int64 \[2, 3, 6\]; it takes int16"):
        engine.state = state
    state = engine.state.copy()
    state.plan = state.plan[:1]
    with pytest.raises(StateError, match=r"plan is uint8 \[1, 3\]; it takes uint8 \[2, 3\]"):
        engine.state = state


@pytest.mark.parametrize("number", [1, 2, 5])
def test_resampled_games_stand_together(number: int) -> None:
    engine = played(Engine(3, 3, seed=5), 22)
    samples = engine.resample(np.array([0, 1, 2]), np.random.default_rng(0), num_samples=number)
    assert samples.num_games == 3 * number
    twin = Engine.from_state(engine.config, samples)
    seats = np.repeat([0, 1, 2], number)
    assert np.array_equal(twin.observe(seats), engine.observe([0, 1, 2]).repeat(number, axis=0))
    decks = samples.deck.reshape(3 * number, -1).tolist()
    assert len({tuple(row) for row in decks}) == 3 * number
    assert number < 5 or samples.seed.max() >= 2**63
    assert len({*samples.seed.tolist(), *engine.state.seed.tolist()}) == 3 * number + 3
    with pytest.raises(OptionError, match="num_samples is 0; it takes an integer of 1 or more"):
        engine.resample(0, np.random.default_rng(0), num_samples=0)
    with pytest.raises(OptionError, match="rng is 7; it takes a generator"):
        engine.resample(0, 7, num_samples=number)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "spoil",
    [np.asfortranarray, lambda a: a.repeat(2, axis=0)[::2], lambda a: a[::-1].copy()[::-1]],
    ids=["fortran", "strided", "reversed"],
)
def test_arrays_that_cannot_be_written_in_place_are_copied(spoil) -> None:
    engine = played(Engine(4, 3, seed=3), 23)
    spoiled = State(**{name: spoil(array) for name, array in engine.state.arrays().items()})
    other = Engine.from_state(engine.config, spoiled, copy=False)
    assert same_future(Engine.from_state(engine.config, engine.state), other)
    frozen = engine.state.copy()
    frozen.deck.flags.writeable = False
    other = Engine.from_state(engine.config, frozen, copy=False)
    assert same_future(Engine.from_state(engine.config, engine.state), other)


@pytest.mark.parametrize(("name", "shape"), [("seed", ()), ("objective", (2,)), ("seed", (1, 1))])
def test_arrays_without_games_or_players_are_refused(name: str, shape: tuple[int, ...]) -> None:
    """The fuzzer's: such bytes passed, and the state's length raised TypeError."""
    engine = Engine(1, 2, seed=0)
    state = engine.state.copy()
    setattr(state, name, getattr(state, name).reshape(shape))
    for read in (lambda: State.from_bytes(state.to_bytes()), lambda: engine.set_state(state)):
        with pytest.raises(StateError, match=f"{name} has {len(shape)} axes"):
            read()
