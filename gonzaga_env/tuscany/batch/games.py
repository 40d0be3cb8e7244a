"""The games of a batch, draws of cards and tiles (T4, T5, T8.8), and points (T7, T11).

Each piece takes an event of chance, but pieces drawn from one pile are drawn together: only how
many of each kind they are matters (see `pick`).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.batch import SeatArrays
from gonzaga_env.kernel.chance import event_word, event_words, stream_starts
from gonzaga_env.kernel.rows import merge_seats, row_sums
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board import ACTIONS, Cells, region_numbers, region_tables
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.state import State


class Games(SeatArrays):
    """N games of P players.

    Arrays of players have one row for each seat here, game * P + seat, and are views of the
    state's, which are changed in place and never replaced. What follows from the state is cached
    with it.
    """

    state: State

    def __init__(self, config: GameConfig, state: State) -> None:
        self.config, self.state, self.num_players = config, state, config.num_players
        self.regions = region_tables(config.edition.boards)
        self.boards, self.layout = merge_seats(state.boards), merge_seats(state.layout)
        self.covered, self.wooden = merge_seats(state.covered), merge_seats(state.wooden)
        self.crops, self.hand = merge_seats(state.crops), merge_seats(state.hand)
        self.storage, self.bonus = merge_seats(state.storage), merge_seats(state.bonus)
        self.marble, self.workers = merge_seats(state.marble), merge_seats(state.workers)
        self.stacks, self.scores = merge_seats(state.stacks), merge_seats(state.scores)
        seats = len(self.boards)
        self.region = np.empty(seats, np.int64)  # number in `regions`
        self.near = np.empty(seats, np.uint32)  # sets of cells that touch a covered one
        self.turned = np.empty(seats, np.uint8)  # own tiles turned (T10.1)
        n = state.num_games
        self.most_turned = np.empty(n, np.uint8)  # the largest number of a player
        self.acting = np.empty(n, np.int64)  # the row of the seat to act in arrays by seat
        self.streams = np.empty(n, np.uint64)  # what chance is computed from (`stream_starts`)
        self.legal = np.empty((n, ACTIONS.size), np.bool_)  # actions of the seat to act
        self.num_legal = np.empty(n, np.int64)
        self.derive(np.arange(state.num_games))

    def derive(self, rows: Indices) -> None:
        """Computes what follows from the state of some games, but for their legal actions."""
        state = self.state
        self.streams[rows] = stream_starts(state.seed[rows], state.episode[rows])
        self.acting[rows] = rows * self.num_players + state.seat[rows]
        seats = self.all_seats(rows).ravel()
        self.region[seats] = region = region_numbers(self.boards[seats], self.layout[seats])
        cells = np.arange(c.NUM_CELLS, dtype=np.uint32)
        covered = (self.covered[seats, None] >> cells & 1).astype(np.bool_)
        touched = np.where(covered, self.regions.neighbours[region], np.uint32(0))
        self.near[seats] = np.bitwise_or.reduce(touched, axis=1)
        self.turned[seats] = turned = c.NUM_OWN_TILES - row_sums(self.stacks.take(seats, axis=0))
        self.most_turned[rows] = turned.reshape(-1, self.num_players).max(axis=1)


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
    """Reveals the opening displays (T2.4)."""
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
    """Takes random pieces from piles that have them (see `chance`), [M, K] of each kind.

    A pile is held as sums, [rows, K]: how many pieces are of the first kinds. The piece at a place
    is of the first kind whose sum is greater, and taking it lowers this sum and all later ones by
    one. Each of `rows` takes so many pieces from the pile of its number, [M].
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


_ZONE_POINTS = np.array(c.ZONE_POINTS, np.int16)
#: The crops of each piece; a wooden hexagon shows none, [18, 4].
_SHOWN = (np.array((*c.TILE_CROPS, 0))[:, None] >> np.arange(4) & 1).astype(np.bool_)


def score_piece(
    games: Games,
    rows: Indices,
    seats: Indices,
    cells: NDArray[np.uint8],
    colours: NDArray[np.uint8],
    pieces: NDArray[np.integer],
) -> None:
    """Scores pieces that have just covered a cell: zone, colour, crops (T7, T8.4); all are [M]."""
    region, empty = games.region.take(seats), ~games.covered.take(seats)
    zones = games.regions.zones[region, cells]
    points = _ZONE_POINTS.take(np.bitwise_count(zones)) * (zones & empty == 0)  # T7.1
    games.scores[:, c.ZONES][seats] += points
    complete = (games.regions.colour_cells[region, colours] & empty == 0).nonzero()[0]
    if len(complete):
        _score_colours(games, rows[complete], seats[complete], colours[complete])
    fields = (colours == c.AGRICULTURE).nonzero()[0]
    if len(fields):
        _score_crops(games, seats[fields], cells[fields], zones[fields], pieces[fields])


def _score_colours(games: Games, rows: Indices, seats: Indices, colours: NDArray[np.uint8]) -> None:
    """Scores colours that are complete, for the first two players (T7.2)."""
    everyone = games.all_seats(rows)
    cells = games.regions.colour_cells[games.region[everyone], colours[:, None]]
    before = (cells & ~games.covered[everyone] == 0).sum(axis=1) - 1
    games.scores[:, c.COLOUR_BONUS][seats] += _colour_points(games.config)[colours, before]


def _colour_points(config: GameConfig) -> NDArray[np.int16]:
    """Returns the points for a colour by the number of players before, [8, P]."""
    points = np.zeros((c.NUM_COLOURS, config.num_players), np.int16)
    points[:, :2] = config.colour_points
    return points


def _score_crops(
    games: Games,
    seats: Indices,
    cells: NDArray[np.uint8],
    zones: Cells,
    pieces: NDArray[np.integer],
) -> None:
    """Scores crops that are new in the zone; a wooden hexagon always is (T8.4)."""
    crops, shown = games.crops.take(seats, axis=0), _SHOWN.take(pieces, axis=0)
    new = shown & (crops & zones[:, None] == 0)
    games.scores[:, c.CROP_POINTS][seats] += new.sum(axis=1, dtype=np.int16) + (pieces == c.HEXAGON)
    bits = np.uint32(1) << cells.astype(np.uint32)
    games.crops[seats] = crops | bits[:, None] * shown


def score_rounds(games: Games, rows: Indices) -> None:
    """Adds the green points to the red ones (T11.1)."""
    if not len(rows):
        return
    seats = games.all_seats(rows)
    source = c.ROUND_1 + games.state.round[rows, None].astype(np.int64) - 1
    games.scores[seats, source] = games.scores[seats, c.GREEN].sum(axis=2, dtype=np.int16)


def finish(games: Games, rows: Indices) -> None:
    """Scores what is left (T11.2) and ends games."""
    if not len(rows):
        return
    seats = games.all_seats(rows).ravel()
    storage = games.storage.take(seats, axis=0)
    left = (
        row_sums(storage[:, : c.HEXAGON]),
        storage[:, c.HEXAGON],
        games.marble.take(seats),
        games.workers.take(seats),
        row_sums(games.hand.take(seats, axis=0)) // c.CARDS_PER_POINT,
    )
    for source, points in enumerate(left, start=c.END_TILES):
        games.scores[:, source][seats] = points
    games.state.finished[rows], games.state.kind[rows] = True, c.OVER
