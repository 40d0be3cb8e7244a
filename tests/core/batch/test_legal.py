"""Legal placements of seats that are not to act."""

import numpy as np
import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.batch.transitions import legal_placements
from gonzaga_env.core.state import PLACE, current_fiefs
from tests.conftest import played


@pytest.mark.parametrize("num_steps", [4, 54, 77])
def test_they_are_those_of_the_seat_if_it_were_to_act(num_steps: int) -> None:
    engine = played(Engine(20, 4, seed=2), num_steps)
    assert (engine.state.phase == PLACE).all()
    games = np.repeat(np.arange(20), 2)
    for seat in range(4):
        seats = np.full(40, seat)
        sets = legal_placements(engine.tables, engine.state, games, seats)
        masks = np.empty((40, engine.actions.size), dtype=np.bool_)
        fiefs = current_fiefs(engine.state)[games, seats]
        sets[:, -1] = 1  # the donation, without which a set is taken for one of plans
        engine.tables.legal_sets.write_masks(sets, fiefs, masks)
        twin = engine.copy()
        twin.state.order[:], twin.state.num_acted[:] = np.roll(range(4), -seat), 0
        twin.set_state(twin.state, check=False)  # not the order of their plans (R3.5)
        np.testing.assert_array_equal(
            masks, twin.legal_action_mask(games.reshape(20, 2)[:, 0])[games]
        )
