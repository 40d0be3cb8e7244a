"""What nobody knows is drawn anew, from states and from observations (S13)."""

from __future__ import annotations

import numpy as np
import pytest

from gonzaga_env.signorie.batch.engine import Engine
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.state.from_observations import states_from_observations
from gonzaga_env.tabletop.errors import OptionError, StateError
from tests.conftest import played


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_any_seat_goes_on_from_what_it_sees(num_players: int) -> None:
    engine, rng = Engine(16, num_players, seed=1), np.random.default_rng(0)
    for step in range(140):
        engine.step(engine.sample_legal(rng))
        for seat in (engine.seats, np.full(16, step % num_players)) if step % 6 == 0 else ():
            seen = engine.observe(seat)
            states = states_from_observations(engine.config, seen, rng, 2)
            other = Engine.from_state(engine.config, states, autoreset=False)  # it checks them
            assert np.array_equal(other.observe(0), seen.repeat(2, axis=0))
            masks = engine.legal_action_mask().repeat(2, axis=0)
            assert np.array_equal(other.legal_action_mask(), masks)
            again = Engine.from_state(engine.config, engine.resample(seat, rng), autoreset=False)
            assert np.array_equal(again.legal_action_mask(), engine.legal_action_mask())
            assert np.array_equal(again.observe(seat), seen)


def test_removed_and_face_down_tiles_are_drawn_from_the_unseen() -> None:
    engine = played(Engine(1, 2, seed=3), 60)
    state = engine.state
    state.face_down[0, 0, 2] += 6
    samples = engine.resample(0, np.random.default_rng(0), 4000)
    hidden = samples.unseen.astype(int) - samples.deck
    houses = hidden.reshape(-1, 6, 4).sum(axis=2)
    number = int(state.face_down.sum())
    assert (hidden >= 0).all()
    assert (houses >= 2).all()  # two of each House are removed (S2.6)
    assert (houses.sum(axis=1) == 12 + number).all()
    # Each tile of a House is as likely to be hidden as the others.
    unseen = state.unseen[0].reshape(6, 4).astype(int)
    rest = unseen.sum(axis=1) - 2
    expected = (2 + number * rest / rest.sum()) / unseen.sum(axis=1)
    found = hidden.mean(axis=0).reshape(6, 4) / np.maximum(unseen, 1)
    assert (abs(found - expected[:, None] * (unseen > 0)) < 0.04).all()
    assert len(np.unique(samples.seed)) == 4000


def test_what_cannot_continue_is_refused() -> None:
    config, rng = GameConfig(2), np.random.default_rng(0)
    with pytest.raises(StateError, match="observation 0 shows a finished game"):
        states_from_observations(config, np.zeros((1, config.features.size), np.uint8), rng)
    with pytest.raises(OptionError, match="2 players take a uint8 array"):
        states_from_observations(config, np.zeros((1, 5), np.uint8), rng)
