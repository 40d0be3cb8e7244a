"""Setup (S2) and that of the first round (S4), which depend on a game's seed only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.tabletop.arguments import Integers
from gonzaga_env.tabletop.chance import random_keys
from gonzaga_env.tabletop.errors import OptionError

_ALL_TILES = c.NUM_HOUSES * c.TILES_PER_HOUSE
#: Words of a deal: boards, turn order, cities, rewards, removed tiles; then the first round's
#: tiles, dice and assignments.
_WORDS = (
    *(c.MAX_PLAYERS, c.MAX_PLAYERS, c.NUM_CITIES, c.NUM_BONUS_TILES, c.NUM_VP_TILES),
    *(_ALL_TILES, _ALL_TILES, c.NUM_COLORS, c.NUM_ASSIGNMENTS),
)
DEAL_EVENTS = sum(_WORDS)


@dataclass(frozen=True)
class Deal:
    """The random part of the setup of M games, the first round's included.

    Attributes:
        boards: each player's board, [M, P] integers.
        order: the turn order, seats from first to last, [M, P].
        cities: which are in play, [M, 5] bool.
        removed: tiles of each kind that leave the game, [M, 24].
        bonus_tiles: of rounds 1 to 5, [M, 5].
        vp_tiles: of rounds 6 and 7, [M, 2].
        city_tiles: marriage and mission tile of each city, [M, 5, 2]; 24 for none.
        pool: dice by color and value, [M, 5, 6].
        assignments: the tile on each slot, [M, 10].
    """

    boards: Integers
    order: Integers
    cities: NDArray[np.bool_]
    removed: Integers
    bonus_tiles: Integers
    vp_tiles: Integers
    city_tiles: Integers
    pool: Integers
    assignments: Integers

    def __repr__(self) -> str:
        return f"<Deal of {len(self.order)} games>"

    def take(self, rows: Sequence[int] | Integers) -> Deal:
        """Returns the deals of some rows."""
        return Deal(*(np.asarray(getattr(self, field.name))[rows] for field in fields(self)))


def draw_deals(config: GameConfig, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> Deal:
    """Returns the deals of M games (S2, S4, S13.2).

    Every pile, the alliance tiles too (S2.5), is shuffled by sorting its words (`_WORDS`); players
    take the first boards and places, the removed tiles are the first of each House, and the rest of
    the tiles go to the cities in the order of other words.

    Args:
        config: what is played.
        seeds: [M].
        episodes: [M].
    """
    keys = np.split(random_keys(seeds, episodes, DEAL_EVENTS), np.cumsum(_WORDS)[:-1], axis=1)
    boards, order, cities, bonus, vps, removed, tiles, dice, assignments = keys
    num_players, by_players = config.num_players, config.num_players - c.MIN_PLAYERS
    num_removed, num_cities = c.REMOVED_PER_HOUSE[by_players], c.CITIES_IN_PLAY[by_players]
    kinds = np.repeat(np.arange(c.NUM_TILES), config.edition.tiles)
    gone = removed.reshape(-1, c.NUM_HOUSES, c.TILES_PER_HOUSE).argsort(axis=2)[..., :num_removed]
    gone = (gone + c.TILES_PER_HOUSE * np.arange(c.NUM_HOUSES)[:, None]).reshape(len(seeds), -1)
    games = np.arange(len(seeds))[:, None]
    tiles = tiles.copy()
    tiles[games, gone] = np.iinfo(np.uint64).max
    in_play = np.zeros((len(seeds), c.NUM_CITIES), np.bool_)
    in_play[games, cities.argsort(axis=1)[:, :num_cities]] = True
    city_tiles = np.full((len(seeds), c.NUM_CITIES, 2), c.NUM_TILES, np.uint8)
    city_tiles[in_play] = kinds[tiles.argsort(axis=1)[:, : 2 * num_cities]].reshape(-1, 2)
    rolls, table = dice % np.uint64(c.NUM_FACES ** c.DICE_PER_COLOR[by_players]), _table(by_players)
    return Deal(
        boards=_first(boards, num_players),
        order=_first(order[:, :num_players], num_players),
        cities=in_play,
        removed=(kinds[gone][..., None] == np.arange(c.NUM_TILES)).sum(axis=1).astype(np.uint8),
        bonus_tiles=_first(bonus, c.BONUS_ROUNDS),
        vp_tiles=_first(vps, c.NUM_ROUNDS - c.BONUS_ROUNDS),
        city_tiles=city_tiles,
        pool=table[rolls.astype(np.int64)],
        assignments=_first(assignments, c.NUM_ASSIGNMENTS),
    )


def _first(keys: NDArray[np.uint64], count: int) -> NDArray[np.uint8]:
    """Returns the places of the lowest keys of each row, in their order, [M, count]."""
    return keys.argsort(axis=1, kind="stable")[:, :count].astype(np.uint8)


def _table(by_players: int) -> NDArray[np.uint8]:
    return dice_counts(c.DICE_PER_COLOR[by_players])


@cache
def dice_counts(num_dice: int) -> NDArray[np.uint8]:
    """Returns how many dice show each value, by the number that the dice are, [6^d, 6]."""
    numbers = np.arange(c.NUM_FACES**num_dice)[:, None]
    faces = numbers // c.NUM_FACES ** np.arange(num_dice) % c.NUM_FACES
    counts = (faces[..., None] == np.arange(c.NUM_FACES)).sum(axis=1)
    return np.asarray(counts, np.uint8)


def check_deal(config: GameConfig, deal: Deal, num_games: int) -> None:
    """Raises OptionError unless a deal is valid for these games (S2, S4)."""
    if not isinstance(deal, Deal):
        raise OptionError(f"deal is {deal!r}; it takes a gonzaga_env.signorie.Deal")
    num_players, by_players = config.num_players, config.num_players - c.MIN_PLAYERS
    shapes: dict[str, tuple[int, ...]] = {
        "boards": (num_players,),
        "order": (num_players,),
        "cities": (c.NUM_CITIES,),
        "removed": (c.NUM_TILES,),
        "bonus_tiles": (c.BONUS_ROUNDS,),
        "vp_tiles": (c.NUM_ROUNDS - c.BONUS_ROUNDS,),
        "city_tiles": (c.NUM_CITIES, 2),
        "pool": (c.NUM_COLORS, c.NUM_FACES),
        "assignments": (c.NUM_ASSIGNMENTS,),
    }
    for name, shape in shapes.items():
        array = getattr(deal, name)
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "iub":
            raise OptionError(f"deal: {name} must be an array of integers")
        if array.shape != (num_games, *shape) or (array < 0).any():
            raise OptionError(f"deal: {name} must have the shape {(num_games, *shape)}, from 0 on")
    piles = {
        "boards": c.MAX_PLAYERS,
        "order": num_players,
        "bonus_tiles": c.NUM_BONUS_TILES,
        "vp_tiles": c.NUM_VP_TILES,
        "assignments": c.NUM_ASSIGNMENTS,
    }
    for name, size in piles.items():
        pieces = np.sort(getattr(deal, name), axis=1)
        if (pieces[:, 1:] == pieces[:, :-1]).any() or (pieces >= size).any():
            raise OptionError(f"deal: {name} takes different numbers from 0 to {size - 1}")
    by_house = deal.removed.reshape(-1, c.NUM_HOUSES, c.NUM_TILES // c.NUM_HOUSES).sum(axis=2)
    if (by_house != c.REMOVED_PER_HOUSE[by_players]).any():
        raise OptionError("deal: another number of tiles of a House is removed (S2.6)")
    if (
        deal.cities.dtype != np.bool_
        or (deal.cities.sum(axis=1) != c.CITIES_IN_PLAY[by_players]).any()
    ):
        raise OptionError("deal: cities must be bool, with another number of them in play (S2.6)")
    lying = deal.city_tiles[..., None] == np.arange(c.NUM_TILES)
    if (lying.any(axis=3) != deal.cities[..., None]).any():
        raise OptionError("deal: each city in play has two tiles, others have none (S4.1)")
    if (deal.removed + lying.sum(axis=(1, 2)) > np.array(config.edition.tiles)).any():
        raise OptionError("deal: more tiles of a kind than there are (S1.4)")
    if (deal.pool.sum(axis=2) != c.DICE_PER_COLOR[by_players]).any():
        raise OptionError("deal: another number of dice of a color (S2.6)")
