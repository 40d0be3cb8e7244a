"""Setup (S2) and that of the first round (S4), which depend on a game's seed only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.tabletop.arguments import Integers
from gonzaga_env.tabletop.chance import random_keys
from gonzaga_env.tabletop.rows import flat_rows
from gonzaga_env.tabletop.state import DealArrays

_ALL_TILES = c.NUM_HOUSES * c.TILES_PER_HOUSE
#: Words of a deal: boards, turn order, cities, rewards, removed tiles; then the first round's
#: tiles, dice and assignments.
_WORDS = (
    *(c.MAX_PLAYERS, c.MAX_PLAYERS, c.NUM_CITIES, c.NUM_BONUS_TILES, c.NUM_VP_TILES),
    *(_ALL_TILES, _ALL_TILES, c.NUM_COLORS, c.NUM_ASSIGNMENTS),
)
DEAL_EVENTS = sum(_WORDS)


#: Fields of a deal that are in the state too.
DEALT = (
    *("boards", "order", "cities", "bonus_tiles", "vp_tiles", "city_tiles", "pool"),
    "assignments",
)


@dataclass(frozen=True, repr=False)
class Deal(DealArrays):
    """The random part of the setup of M games, the first round's included."""

    boards: Integers  # [M, P], each player's board
    order: Integers  # [M, P], the turn order, seats from first to last
    cities: NDArray[np.bool_]  # [M, 5], which are in play
    removed: Integers  # [M, 24], tiles of each kind that leave the game
    bonus_tiles: Integers  # [M, 5], of rounds 1 to 5
    vp_tiles: Integers  # [M, 2], of rounds 6 and 7
    city_tiles: Integers  # [M, 5, 2], marriage and mission tile of each city; 24 for none
    pool: Integers  # [M, 5, 6], dice by color and value
    assignments: Integers  # [M, 10], the tile on each slot


def draw_deals(config: GameConfig, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> Deal:
    """Returns the deals of M games (S2, S4, S13.2).

    Every pile, the alliance tiles too (S2.5), is shuffled by sorting its words (`_WORDS`); players
    take the first boards and places, the removed tiles are the first of each House, and the rest of
    the tiles go to the cities in the order of other words.
    """
    keys = np.split(random_keys(seeds, episodes, DEAL_EVENTS), np.cumsum(_WORDS)[:-1], axis=1)
    boards, order, cities, bonus, vps, removed, tiles, dice, assignments = keys
    p = config.num_players
    num_removed, num_cities = c.REMOVED_PER_HOUSE[p], c.CITIES_IN_PLAY[p]
    kinds = np.repeat(np.arange(c.NUM_TILES), config.edition.tiles)
    gone = removed.reshape(-1, c.NUM_HOUSES, c.TILES_PER_HOUSE).argsort(axis=2)[..., :num_removed]
    gone = flat_rows(gone + c.TILES_PER_HOUSE * np.arange(c.NUM_HOUSES)[:, None])
    games = np.arange(len(seeds))[:, None]
    tiles = tiles.copy()
    tiles[games, gone] = np.iinfo(np.uint64).max
    in_play = np.zeros((len(seeds), c.NUM_CITIES), np.bool_)
    in_play[games, cities.argsort(axis=1)[:, :num_cities]] = True
    city_tiles = np.full((len(seeds), c.NUM_CITIES, 2), c.NUM_TILES, np.uint8)
    city_tiles[in_play] = kinds[tiles.argsort(axis=1)[:, : 2 * num_cities]].reshape(-1, 2)
    num_dice = config.edition.dice_of_color(p)
    rolls = dice % np.uint64(c.NUM_FACES**num_dice)
    return Deal(
        boards=_first(boards, p),
        order=_first(order[:, :p], p),
        cities=in_play,
        removed=(kinds[gone][..., None] == np.arange(c.NUM_TILES)).sum(axis=1).astype(np.uint8),
        bonus_tiles=_first(bonus, c.BONUS_ROUNDS),
        vp_tiles=_first(vps, c.NUM_ROUNDS - c.BONUS_ROUNDS),
        city_tiles=city_tiles,
        pool=dice_counts(num_dice)[rolls.astype(np.int64)],
        assignments=_first(assignments, c.NUM_ASSIGNMENTS),
    )


def _first(keys: NDArray[np.uint64], count: int) -> NDArray[np.uint8]:
    """Returns the places of the lowest keys of each row, in their order, [M, count]."""
    return keys.argsort(axis=1, kind="stable")[:, :count].astype(np.uint8)


@cache
def dice_counts(num_dice: int) -> NDArray[np.uint8]:
    """Returns how many dice show each value, by the number that the dice are, [6^d, 6]."""
    numbers = np.arange(c.NUM_FACES**num_dice)[:, None]
    faces = numbers // c.NUM_FACES ** np.arange(num_dice) % c.NUM_FACES
    counts = (faces[..., None] == np.arange(c.NUM_FACES)).sum(axis=1)
    return np.asarray(counts, np.uint8)
