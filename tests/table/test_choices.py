"""Choices in plain values agree with what the engine then does."""

import numpy as np
import pytest
from gonzaga_table.choices import turn_of
from gonzaga_table.gonzaga.choices import Placing

from gonzaga_env.core import Game, Rules


@pytest.mark.parametrize("sea_league", ["each_player", "first_only"])
def test_every_choice_says_what_it_does(sea_league) -> None:
    """Sites, leagues, points and words are those of the move when it is played."""
    game, rng, kinds = Game(2, seed=5, rules=Rules(sea_league)), np.random.default_rng(5), set()
    while (turn := turn_of(game)) is not None:
        assert [choice.action for choice in turn.choices] == np.flatnonzero(game.mask()).tolist()
        seat = game.seat
        for number in rng.permutation(len(turn.choices))[:6]:
            twin, choice = game.copy(), turn.choices[number]
            twin.play(choice.action)
            view = twin.view(seat)
            if isinstance(turn, Placing):
                last, placed = view.last, turn.placements[number]
                assert (placed.words, placed.points) == (last.words, last.points)
                assert (placed.cells, placed.sites) == (last.cells, last.sites)
                assert placed.leagues == last.leagues
                kinds.add(placed.kind)
                if placed.kind == "fief":
                    (lies,) = (f for f in view.fiefs if set(f.cells) == set(placed.cells))
                    assert set(placed.castles) == set(lies.castles)
                    assert lies.number == turn.fief.number
            elif view.stage == "planning":
                plan = view.players[seat].plan
                assert plan.words == turn.plans[number].words
        game.play(game.sample_legal(rng))
    assert kinds == {"fief", "wedding", "donation"}
