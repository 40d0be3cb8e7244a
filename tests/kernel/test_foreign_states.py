"""States from elsewhere: values out of range are refused, and others harm only their own game."""

from typing import Any

import numpy as np
import pytest

from gonzaga_env.kernel.errors import StateError
from tests.beside import EVERY_GAME
from tests.conftest import played


@EVERY_GAME
@pytest.mark.parametrize("num_players", [2, 4])
def test_values_out_of_range_are_refused_by_their_field(game: Any, num_players: int) -> None:
    engine = played(game.Engine(3, num_players, seed=1, autoreset=False), 40)
    ranged = {name: one.values for name, one in engine.layout().items() if one.values}
    assert {"seat", "kind", "round"} <= {*ranged} or {"deck", "plan", "piece"} <= {*ranged}
    for name, (low, high, *none) in ranged.items():
        right = np.iinfo(getattr(engine.state, name).dtype)
        for wrong in (low - 1, high + 1, right.max):
            if wrong in none or not right.min <= wrong <= right.max or low <= wrong <= high:
                continue
            state = engine.state.copy()
            getattr(state, name)[1].reshape(-1)[-1:] = wrong
            if state.seed.ndim == getattr(state, name).ndim:
                getattr(state, name)[1] = wrong
            with pytest.raises(StateError, match=f"game 1: {name} takes {low} to {high}"):
                engine.set_state(state)
    state = engine.state.copy()
    state.finished.view(np.uint8)[2] = 7
    with pytest.raises(StateError, match="game 2: finished takes 0 to 1"):
        engine.set_state(state)


@EVERY_GAME
@pytest.mark.parametrize("seed", range(4))
def test_any_bytes_that_pass_are_stepped_without_a_crash(game: Any, seed: int) -> None:
    """A state that no game reaches may raise Python's errors, and nothing worse."""
    rng = np.random.default_rng(seed)
    state = played(game.Engine(1, 2, seed=seed, autoreset=False), 10 * seed).state
    data = np.frombuffer(state.to_bytes(), np.uint8)
    header = state.to_bytes().index(b"}}}") if b"}}}" in state.to_bytes() else len(data) // 2
    taken = 0
    for _ in range(60):
        changed = data.copy()
        changed[rng.integers(header, len(data), size=rng.integers(1, 4))] = rng.integers(256)
        try:
            engine = game.Engine.from_state(
                game.GameConfig(2), game.State.from_bytes(changed.tobytes()), autoreset=False
            )
        except StateError:
            continue
        taken += 1
        try:
            played(engine, 20)
        except (ArithmeticError, LookupError, ValueError):
            continue
    assert taken
