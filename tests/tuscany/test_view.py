"""What viewers see of a game, in plain values and as text (T12)."""

import json
from dataclasses import asdict

import numpy as np
import pytest

from gonzaga_env.tuscany import Game, GameView
from gonzaga_env.tuscany.constants import KINDS, MARBLE, STARTING_BONUS


def _at(kind: int, seed: int = 0, num_players: int = 3) -> Game:
    """Returns a random game that waits for a kind of decision."""
    game, rng = Game(num_players, seed=seed), np.random.default_rng(seed)
    while game.kind != kind:
        if game.finished:
            game.reset()
        game.play(game.sample_legal(rng))
    return game


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_views_are_plain_values_that_agree_with_the_game(kind: int) -> None:
    game = _at(kind)
    view = game.view(names=["Ann", "Ben", "Clara"])
    assert json.loads(json.dumps(asdict(view)))["decision"] == KINDS[kind]
    assert view.to_act == game.seat
    position = game.position
    for seat, player in enumerate(view.players):
        assert player.red == game.totals[seat]
        assert sum(map(player.storage.count, {*player.storage})) == sum(position.storage[seat])
        assert player.hand_size == len(player.hand or "") == sum(position.hand[seat])
        covered = sum(letter.islower() for letter in player.region)
        assert covered == (position.covered[seat].bit_count() if player.region else 0)
    assert view.deck + view.discards + sum(p.hand_size for p in view.players) == 122
    assert (view.cell is None) == (KINDS[kind] not in ("crop", "payment", "castle crop"))
    assert (view.piece is None) == (KINDS[kind] not in ("remove", "payment"))


def test_hands_are_hidden_from_others() -> None:
    game = _at(MARBLE)
    for viewer in (0, 1, 2, "public", "spectator"):
        view: GameView = game.view(viewer)  # type: ignore[arg-type]
        shown = [player.seat for player in view.players if player.hand is not None]
        assert shown == {"public": [], "spectator": [0, 1, 2]}.get(str(viewer), [viewer])
        assert str(viewer) in repr(view)


def test_the_last_answer_is_hidden_like_the_layout_it_chose() -> None:  # T2.4
    game = Game(3, seed=1)
    seat = game.seat
    game.play(7)
    assert game.view(seat).last == (seat, "layout A B C' --")
    assert game.view((seat + 1) % 3).last is None
    assert game.view("public").last is None
    game = _at(STARTING_BONUS)
    assert game.view("public").last is not None
