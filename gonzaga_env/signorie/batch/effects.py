"""Effects of many games: what they give at once, and which decisions they ask for (N2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch import draws
from gonzaga_env.signorie.batch.games import Games
from gonzaga_env.signorie.batch.tables import AT_TOP, DONE
from gonzaga_env.signorie.state.state import NO_TILE
from gonzaga_env.tabletop.arguments import Indices


def begin(games: Games, rows: Indices, effects: NDArray[np.integer] | int, repeats: int) -> None:
    """Makes effects run from their first parts, a number of times; `go_on` does them."""
    games.state.effect[rows], games.state.part[rows] = effects, 0
    games.state.repeats[rows] = repeats


def go_on(games: Games, rows: Indices) -> Indices:
    """Does the running effects from their parts on, up to the next decision.

    Returns:
        The games whose effect is over.
    """
    state, tables = games.state, games.tables
    parts, repeats = state.part.take(rows), state.repeats.take(rows)
    places = state.effect.take(rows) * np.int64(tables.num_parts) + parts
    kinds = tables.kinds.take(places)
    over = kinds == DONE
    # Parts without a decision are given all at once, as often as they repeat.
    once = np.where(over & (parts == 0), repeats, np.uint8(1))
    giving = tables.gives.take(places).nonzero()[0]
    if len(giving):
        gains = tables.gains.take(places[giving], axis=0) * once[giving, None]
        _give(games, rows[giving], gains)
    state.kind[rows], state.part[rows] = kinds, tables.parts.take(places)
    state.left[rows] = tables.numbers.take(places)
    left, ended = (repeats - once)[over], rows[over]
    state.repeats[ended] = left
    again = ended[left > 0]
    return np.concatenate([ended[left == 0], go_on(games, again)]) if len(again) else ended


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
    advance_discs(games, rows[stepping], steps[stepping])


def _half_dice(games: Games, rows: Indices, seats: Indices) -> NDArray[np.uint16]:
    """Returns half the die just placed, rounded up (N1), [M]; any number without a die."""
    colors = np.minimum(games.state.color.take(rows), c.NUM_COLORS - 1)
    values = games.placed.ravel().take(seats * c.NUM_COLORS + colors)
    return (values + np.uint8(1) >> 1).astype(np.uint16)


def _move_in(games: Games, seats: Indices, numbers: NDArray[np.integer]) -> None:
    """Moves meeples by sex [M, 2] from the General Stock, as far as there are any (S8.3)."""
    stock = games.stock.take(seats, axis=0)
    moved = np.minimum(stock, numbers).astype(np.uint8)
    games.stock[seats] = stock - moved
    games.supply[seats] = games.supply.take(seats, axis=0) + moved


def advance_discs(games: Games, rows: Indices, steps: NDArray[np.integer]) -> None:
    """Moves initiative discs up, on top of the stacks there; not from the top (S9.4, B11)."""
    if not len(rows):
        return
    top, seats = len(games.edition.initiative_vp) - 1, games.seats(rows)
    new = np.minimum(games.initiative.take(seats) + steps, top).astype(np.uint8)
    moving = (games.seat_code.take(seats) < AT_TOP).nonzero()[0]
    rows, seats, new = rows[moving], seats[moving], new[moving]
    everyone = games.all_seats(rows)
    slots, heights = games.initiative.take(everyone), games.height.take(everyone)
    above = slots == games.initiative.take(seats)[:, None]
    above &= heights > games.height.take(seats)[:, None]
    games.height[everyone] = heights - above
    games.initiative[seats] = new
    games.height[seats] = np.einsum("ij->i", (slots == new[:, None]).view(np.uint8))
    games.seat_code[seats] |= (new == top).view(np.uint8) * AT_TOP


def arrive(games: Games, rows: Indices, places: Indices, board_rows: Indices) -> None:
    """Puts a meeple on a city's lowest slot, and takes a tile whose House is missing (S8.2, S8.5).

    `places` are 2 * city, and 1 more for the mission tile; it goes to a row of the board (S10.2).
    """
    cities, seats = places >> 1, games.seats(rows)
    games.meeples.ravel()[seats * c.NUM_CITIES + cities] += 1
    slots = rows * c.NUM_CITIES + cities
    taken = games.taken.ravel().take(slots) + np.uint8(1)
    games.taken.ravel()[slots] = taken
    games.lowest.ravel()[slots] = games.tables.lowest[cities, taken]
    games.cheapest[rows] = games.lowest.take(rows, axis=0).min(axis=1)
    tiles, places = games.state.city_tiles.ravel(), rows * (2 * c.NUM_CITIES) + places
    kinds = tiles.take(places)
    lines = seats * c.NUM_ROWS + board_rows
    shields = lines * c.NUM_HOUSES + (kinds >> 2)
    wanted = (games.missing.ravel().take(shields, mode="clip") > 0) & (kinds < NO_TILE)
    which = wanted.nonzero()[0]
    shields, kinds = shields[which], kinds[which]
    games.missing.ravel()[shields] -= 1
    games.held.ravel()[shields] += 1
    games.row_vp.ravel()[lines[which]] += (kinds & 3) + np.uint8(2)
    tiles[places[which]] = NO_TILE
