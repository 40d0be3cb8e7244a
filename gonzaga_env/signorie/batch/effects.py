"""Effects of many games: what they give at once, and which decisions they ask for (N2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.batch import draws
from gonzaga_env.signorie.batch.games import Games
from gonzaga_env.signorie.batch.tables import DONE
from gonzaga_env.signorie.constants import NUM_CITIES, NUM_HOUSES, NUM_ROWS
from gonzaga_env.signorie.state.state import NO_TILE
from gonzaga_env.tabletop.arguments import Indices


def begin(games: Games, rows: Indices, effects: NDArray[np.integer], repeats: object = 1) -> None:
    """Makes effects [M] run, a number of times each; `go_on` does them."""
    games.state.effect[rows], games.state.part[rows] = effects, 0
    games.state.repeats[rows] = repeats


def go_on(games: Games, rows: Indices) -> Indices:
    """Does the running effects from their parts on, up to the next decision.

    Returns:
        The games whose effect is over.
    """
    state, tables = games.state, games.tables
    effects, parts = state.effect.take(rows), state.part.take(rows)
    places = effects.astype(np.int64) * tables.num_parts + parts
    kinds, repeats = tables.kinds.take(places), state.repeats.take(rows)
    over = kinds == DONE
    # What asks for nothing is given all times at once.
    once = np.where(over & (parts == 0), repeats, np.uint8(1))
    giving = tables.gives.take(places).nonzero()[0]
    if len(giving):
        gains = tables.gains.take(places[giving], axis=0) * once[giving, None]
        _give(games, rows[giving], gains)
    state.kind[rows] = kinds
    state.part[rows], state.left[rows] = tables.parts.take(places), tables.numbers.take(places)
    left = repeats[over] - once[over]
    ended = rows[over]
    state.repeats[ended] = left
    again = ended[left > 0]
    if not len(again):
        return ended
    return np.concatenate([ended[left == 0], go_on(games, again)])


def _give(games: Games, rows: Indices, gains: NDArray[np.uint16]) -> None:
    """Gives the seats to act what effects bring, by op (`GIVEN`), [M, 7]."""
    seats = games.seats(rows)
    florins, vp, half_die, males, females, offspring, steps = gains.T
    games.florins[seats] += florins
    points = vp + half_die * _half_dice(games, rows, seats)
    scoring = points.nonzero()[0]
    if len(scoring):
        sources = games.tables.sources.take(games.state.effect.take(rows[scoring]))
        games.scores[seats[scoring], sources] += points[scoring]
    born = (males + females).nonzero()[0]
    if len(born):
        _move_in(games, seats[born], gains[born, 3:5])
    for number in range(int(offspring.max())):
        rolling = (offspring > number).nonzero()[0]
        dice = games.brides.take(seats[rolling]) + 1
        _move_in(games, seats[rolling], draws.offspring(games, rows[rolling], dice))
    stepping = steps.nonzero()[0]
    if len(stepping):
        advance_discs(games, rows[stepping], seats[stepping], steps[stepping])


def _half_dice(games: Games, rows: Indices, seats: Indices) -> NDArray[np.uint16]:
    """Returns half the die just placed, rounded up (N1), [M]; 0 or more without a die."""
    colors = np.minimum(games.state.color.take(rows), games.placed.shape[1] - 1)
    values = games.placed[seats, colors]
    return (values + np.uint8(1) >> 1).astype(np.uint16)


def _move_in(games: Games, seats: Indices, numbers: NDArray[np.integer]) -> None:
    """Moves meeples by sex [M, 2] from the General Stock, as far as there are any (S8.3)."""
    stock = games.stock.take(seats, axis=0)
    moved = np.minimum(stock, numbers).astype(np.uint8)
    games.stock[seats] = stock - moved
    games.supply[seats] += moved


def advance_discs(games: Games, rows: Indices, seats: Indices, steps: NDArray[np.integer]) -> None:
    """Moves initiative discs up, on top of the stacks there; not from the top (S9.4, B11)."""
    top = len(games.config.edition.initiative_vp) - 1
    old = games.initiative.take(seats)
    new = np.minimum(old + steps, top).astype(np.uint8)
    moving = (new > old).nonzero()[0]
    if len(moving) < len(rows):
        rows, seats, old, new = rows[moving], seats[moving], old[moving], new[moving]
    everyone = games.all_seats(rows)
    slots, height = games.initiative.take(everyone), games.height.take(seats)
    heights = games.height.take(everyone)
    games.height[everyone] = heights - ((slots == old[:, None]) & (heights > height[:, None]))
    games.initiative[seats] = new
    games.height[seats] = np.einsum("ij->i", (slots == new[:, None]).view(np.uint8))


def arrive(games: Games, rows: Indices, places: Indices, board_rows: Indices) -> None:
    """Puts a meeple on the lowest slot of a city, and takes a tile whose House is missing.

    Args:
        games: the games.
        rows: those in which a meeple comes to a city (S8.2, S8.5), [M].
        places: 2 * city, and 1 more for the mission tile, [M].
        board_rows: rows of the board for the tile, [M] (S10.2).
    """
    cities, seats = places >> 1, games.seats(rows)
    games.meeples.ravel()[seats * NUM_CITIES + cities] += 1
    slots = rows * NUM_CITIES + cities
    taken = games.taken.ravel().take(slots) + np.uint8(1)
    games.taken.ravel()[slots] = taken
    games.lowest.ravel()[slots] = games.tables.lowest[cities, taken]
    games.cheapest[rows] = games.lowest.take(rows, axis=0).min(axis=1)
    tiles, places = games.state.city_tiles.ravel(), rows * (2 * NUM_CITIES) + places
    kinds = tiles.take(places)
    lines = seats * NUM_ROWS + board_rows
    shields = lines * NUM_HOUSES + (kinds >> 2)
    wanted = (games.missing.ravel().take(shields, mode="clip") > 0) & (kinds < NO_TILE)
    which = wanted.nonzero()[0]
    if len(which):
        shields, kinds = shields[which], kinds[which]
        games.missing.ravel()[shields] -= 1
        games.held.ravel()[shields] += 1
        games.row_vp.ravel()[lines[which]] += (kinds & 3) + np.uint8(2)
        tiles[places[which]] = NO_TILE
