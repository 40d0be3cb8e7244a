"""States that pass the check are played to the end by both engines alike, and pass on the way.

`GONZAGA_FUZZ=20000 python -m pytest tests/signorie/test_mutated_states.py` makes as many mutants.
"""

import os

import numpy as np
import pytest

from gonzaga_env.signorie import Engine, GameConfig, State
from gonzaga_env.signorie.state.check import check_state
from gonzaga_env.tabletop.errors import StateError
from tests.beside import Beside
from tests.conftest import played

Random = np.random.Generator
MUTANTS = int(os.environ.get("GONZAGA_FUZZ", "75")) // 3
VALUES = (0, 1, 2, 5, 9, 100, 255, 20_000, 2**31)


def any_place(values: np.ndarray, rng: Random) -> tuple[int, ...]:
    return tuple(int(rng.integers(size)) for size in values.shape)


def mutate(state: State, rng: Random) -> None:
    """Changes one value, exchanges two of a field, or moves one piece from the one to the other."""
    values = getattr(state, rng.choice([*state.arrays()]))
    one, two = any_place(values, rng), any_place(values, rng)
    way = rng.integers(4)
    with np.errstate(over="ignore"):
        if values.dtype == np.bool_:
            values[one] = ~values[one]
        elif way == 0:
            values[one] += np.array(rng.choice([-1, 1])).astype(values.dtype)
        elif way == 1:
            values[one], values[two] = values[two].copy(), values[one].copy()
        elif way == 2:
            values[one] += values.dtype.type(1)
            values[two] -= values.dtype.type(1)
        else:
            values[one] = np.array(rng.choice(VALUES)).astype(values.dtype)


def accepted(config: GameConfig, state: State) -> bool:
    try:
        check_state(config, state)
    except StateError:
        return False
    return True


def play_to_the_end(config: GameConfig, states: State, rng: Random) -> None:
    """Plays on both engines, which stay alike; states on the way pass the check."""
    both = Beside(Engine.from_state(config, states, autoreset=False))
    while (both.seats >= 0).any():
        check_state(config, both.state)
        both.play(rng, 5)
    check_state(config, both.state)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_what_passes_is_played_alike_to_the_end(num_players: int) -> None:
    rng, config, made, passed = np.random.default_rng(num_players), GameConfig(num_players), 0, 0
    while made < MUTANTS:
        seed, steps = rng.integers(10**6), rng.integers(1, 60 * num_players)
        engine = played(Engine(8, num_players, seed=int(seed), autoreset=False), int(steps))
        mutants = [engine.state.take(np.array([row])) for row in rng.integers(8, size=25)]
        for state in mutants:
            mutate(state, rng)
        made += len(mutants)
        good = [state for state in mutants if not state.finished[0] and accepted(config, state)]
        passed += len(good)
        if good:
            play_to_the_end(config, State.concatenate(good), rng)
    assert 0.05 * made < passed < 0.95 * made
