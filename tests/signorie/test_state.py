"""What start and end of games hold, and deals (S2, S4, S12)."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonzaga_env.kernel.errors import OptionError, StateError
from gonzaga_env.signorie import Deal, Game, GameConfig
from gonzaga_env.signorie.constants import (
    MAIN,
)
from gonzaga_env.signorie.state import (
    NO_COLOR,
    NO_EFFECT,
    check_deal,
    dice_counts,
    draw_deals,
    winners,
)

CONFIG = GameConfig(3)


def test_games_start_as_the_setup_says() -> None:
    state = Game(4, seed=2).state
    first, *_ = order = state.order[0].tolist()
    assert state.seat[0] == first
    assert state.florins[0, order].tolist() == [6, 7, 7, 8]  # S2.2
    assert state.height[0, order].tolist() == [3, 2, 1, 0]  # S2.3: the first on top
    assert state.supply[0].tolist() == [[4, 3]] * 4
    assert state.stock[0].tolist() == [[8, 8]] * 4
    assert (state.kind[0], state.effect[0], state.color[0]) == (MAIN, NO_EFFECT, NO_COLOR)
    assert state.deck.sum() == 54 - 10
    assert Game(2, seed=2).state.deck.sum() == 54 - 12 - 6  # S2.6
    assert Game(3, seed=2).state.pool.sum(axis=2).tolist() == [[3] * 5]


def test_a_tie_goes_to_the_earlier_in_the_turn_order() -> None:
    state = Game(3, seed=2).state
    state.order[0], state.scores[0, :, 0] = [2, 0, 1], [5, 7, 7]
    assert winners(state).tolist() == [[False, False, True]]
    state.order[0] = [1, 2, 0]
    assert winners(state).tolist() == [[False, True, False]]
    state.scores[0, 2, 3] = 1
    assert winners(state).tolist() == [[False, False, True]]  # S12.3


def test_dice_are_digits() -> None:
    assert dice_counts(3).shape == (216, 6)
    assert dice_counts(3)[1].tolist() == [2, 1, 0, 0, 0, 0]
    assert (dice_counts(4).sum(axis=1) == 4).all()
    assert (dice_counts(2).sum(axis=0) == 12).all()  # each value equally often


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("boards", [[0, 1, 1]], "boards takes different numbers"),
        ("order", [[0, 1, 3]], "order takes different numbers from 0 to 2"),
        ("cities", [[True] * 5], "another number of them in play"),
        ("removed", [[0] * 24], "another number of tiles of a House"),
        ("pool", [[[1] * 6] * 5], "another number of dice"),
        ("city_tiles", [[[24, 24]] * 5], "each city in play has two tiles"),
        ("bonus_tiles", [[0.5] * 5], "bonus_tiles must be an array of integers"),
        ("vp_tiles", [[0, 1, 2]], "vp_tiles must have the shape"),
    ],
)
def test_deals_are_checked(name: str, value: Any, message: str) -> None:
    drawn = draw_deals(CONFIG, np.arange(1, dtype=np.uint64), np.zeros(1, np.uint32))
    check_deal(CONFIG, drawn, 1)
    fields = {field: getattr(drawn, field) for field in Deal.__match_args__}
    with pytest.raises(OptionError, match=message):
        check_deal(CONFIG, Deal(**fields | {name: np.array(value)}), 1)


def test_deals_draw_every_piece_equally_often() -> None:
    seeds = np.arange(6000, dtype=np.uint64)
    deal = draw_deals(CONFIG, seeds, np.zeros(6000, np.uint32))
    tiles = deal.city_tiles[deal.cities].ravel()
    found = np.bincount(tiles, minlength=24) / len(tiles)
    assert np.abs(found - np.array(CONFIG.edition.tiles) / 54).max() < 0.006
    for name, size in (("order", 3), ("boards", 4), ("bonus_tiles", 9), ("assignments", 10)):
        first = np.bincount(getattr(deal, name)[:, 0], minlength=size) / 6000
        assert np.abs(first - 1 / size).max() < 0.03, name
    assert np.abs(deal.pool.mean(axis=(0, 1)) - 0.5).max() < 0.02


def test_another_edition_s_state_is_refused(tmp_path: Path) -> None:
    text = (Path(CONFIG.edition.source)).read_text()
    (tmp_path / "other.toml").write_text(text.replace("pay_vp = 5", "pay_vp = 6"))
    other = Game(3, tmp_path / "other.toml")
    with pytest.raises(StateError, match="the state is of another edition"):
        other.state = Game(3).state
