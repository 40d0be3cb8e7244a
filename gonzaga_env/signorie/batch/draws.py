"""What chance turns up in M games at once, an event a word (see `signorie.state`)."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch.games import Games
from gonzaga_env.signorie.batch.tables import NO_DECK
from gonzaga_env.signorie.state.deals import dice_counts
from gonzaga_env.signorie.state.state import NO_TILE
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.chance import event_word, event_words
from gonzaga_env.tabletop.rows import row_sums

_FIRST_MALE = 4  # of the faces of an offspring die (S8.3)
_MOST_OFFSPRING = 5
_FEW = 4  # games in which tiles are quicker drawn one by one


def words(
    games: Games, rows: Indices, most: int, numbers: NDArray[np.uint8] | int
) -> NDArray[np.uint64]:
    """Returns words of the next events of each game, [M, most], of which some are used, [M]."""
    events = games.state.event.take(rows)
    games.state.event[rows] = events + numbers
    order: NDArray[np.uint32] = np.arange(most, dtype=np.uint32)
    return event_words(games.streams.take(rows)[:, None], events[:, None] + order)


def tiles(games: Games, rows: Indices, numbers: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Draws some tiles for each game [M] from a deck that has them.

    A deck is held as sums: how many tiles are of the first kinds. The tile at a place is of the
    first kind whose sum is greater, and taking it lowers this sum and all later ones by one.

    Returns:
        Their kinds in the order of drawing, [M, most]; NO_TILE after the last.
    """
    if len(rows) <= _FEW:
        return _tiles_in_few(games, rows, numbers)
    deck, order = games.state.deck, np.arange(numbers.max(initial=0), dtype=np.uint8)
    sums = deck.take(rows, axis=0).cumsum(axis=1, dtype=np.uint8)
    left = np.maximum(sums[:, -1:], order + np.uint8(1)) - order
    places = (words(games, rows, len(order), numbers) % left).astype(np.uint8)
    places[order >= numbers[:, None]] = 255  # no sum is greater
    kinds = np.empty_like(places)
    for i in range(len(order)):
        later = sums > places[:, i : i + 1]
        kinds[:, i] = c.NUM_TILES - row_sums(later.view(np.uint8))
        sums -= later
    games.deck_size[rows] = size = sums[:, -1]
    games.code[rows] |= (size == 0).view(np.uint8) * NO_DECK
    sums[:, 1:] -= sums[:, :-1].copy()
    deck[rows] = sums
    return kinds


def _tiles_in_few(games: Games, rows: Indices, numbers: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Does what `tiles` does, one game and one tile after the other."""
    kinds = np.full((len(rows), numbers.max(initial=0)), NO_TILE, np.uint8)
    for drawn, row, number in zip(kinds, rows, numbers.tolist(), strict=True):
        deck, event = games.state.deck[row].tolist(), int(games.state.event[row])
        start, size = int(games.streams[row]), sum(deck)
        for i in range(number):
            place, kind = event_word(start, event + i) % (size - i), 0
            while place >= deck[kind]:
                place -= deck[kind]
                kind += 1
            deck[kind] -= 1
            drawn[i] = kind
        games.state.deck[row], games.deck_size[row] = deck, size - number
        games.state.event[row] = event + number
        if size == number:
            games.code[row] |= NO_DECK
    return kinds


def dice(games: Games, rows: Indices) -> NDArray[np.uint8]:
    """Rolls all action dice; returns their numbers by color and value (S4.2), [M, 5, 6]."""
    number = games.edition.dice_of_color(games.num_players)
    rolls = words(games, rows, c.NUM_COLORS, c.NUM_COLORS) % np.uint64(c.NUM_FACES**number)
    return dice_counts(number).take(rolls.astype(np.int64), axis=0)


def assignments(games: Games, rows: Indices) -> NDArray[np.uint8]:
    """Shuffles the assignment tiles; returns those on each slot (S4.3), [M, 10]."""
    found = words(games, rows, c.NUM_ASSIGNMENTS, c.NUM_ASSIGNMENTS)
    return found.argsort(axis=1, kind="stable").astype(np.uint8)


def offspring(games: Games, rows: Indices, numbers: NDArray[np.integer]) -> NDArray[np.uint8]:
    """Rolls offspring dice [M]; returns males and females (S8.3), [M, 2]."""
    rolls = words(games, rows, 1, 1)[:, 0] % np.uint64(c.NUM_FACES) ** numbers.astype(np.uint64)
    males = _males()[numbers, rolls.astype(np.int64)]
    return np.stack([males, numbers - males], axis=1).astype(np.uint8)


@cache
def _males() -> NDArray[np.uint8]:
    """Returns the males among dice, by the number of dice and the number that they are."""
    found = np.zeros((_MOST_OFFSPRING + 1, c.NUM_FACES**_MOST_OFFSPRING), np.uint8)
    for number in range(1, _MOST_OFFSPRING + 1):
        counts = dice_counts(number)
        found[number, : len(counts)] = counts[:, _FIRST_MALE - 1 :].sum(axis=1)
    return found
