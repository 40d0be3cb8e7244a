"""States that a seat cannot tell apart: what it may not know is drawn at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.geometry import cells_of
from gonzaga_env.tuscany.board.regions import region_numbers, region_tables
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.state.payments import affordable
from gonzaga_env.tuscany.state.state import State

_MOST_DEALS = 1000  # of the cards of a game; one in ten is enough even where two units are rare


def draw_hidden(
    config: GameConfig, games: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Draws in place what one seat of each game does not know, but for the seed.

    Drawn uniformly among what agrees with the seat's observation: the other seats' hands, from all
    cards that it does not see; and until all have chosen, the other seats' boards, layouts and
    starting castles (T2.4). What a seat could remember of a reshuffled deck is not used.
    """
    _deal_hands(config, games, seats, rng)
    for game in np.flatnonzero(games.kind < c.STARTING_BONUS).tolist():
        _choose_regions(config, games, game, int(seats[game]), rng)


def _deal_hands(
    config: GameConfig, games: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Deals the cards that a seat does not see; who is about to pay can choose how (T6.2)."""
    todo, dealt = np.arange(games.num_games), games.copy()
    for _ in range(_MOST_DEALS):
        part = dealt.take(todo)
        _deal_cards(part, seats[todo], rng)
        good = _can_pay(config, part)
        games.put(todo[good], part.take(good.nonzero()[0]))
        todo = todo[~good]
        if not len(todo):
            return


def _can_pay(config: GameConfig, games: State) -> NDArray[np.bool_]:
    """Returns where the seat to act can pay, and in two ways if it is asked how, [N]."""
    rows, seat = np.arange(games.num_games), games.seat
    needed = np.select([games.kind == c.PAYMENT, games.kind == c.CROP], [2, 1], 0)
    asked = needed > 0
    rows, seat = rows[asked], seat[asked]
    region = region_numbers(games.boards[rows, seat], games.layout[rows, seat])
    colours = region_tables(config.edition.boards).colours[region, games.cell[rows]]
    ways = affordable(games.hand[rows, seat], games.workers[rows, seat], colours).sum(axis=1)
    able = ~asked
    able[rows] = ways >= needed[rows]
    return able


def _deal_cards(games: State, seats: NDArray[np.int64], rng: np.random.Generator) -> None:
    """Deals the other seats as many cards as they have, and leaves the rest as the deck."""
    rows, p = np.arange(games.num_games), games.num_players
    own, sizes = games.hand[rows, seats], games.hand.sum(axis=2, dtype=np.int64)
    unseen = games.deck.astype(np.int64) + games.hand.sum(axis=1) - own
    sizes[rows, seats] = 0
    # Shuffle the unseen cards and deal them from the first place on; the deck is seat P.
    places = np.arange(unseen.sum(axis=1).max(initial=0))
    colours = (places >= unseen.cumsum(axis=1)[..., None]).sum(axis=1)
    keys = np.where(colours < c.NUM_COLOURS, rng.random(colours.shape), 2.0)
    colours = np.take_along_axis(colours, keys.argsort(axis=1), axis=1)
    owners = (places >= sizes.cumsum(axis=1)[..., None]).sum(axis=1)
    cards = colours[..., None] == np.arange(c.NUM_COLOURS)
    for owner in range(p):
        games.hand[:, owner] = (cards & (owners == owner)[..., None]).sum(axis=1)
    games.deck[:] = (cards & (owners == p)[..., None]).sum(axis=1)
    games.hand[rows, seats] = own


def _choose_regions(
    config: GameConfig, games: State, game: int, seat: int, rng: np.random.Generator
) -> None:
    """Deals the other seats boards, and draws what they have chosen so far."""
    others = [other for other in range(games.num_players) if other != seat]
    own = int(games.boards[game, seat])
    dealt = np.zeros(len(others), np.int64)
    for place in (16, 4, 1):
        left = [number for number in range(4) if number != own // place % 4]
        dealt += place * rng.permutation(left)[: len(others)]
    games.boards[game, others] = dealt
    cells = region_tables(config.edition.boards).colour_cells
    for other in others:
        if games.layout[game, other] == c.NO_LAYOUT:
            continue
        games.layout[game, other] = rng.integers(c.NUM_LAYOUTS)
        if games.covered[game, other]:
            region = region_numbers(games.boards[game, other], games.layout[game, other])
            hexes = cells_of(int(cells[region, c.CASTLE]))
            games.covered[game, other] = 1 << int(rng.choice(hexes))
