"""What is turned up: cards, tiles and the display of M games at once (T4, T5, T8.8).

Each piece takes an event of chance, but pieces drawn from one pile are drawn together: only how
many of each kind they are matters (see `pick`).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.chance import event_word, event_words
from gonzaga_env.tabletop.rows import row_sums
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.batch.games import Games

Pile = NDArray[np.uint8]  # pieces by kind, [rows, K]

#: The kinds of a colour, [8, 17] bool.
_OF_COLOUR = np.array(c.TILE_COLOURS) == np.arange(c.NUM_COLOURS)[:, None]
_NOWHERE = np.float32(2**20)  # a place behind all pieces
_FEW = 2  # games in which pieces are quicker drawn one by one
#: The first kind of each colour; that of agriculture is one of ten.
FIRST_KINDS = np.array(c.FIRST_KINDS)


def colour_counts(tiles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the number of tiles of each colour, [M, 8], from those of each piece."""
    counts = tiles.take(FIRST_KINDS, axis=1)
    counts[:, c.AGRICULTURE] = row_sums(tiles[:, c.FIRST_CROP_KIND : c.HEXAGON])
    return counts


def draw_cards(games: Games, rows: Indices, numbers: NDArray[np.integer]) -> None:
    """Draws region cards for the seats to act, as far as there are any (T4.2)."""
    state = games.state
    games.hand[games.seats(rows)] += draw(games, rows, state.deck, state.discards, numbers)


def draw_yields(games: Games, rows: Indices) -> Indices:
    """Reveals a yield card in each game; returns their kinds (T8.8), [M].

    There is one at any time: each is discarded before the next.
    """
    deck, discards = games.state.yield_deck, games.state.yield_discards
    empty = rows[row_sums(deck.take(rows, axis=0)) == 0]
    if len(empty):
        deck[empty], discards[empty] = discards[empty], 0
    return pick_one(games, rows, deck, rows)


def refill(games: Games, rows: Indices) -> None:
    """Fills displays up after the seat to act took a tile, and sweeps them (T5.3 to T5.5)."""
    seats = games.seats(rows)
    turned = games.turned.take(seats)
    empty = turned == c.NUM_OWN_TILES
    neutral = empty.nonzero()[0]
    own = rows
    if len(neutral):  # T5.4
        _turn_neutral(games, rows[neutral], np.ones(len(neutral), np.uint8))
        own, seats, turned = rows[~empty], seats[~empty], turned[~empty]
    games.state.display[own, pick_one(games, own, games.stacks, seats)] += 1
    games.turned[seats] = turned = turned + np.uint8(1)
    games.most_turned[own] = np.maximum(games.most_turned.take(own), turned)
    _sweep(games, rows)


def fill_display(games: Games, rows: Indices) -> None:
    """Turns up the opening displays (T2.4)."""
    _turn_neutral(games, rows, np.full(len(rows), c.DISPLAY_SIZE, np.uint8))


def _turn_neutral(games: Games, rows: Indices, numbers: NDArray[np.integer]) -> None:
    state = games.state
    state.display[rows] += draw(games, rows, state.neutral, state.aside, numbers)


def _sweep(games: Games, rows: Indices) -> None:
    """Replaces crowded colours until no display has any (T5.5)."""
    state = games.state
    for _ in range(c.MOST_SWEEPS):
        counts = colour_counts(state.display.take(rows, axis=0))
        crowded = (counts.ravel() >= c.SWEEP_SIZE).nonzero()[0] // c.NUM_COLOURS
        if not len(crowded):
            return
        rows, counts = rows[crowded], counts[crowded]
        swept = _OF_COLOUR[counts.argmax(axis=1)]
        # No sweep while no other colour could follow.
        others = ((state.neutral.take(rows, axis=0) + state.aside.take(rows, axis=0)) * ~swept).any(
            axis=1
        )
        rows, swept = rows[others], swept[others]
        display = state.display.take(rows, axis=0)
        tiles = display * swept
        state.display[rows] = display - tiles
        state.aside[rows] = state.aside.take(rows, axis=0) + tiles
        _turn_neutral(games, rows, row_sums(tiles))


def draw(
    games: Games, rows: Indices, pile: Pile, discards: Pile, numbers: NDArray[np.integer]
) -> NDArray[np.uint8]:
    """Draws numbers of pieces [M] from the games' piles; returns those of each kind, [M, K].

    A pile is renewed with its discards when it is empty, and there may be fewer pieces.
    """
    left = row_sums(pile.take(rows, axis=0))
    drawn = pick(games, rows, pile, rows, np.minimum(numbers, left))
    short = (numbers > left).nonzero()[0]
    if len(short):
        renewed = rows[short]
        pile[renewed], discards[renewed] = discards[renewed], 0
        rest = np.minimum(numbers[short] - left[short], row_sums(pile[renewed]))
        drawn[short] += pick(games, renewed, pile, renewed, rest)
    return drawn


def pick(
    games: Games, rows: Indices, pile: Pile, pile_rows: Indices, numbers: NDArray[np.integer]
) -> NDArray[np.uint8]:
    """Takes random pieces from piles that have them (see `chance`).

    A pile is held as sums: how many pieces are of the first kinds. The piece at a place is of the
    first kind whose sum is greater, and taking it lowers this sum and all later ones by one.

    Args:
        games: the games.
        rows: those that draw, [M].
        pile: piles by row, [rows, K].
        pile_rows: the pile of each game, [M].
        numbers: pieces to take, [M].

    Returns:
        Pieces of each kind, [M, K].
    """
    if len(rows) <= _FEW:
        return _pick_in_few(games, rows, pile, pile_rows, numbers)
    events = games.state.event.take(rows)
    counts = pile.take(pile_rows, axis=0)
    sums = counts @ _upper(pile.shape[1])
    order = np.arange(numbers.max(initial=0), dtype=np.uint32)
    words = event_words(games.streams.take(rows)[:, None], events[:, None] + order)
    left = np.maximum(sums[:, -1:] - order.astype(np.float32), 1)
    places = (words % left.astype(np.uint64)).astype(np.float32)
    places += (order >= numbers[:, None]) * _NOWHERE
    for place in places.T[:, :, None]:
        sums -= sums > place
    rest = np.empty_like(counts)
    rest[:, 0] = sums[:, 0]
    np.subtract(sums[:, 1:], sums[:, :-1], out=rest[:, 1:], casting="unsafe")
    pile[pile_rows] = rest
    games.state.event[rows] = events + numbers
    return counts - rest


def _pick_in_few(
    games: Games, rows: Indices, pile: Pile, pile_rows: Indices, numbers: NDArray[np.integer]
) -> NDArray[np.uint8]:
    """Does what `pick` does, one game and one piece after the other."""
    picked = np.zeros((len(rows), pile.shape[1]), np.uint8)
    for game, row, pile_row, number in zip(picked, rows, pile_rows, numbers.tolist(), strict=True):
        left, event = pile[pile_row].tolist(), int(games.state.event[row])
        start, size = int(games.streams[row]), sum(left)
        for i in range(number):
            place, kind = event_word(start, event + i) % (size - i), 0
            while place >= left[kind]:
                place -= left[kind]
                kind += 1
            left[kind] -= 1
            game[kind] += 1
        pile[pile_row] = left
        games.state.event[row] = event + number
    return picked


def pick_one(games: Games, rows: Indices, pile: Pile, pile_rows: Indices) -> Indices:
    """Takes a random piece from each pile, none of which is empty; returns their kinds, [M]."""
    events = games.state.event.take(rows)
    sums = pile.take(pile_rows, axis=0) @ _upper(pile.shape[1])
    places = event_words(games.streams.take(rows), events) % sums[:, -1].astype(np.uint64)
    kinds = (sums > places.astype(np.float32)[:, None]).argmax(axis=1)
    pile[pile_rows, kinds] -= 1
    games.state.event[rows] = events + np.uint32(1)
    return kinds


@cache
def _upper(size: int) -> NDArray[np.float32]:
    """Returns the matrix that turns numbers into the sums of the first ones, [K, K].

    In float32, which is exact here and much faster than `cumsum` over so few.
    """
    return np.triu(np.ones((size, size), np.float32))
