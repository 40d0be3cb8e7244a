"""What a seat does not know is drawn anew, from states and from observations (T12)."""

from __future__ import annotations

import numpy as np
import pytest

from gonzaga_env.tabletop.errors import OptionError, StateError
from gonzaga_env.tuscany.batch.engine import Engine
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.state.from_observations import states_from_observations


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_any_seat_goes_on_from_what_it_sees(num_players: int) -> None:
    engine, rng = Engine(40, num_players, seed=1), np.random.default_rng(0)
    everybody = np.arange(40)
    for step in range(120):
        engine.step(engine.sample_legal(rng))
        for seat in (engine.seats, everybody * 0 + step % num_players) if step % 3 == 0 else ():
            seen = engine.observe(seat)
            states = states_from_observations(engine.config, seen, rng, 2)
            other = Engine.from_state(engine.config, states, autoreset=False)  # it checks them
            assert np.array_equal(other.observe(0), seen.repeat(2, axis=0))
            acts = (seat == engine.seats).repeat(2)
            masks = engine.legal_action_mask().repeat(2, axis=0)
            assert np.array_equal(other.legal_action_mask()[acts], masks[acts])
            samples = engine.resample(seat, rng)
            # Another seat that is asked how to pay can: `check` sees to it.
            again = Engine.from_state(engine.config, samples, autoreset=False)
            assert (again.num_legal() > 0).all()
            assert np.array_equal(again.observe(seat), seen)


def test_hands_of_others_are_drawn() -> None:
    engine, rng = Engine(1, 2, seed=3), np.random.default_rng(0)
    for _ in range(40):
        engine.step(engine.sample_legal(rng))
    states = states_from_observations(engine.config, engine.observe(), rng, 200)
    assert len(np.unique(states.hand[:, 1], axis=0)) > 100
    assert len(np.unique(states.seed)) == 200
    assert (states.hand.sum(axis=(1, 2)) + states.deck.sum(axis=1)).std() == 0


def test_what_cannot_continue_is_refused() -> None:
    config, rng = GameConfig(2), np.random.default_rng(0)
    with pytest.raises(StateError, match="observation 0 shows a finished game"):
        states_from_observations(config, np.zeros((1, config.features.size), np.uint8), rng)
    with pytest.raises(OptionError, match="2 players take a uint8 array"):
        states_from_observations(config, np.zeros((1, 5), np.uint8), rng)
