"""What is turned up: cards, tiles and the display of M games at once (T4, T5, T8.8).

One event of chance draws one piece in each game, so several pieces are drawn one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.chance import event_words
from gonzaga_env.tuscany.batch.games import Games, row_sums
from gonzaga_env.tuscany.constants import (
    AGRICULTURE,
    DISPLAY_SIZE,
    FIRST_CROP_KIND,
    HEXAGON,
    KINDS_OF_COLOUR,
    NUM_COLOURS,
    NUM_OWN_TILES,
    SWEEP_SIZE,
    TILE_COLOURS,
)

Pile = NDArray[np.uint8]  # pieces by kind, [rows, K]

#: The kinds of a colour, [8, 17] bool.
_OF_COLOUR = np.array(TILE_COLOURS) == np.arange(NUM_COLOURS)[:, None]
#: The first kind of each colour; that of agriculture is one of ten.
FIRST_KINDS = np.array([kinds[0] for kinds in KINDS_OF_COLOUR])


def colour_counts(tiles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the number of tiles of each colour, [M, 8], from those of each piece."""
    counts = tiles.take(FIRST_KINDS, axis=1)
    counts[:, AGRICULTURE] = row_sums(tiles[:, FIRST_CROP_KIND:HEXAGON])
    return counts


def one_by_one(numbers: NDArray[np.integer]) -> Iterator[Indices]:
    """Yields which of M games have an i-th piece to draw, for i from 0 on."""
    for i in range(int(numbers.max(initial=0))):
        yield (numbers > i).nonzero()[0]


def draw_cards(games: Games, rows: Indices, numbers: NDArray[np.integer]) -> None:
    """Draws region cards for the seats to act, as far as there are any (T4.2)."""
    state = games.state
    for which in one_by_one(numbers):
        drawing, colours = draw(games, rows[which], state.deck, state.discards)
        games.hand[games.seats(drawing), colours] += 1


def draw_yields(games: Games, rows: Indices) -> tuple[Indices, Indices]:
    """Reveals a yield card in each game; returns the games that had one, and its kind (T8.8)."""
    return draw(games, rows, games.state.yield_deck, games.state.yield_discards)


def refill(games: Games, rows: Indices) -> None:
    """Fills displays up after the seat to act took a tile, and sweeps them (T5.3 to T5.5)."""
    seats = games.seats(rows)
    empty = games.turned.take(seats) == NUM_OWN_TILES
    if empty.any():
        _turn_neutral(games, rows[empty])  # T5.4
        owners, own = rows[~empty], seats[~empty]
    else:
        owners, own = rows, seats
    if len(owners):
        kinds = pick(games, owners, games.stacks, own)
        games.turned[own] += 1
        games.state.display[owners, kinds] += 1
    _sweep(games, rows)


def fill_display(games: Games, rows: Indices) -> None:
    """Turns up the opening displays (T2.4)."""
    for _ in range(DISPLAY_SIZE):
        _turn_neutral(games, rows)


def _turn_neutral(games: Games, rows: Indices) -> None:
    state = games.state
    turning, kinds = draw(games, rows, state.neutral, state.aside)
    state.display[turning, kinds] += 1


def _sweep(games: Games, rows: Indices) -> None:
    """Replaces crowded colours until no display has any (T5.5)."""
    state = games.state
    while True:
        counts = colour_counts(state.display.take(rows, axis=0))
        crowded = (counts >= SWEEP_SIZE).nonzero()[0]
        if not len(crowded):
            return
        rows, counts = rows[crowded], counts[crowded]
        swept = _OF_COLOUR[counts.argmax(axis=1)]
        # No sweep while no other colour could follow.
        others = ((state.neutral[rows] + state.aside[rows]) * ~swept).any(axis=1)
        rows, swept = rows[others], swept[others]
        tiles = state.display[rows] * swept
        state.display[rows] -= tiles
        state.aside[rows] += tiles
        for which in one_by_one(row_sums(tiles)):
            _turn_neutral(games, rows[which])


def draw(games: Games, rows: Indices, pile: Pile, discards: Pile) -> tuple[Indices, Indices]:
    """Draws a piece in each game; an empty pile is renewed first.

    Args:
        games: the games.
        rows: those that draw, [M].
        pile: [N, K].
        discards: what it is renewed with, [N, K].

    Returns:
        The games that had a piece to draw, and its kind.
    """
    empty = row_sums(pile.take(rows, axis=0)) == 0
    if empty.any():
        renewed = rows[empty]
        pile[renewed], discards[renewed] = discards[renewed], 0
        rows = rows[pile.take(rows, axis=0).any(axis=1)]
    return rows, pick(games, rows, pile, rows)


def pick(games: Games, rows: Indices, pile: Pile, pile_rows: Indices) -> Indices:
    """Takes a random piece of each pile, which has one; returns its kind, [M] (see `chance`).

    Args:
        games: the games.
        rows: those that draw, [M].
        pile: piles by row, [rows, K].
        pile_rows: the pile of each game, [M].
    """
    state = games.state
    # Sums of the first kinds, exact in float32; faster than `cumsum` over so few.
    sums = pile.take(pile_rows, axis=0).astype(np.float32) @ _upper(pile.shape[1])
    events = state.event.take(rows)
    words = event_words(games.streams.take(rows), events)
    places = (words % sums[:, -1].astype(np.uint64)).astype(np.float32)
    kinds = np.einsum("ij->i", (sums <= places[:, None]).view(np.uint8)).astype(np.int64)
    state.event[rows] = events + np.uint32(1)
    pile[pile_rows, kinds] -= 1
    return kinds


@cache
def _upper(size: int) -> NDArray[np.float32]:
    """Returns the matrix that turns numbers into the sums of the first ones, [K, K]."""
    return np.triu(np.ones((size, size), np.float32))
