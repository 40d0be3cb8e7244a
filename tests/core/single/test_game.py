"""The fiefs that are turned up by hand."""

import numpy as np
import pytest

from gonzaga_env.core import Game
from gonzaga_env.kernel.errors import OptionError


def test_r3_1_the_next_round_turns_up_the_fiefs_that_are_chosen() -> None:
    """As in a game dealt with them on top, and not before the round has come."""
    game, rng = Game(num_players=2, seed=4), np.random.default_rng(0)
    state = game.state
    for _ in range(3):
        game.play(game.sample_legal(rng))
    deck, chosen = state.deck.copy(), [int(own[7]) for own in state.deck[0]]
    deck[0, :, 1:8] = np.concatenate([deck[0, :, 7:8], deck[0, :, 1:7]], axis=1)
    seen = game.observation(0)
    game.turn_up_next(chosen)
    assert (game.observation(0) == seen).all()
    assert (game.state.deck == deck).all()
    game.play(game.sample_legal(rng))
    assert [*game.position.fief] == chosen
    twin = Game(num_players=2, seed=4)
    twin.state = game.state
    assert (twin.observation(0) == game.observation(0)).all()


@pytest.mark.parametrize("fief", [12, -1])
def test_r3_1_only_fiefs_to_come_are_turned_up(fief: int) -> None:
    game = Game(num_players=2, seed=4)
    before = game.state
    for wrong in ([int(before.deck[0, 0, 3]), int(before.deck[0, 1, 0])], [fief, 3]):
        with pytest.raises(OptionError, match=r"is not to come \(R3\.1\)"):
            game.turn_up_next(wrong)
        assert game.state == before
