"""Checks deals from outside: what would break a rule or an index is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.state.deals import Deal
from gonzaga_env.signorie.state.state import state_layout
from gonzaga_env.tabletop.errors import OptionError

_Found = tuple[str, NDArray[np.bool_]]


def check_deal(config: GameConfig, deal: Deal, num_games: int) -> None:
    """Raises OptionError unless a deal is valid for these games (S2, S4)."""
    layout = state_layout(config)
    shapes: dict[str, tuple[int, ...]] = {}
    for name in Deal.__match_args__:
        like = "deck" if name == "removed" else name
        shapes[name] = num_games, *layout[like].shape
    Deal.check_arrays(deal, shapes, kinds="iub")
    if any((array < 0).any() for array in vars(deal).values()):
        raise OptionError("deal: the arrays hold no negative number")
    for what, wrong in _deal_faults(config, deal):
        if wrong.any():
            raise OptionError(f"deal: {what}")


def _deal_faults(config: GameConfig, deal: Deal) -> Iterator[_Found]:
    """Yields what contradicts the setup, with where it is, [M, ...]; shapes have been checked."""
    p = config.num_players
    for name, size in _piles(p):
        what = f"{name} takes different numbers from 0 to {size - 1}"
        yield what, _not_different(getattr(deal, name), size)
    other = _by_house(deal.removed) != c.REMOVED_PER_HOUSE[p]
    yield "another number of tiles of a House is removed (S2.6)", other
    wrong = (deal.cities.sum(axis=1) != c.CITIES_IN_PLAY[p]) | (deal.cities.dtype != np.bool_)
    yield "cities must be bool, with another number of them in play (S2.6)", wrong
    lying = _by_kind(deal.city_tiles)
    uneven = lying.any(axis=3) != deal.cities[..., None]
    yield "each city in play has two tiles, others have none (S4.1)", uneven
    many = deal.removed + lying.sum(axis=(1, 2)) > np.array(config.edition.tiles)
    yield "more tiles of a kind than there are (S1.4)", many
    other = deal.pool.sum(axis=2) != config.edition.dice_of_color(p)
    yield "another number of dice of a color (S2.6)", other


def _piles(num_players: int) -> Iterator[tuple[str, int]]:
    """Yields the arrays that hold different pieces, and how many pieces there are."""
    yield from (("order", num_players), ("boards", c.MAX_PLAYERS), ("vp_tiles", c.NUM_VP_TILES))
    yield from (("bonus_tiles", c.NUM_BONUS_TILES), ("assignments", c.NUM_ASSIGNMENTS))


def _not_different(pieces: NDArray[Any], size: int) -> NDArray[np.bool_]:
    """Returns which rows do not hold different numbers below a size."""
    pieces = np.sort(pieces, axis=1)
    twice = (pieces[:, 1:] == pieces[:, :-1]).any(axis=1)
    return np.asarray(twice | (pieces >= size).any(axis=1))


def _by_kind(tiles: NDArray[Any]) -> NDArray[np.bool_]:
    """Returns tiles [...] as one-hot rows, [..., 24]; NO_TILE as zeros."""
    return np.asarray(tiles[..., None] == np.arange(c.NUM_TILES))


def _by_house(tiles: NDArray[Any]) -> NDArray[Any]:
    """Returns numbers of tiles by House, [..., 6], from those by kind, [..., 24]."""
    return tiles.reshape(*tiles.shape[:-1], c.NUM_HOUSES, len(c.TILE_VALUES)).sum(axis=-1)
