"""What chance turns up in M games at once, an event a word (see `signorie.state`)."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie.batch.games import Games, row_sums
from gonzaga_env.signorie.constants import (
    DICE_PER_COLOR,
    MIN_PLAYERS,
    NUM_ASSIGNMENTS,
    NUM_COLORS,
    NUM_FACES,
    NUM_TILES,
    TILES_PER_HOUSE,
)
from gonzaga_env.signorie.state.deals import dice_counts
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.chance import event_words

_FIRST_MALE = 4  # of the faces of an offspring die (S8.3)


def words(
    games: Games, rows: Indices, most: int, numbers: NDArray[np.uint8] | int
) -> NDArray[np.uint64]:
    """Returns words of the next events of each game, [M, most], of which some are used, [M]."""
    events = games.state.event.take(rows)
    games.state.event[rows] = events + numbers
    places = events[:, None] + np.arange(most, dtype=np.uint32)
    return event_words(games.streams.take(rows)[:, None], places)


def tiles(games: Games, rows: Indices, numbers: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Draws tiles from decks that have them.

    A deck is held as sums: how many tiles are of the first kinds. The tile at a place is of the
    first kind whose sum is greater, and taking it lowers this sum and all later ones by one.

    Args:
        games: the games.
        rows: those that draw, [M].
        numbers: tiles to draw, [M].

    Returns:
        Their kinds in the order of drawing, [M, most]; NO_TILE after the last.
    """
    deck, most = games.state.deck, int(numbers.max(initial=0))
    sums = deck.take(rows, axis=0).cumsum(axis=1, dtype=np.uint8)
    order = np.arange(most, dtype=np.uint8)
    left = np.maximum(sums[:, -1:], order + np.uint8(1)) - order
    places = (words(games, rows, most, numbers) % left).astype(np.uint8)
    places[order >= numbers[:, None]] = NUM_TILES * TILES_PER_HOUSE  # none is greater
    kinds = np.empty_like(places)
    for i in range(most):
        later = sums > places[:, i : i + 1]
        kinds[:, i] = NUM_TILES - row_sums(later.view(np.uint8))
        sums -= later
    games.deck_size[rows] -= numbers
    sums[:, 1:] -= sums[:, :-1].copy()
    deck[rows] = sums
    return kinds


def dice(games: Games, rows: Indices) -> NDArray[np.uint8]:
    """Rolls all action dice; returns their numbers by color and value (S4.2), [M, 5, 6]."""
    number = DICE_PER_COLOR[games.num_players - MIN_PLAYERS]
    rolls = words(games, rows, NUM_COLORS, NUM_COLORS) % np.uint64(NUM_FACES**number)
    return dice_counts(number).take(rolls.astype(np.int64), axis=0)


def assignments(games: Games, rows: Indices) -> NDArray[np.uint8]:
    """Shuffles the assignment tiles; returns those on each slot (S4.3), [M, 10]."""
    order = words(games, rows, NUM_ASSIGNMENTS, NUM_ASSIGNMENTS).argsort(axis=1, kind="stable")
    return order.astype(np.uint8)


def offspring(games: Games, rows: Indices, numbers: NDArray[np.integer]) -> NDArray[np.uint8]:
    """Rolls offspring dice [M]; returns males and females (S8.3), [M, 2]."""
    number = numbers.astype(np.uint64)
    rolls = words(games, rows, 1, 1)[:, 0] % np.uint64(NUM_FACES) ** number
    males = _males()[numbers, rolls.astype(np.int64)]
    return np.stack([males, numbers - males], axis=1).astype(np.uint8)  # MALE, FEMALE


@cache
def _males() -> NDArray[np.uint8]:
    """Returns the males among dice, by the number of dice and the number that they are."""
    most = 5
    found = np.zeros((most + 1, NUM_FACES**most), np.uint8)
    for number in range(1, most + 1):
        counts = dice_counts(number)
        found[number, : len(counts)] = counts[:, _FIRST_MALE - 1 :].sum(axis=1)
    return found
