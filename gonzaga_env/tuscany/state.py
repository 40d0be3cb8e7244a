"""The full state of games, and how chance is drawn.

Each piece that is drawn takes one event of chance, keyed by (seed, episode, event). Piles are
counts by kind, not orders: which piece lies on top is drawn when it is revealed, with the same
odds. So shuffling is adding the discards, nothing about an order is there to be hidden, and a
seat's ignorance is of hands alone. Event e of a game is word e of its stream (`kernel.chance`).

| event | draws |
|---|---|
| 0 to 134 | the deal (`draw_deals`) |
| from 135 | one piece each, in the order in which they are revealed |

The display takes the first eight of those, after the last starting bonus tile (T2.4).

To draw from a pile of n pieces, take the word modulo n: the piece is the one with that place when
the pile lies sorted by kind. An empty pile is renewed first, which takes no event; where there is
nothing to renew it with, nothing is drawn and no event is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Integers
from gonzaga_env.kernel.chance import MOST_EVENTS, random_keys
from gonzaga_env.kernel.engine import resampled
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.state import ArrayLayout, DealArrays, Origin, StateArrays, layout_of
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board import (
    CELL_BITS,
    FIRST_PAIR,
    NUM_TRIPLES,
    OWN,
    PAYMENTS,
    UNITS,
    WORKER,
    Cells,
    cells_of,
    region_numbers,
    region_tables,
)
from gonzaga_env.tuscany.config import GameConfig, Options
from gonzaga_env.tuscany.edition import BOARDS_PER_LETTER, MOST, NUM_REGION_CARDS

#: Events of a deal: one for the start, one for each board, one for each region card.
DEAL_EVENTS = 1 + 3 * BOARDS_PER_LETTER + NUM_REGION_CARDS


@dataclass(frozen=True, repr=False)
class Deal(DealArrays):
    """The random part of the setup of M games; the display is drawn when it is revealed."""

    start: Integers  # the starting player's seat, [M]
    boards: Integers  # each player's boards, 16 * A + 4 * B + C counted from 0, [M, P]
    hands: Integers  # region cards of each colour, five in all, [M, P, 8]


def draw_deals(config: GameConfig, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> Deal:
    """Returns the deals of M games (T2.2, T2.4, T12.3); the starting seat stays (T2.5).

    Event 0 modulo P is the start. Events 1 to 12 order the boards of each letter, and the other
    122 the region cards, sorted by colour: the first P boards and the first 5 * P cards are dealt,
    seat by seat.
    """
    num_players = config.num_players
    keys = random_keys(seeds, episodes, DEAL_EVENTS)
    starts, boards, cards = np.split(keys, [1, 1 + 3 * BOARDS_PER_LETTER], axis=1)
    order = boards.reshape(-1, 3, BOARDS_PER_LETTER).argsort(axis=2)[:, :, :num_players]
    colours = np.repeat(np.arange(c.NUM_COLOURS), config.edition.region_cards)
    dealt = colours[cards.argsort(axis=1)[:, : c.HAND_SIZE * num_players]]
    dealt = dealt.reshape(-1, num_players, c.HAND_SIZE, 1)
    return Deal(
        start=(starts[:, 0] % np.uint64(num_players)).astype(np.uint8),
        boards=(order.transpose(0, 2, 1) @ np.array([16, 4, 1])).astype(np.uint8),
        hands=(dealt == np.arange(c.NUM_COLOURS)).sum(axis=2).astype(np.uint8),
    )


def check_deal(config: GameConfig, deal: Deal, num_games: int) -> None:
    """Raises OptionError unless a deal is valid for these games (T2.4)."""
    by_seat = num_games, config.num_players
    shapes = {"start": (num_games,), "boards": by_seat, "hands": (*by_seat, c.NUM_COLOURS)}
    Deal.check_arrays(deal, shapes)
    if any((array < 0).any() for array in vars(deal).values()):
        raise OptionError("deal: the arrays hold no negative number")
    if (deal.start >= config.num_players).any() or (deal.boards >= NUM_TRIPLES).any():
        raise OptionError("deal: there is no such seat or board (T2.4)")
    numbers = np.stack([deal.boards // 16, deal.boards // 4 % 4, deal.boards % 4], axis=1)
    numbers = np.sort(numbers, axis=2)
    if (numbers[..., 1:] == numbers[..., :-1]).any():
        raise OptionError("deal: two players have the same board (T1.5)")
    if (deal.hands.sum(axis=2) != c.HAND_SIZE).any():
        raise OptionError(f"deal: each player has {c.HAND_SIZE} cards (T2.4)")
    if (deal.hands.sum(axis=1) > np.array(config.edition.region_cards)).any():
        raise OptionError("deal: more cards of a colour than there are (T1.4)")


Bytes = NDArray[np.uint8]
Truths = NDArray[np.bool_]


@dataclass(eq=False, repr=False)
class State(StateArrays):
    """The arrays; the game axis comes first everywhere.

    Piles, hands, display and storage are counts by kind (see `tuscany.state`), and sets of cells
    are the bits of a word. T = 17 kinds of tiles, Y kinds of yield cards.
    """

    MAGIC = b"tuscany-state-1\n"
    RULES = Options
    BY_PLAYER = "boards"

    seed: NDArray[np.uint64]  # [N]; with `episode` it decides all chance. Hidden
    episode: NDArray[np.uint32]  # games played before in this row, [N]
    event: NDArray[np.uint32]  # the next event of chance (see `tuscany.state`), [N]
    start: Bytes  # the starting player's seat, [N] (T2.5)
    seat: Bytes  # the seat to act, [N]; the last one where the game is over
    kind: Bytes  # what it decides, index in `KINDS`, [N]; OVER where the game is over
    piece: Bytes  # what is being taken (REMOVE) or placed (PAYMENT), [N]; else NO_PIECE
    cell: Bytes  # the cell that is being covered (CROP, PAYMENT, CASTLE_CROP), [N]; else NO_CELL
    marble_used: Truths  # whether this is the second action of the turn (T3.2), [N]
    new_hexagons: Bytes  # wooden hexagons won in this turn (B8), [N]
    round: Bytes  # the running one, 1 to 3, [N]; the last one where the game is over
    lap: Bytes  # from 1, [N]
    turns_left: Bytes  # until the end, the running one included, [N]; else NOT_FINAL (T10.3)
    finished: Truths  # [N]
    truncated: Truths  # whether the game was cut off after `max_laps`, [N]
    boards: Bytes  # each player's boards, 16 * A + 4 * B + C counted from 0, [N, P]
    # Hidden from others, like the starting castle, until kind STARTING_BONUS:
    layout: Bytes  # how they are joined, [N, P]; NO_LAYOUT before it is chosen
    covered: Cells  # covered cells, [N, P] sets
    wooden: Cells  # cells covered by a wooden hexagon, [N, P] sets
    crops: Cells  # cells whose tile shows each crop, in the order of `CROPS`, [N, P, 4] sets
    hand: Bytes  # region cards by colour, [N, P, 8]; hidden from others, but for its size
    storage: Bytes  # pieces in storage by kind, wooden hexagons last, [N, P, 18] (T9.1)
    marble: Bytes  # [N, P]
    workers: Bytes  # [N, P]
    bonus: Bytes  # bonus tiles by type, [N, P, 5] (T9.2)
    stacks: Bytes  # own tiles still face down, [N, P, T]; the rest of the 21 is turned (T10.1)
    deck: Bytes  # region cards by colour, [N, 8]; hidden
    discards: Bytes  # region cards by colour, [N, 8]
    yield_deck: Bytes  # yield cards by kind, [N, Y]
    yield_discards: Bytes  # yield cards by kind, [N, Y]
    display: Bytes  # [N, T]; empty before kind MAIN (T2.4)
    neutral: Bytes  # neutral tiles face down, [N, T]
    aside: Bytes  # tiles set aside by sweeps, [N, T] (T5.5)
    scores: NDArray[np.int16]  # points by source, in the order of `SOURCES`, [N, P, 15]
    origin: Origin | None = None  # None for a state that was put together by hand

    @property
    def totals(self) -> NDArray[np.int16]:
        """Red points (T11.1), [N, P]."""
        return self.scores[:, :, c.RED].sum(axis=2, dtype=np.int16)

    @property
    def green(self) -> NDArray[np.int16]:
        """Green points, [N, P]."""
        return self.scores[:, :, c.GREEN].sum(axis=2, dtype=np.int16)


@lru_cache(maxsize=64)
def state_layout(config: GameConfig) -> dict[str, ArrayLayout]:
    edition, p, tiles = config.edition, config.num_players, c.NUM_TILE_KINDS
    yields = tuple(copies for *_, copies in edition.yield_cards)
    shapes = {
        **dict.fromkeys(("boards", "layout", "covered", "wooden", "marble", "workers"), (p,)),
        **{"crops": (p, len(c.CROPS)), "hand": (p, c.NUM_COLOURS), "stacks": (p, tiles)},
        **{"storage": (p, c.NUM_PIECE_KINDS), "bonus": (p, len(c.BONUS_TYPES))},
        "scores": (p, len(c.SOURCES)),
        **dict.fromkeys(("deck", "discards"), (c.NUM_COLOURS,)),
        **dict.fromkeys(("yield_deck", "yield_discards"), (len(yields),)),
        **dict.fromkeys(("display", "neutral", "aside"), (tiles,)),
    }
    fills = {
        **{"event": DEAL_EVENTS, "kind": c.LAYOUT, "round": 1, "lap": 1},
        **{"piece": c.NO_PIECE, "cell": c.NO_CELL, "layout": c.NO_LAYOUT},
        **{"turns_left": c.NOT_FINAL, "stacks": edition.player_tiles, "yield_deck": yields},
        "deck": edition.region_cards,  # less the hands, once dealt
        "neutral": edition.neutral_tiles,
    }
    values = {
        **dict.fromkeys(("seat", "start"), (0, p - 1)),
        "event": (0, MOST_EVENTS - 1),
        "kind": (0, c.OVER),
        "piece": (0, c.NO_PIECE),
        "cell": (0, c.NO_CELL),
        "round": (1, c.NUM_ROUNDS),
        "lap": (1, config.rules.max_laps),
        "turns_left": (0, 2 * p - 1, c.NOT_FINAL),
        "boards": (0, NUM_TRIPLES - 1),
        "layout": (0, c.NO_LAYOUT),
        **dict.fromkeys(("covered", "wooden", "crops"), (0, (1 << c.NO_CELL) - 1)),
        "scores": (0, MOST),
    }
    return layout_of(State, shapes, fills, values)


def winners(state: State) -> NDArray[np.bool_]:
    """Returns who would win if the games ended now (T11.3), [N, P]."""
    totals, green = state.totals.astype(np.int64), state.green.astype(np.int64)
    # One number for each player: what counts first stands in the highest digits.
    ranks = (totals * 100 - np.bitwise_count(state.covered)) * 10**10
    ranks -= green * 10**5 + state.hand.sum(axis=2, dtype=np.int64)
    return ranks == ranks.max(axis=1, keepdims=True)


_FIRST, _SECOND = np.array(PAYMENTS).T
_TWICE = (_FIRST == _SECOND).astype(np.uint8)


def affordable(
    hand: NDArray[np.uint8], workers: NDArray[np.uint8], colours: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Returns which payments are offered for a cell each, in the order of `PAYMENTS`, [M, 55].

    Pairs of a cell's own colour are not (B6). The hands are region cards by colour, [M, 8].
    """
    which = np.arange(len(hand))
    units = np.empty((len(hand), len(UNITS)), np.uint8)
    units[:, OWN], units[:, WORKER] = hand[which, colours], workers
    units[:, FIRST_PAIR:] = hand >> 1
    units[which, FIRST_PAIR + colours] = 0
    return (units[:, _FIRST] > 0) & (units[:, _SECOND] > _TWICE)


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


_SAME_NAME = (
    *("storage", "marble", "workers", "bonus", "stacks", "scores"),
    *("display", "neutral", "aside", "discards", "yield_deck"),
)
_NUMBERS = ("marble_used", "new_hexagons", "round", "lap")


def _read(config: GameConfig, observations: NDArray[np.uint8]) -> tuple[State, NDArray[np.int64]]:
    """Returns the observed state with the observer as seat 0; hidden fields are valid values."""
    config.features.check(observations)

    def view(name: str) -> NDArray[np.uint8]:
        return config.features.view(observations, name)

    state = State.empty(state_layout(config), len(observations), Origin.of(config))
    for name in _SAME_NAME:
        getattr(state, name)[:] = view(name)
    for name in _NUMBERS:
        getattr(state, name)[:] = view(name)[:, 0]
    for name in ("covered", "wooden", "crops"):
        getattr(state, name)[:] = view(name) @ CELL_BITS
    for name, most in (("cell", c.NO_CELL), ("piece", c.NO_PIECE), ("kind", 0)):
        seen = view(name)
        getattr(state, name)[:] = np.where(seen.any(axis=1), seen.argmax(axis=1), most)
    state.start[:], state.seat[:] = view("start").argmax(axis=1), view("to_act").argmax(axis=1)
    state.turns_left[:] = np.where(view("final")[:, 0] > 0, view("turns_left")[:, 0], c.NOT_FINAL)
    state.boards[:] = view("boards").argmax(axis=3) @ np.array([16, 4, 1])
    layout = view("layout")
    state.layout[:] = np.where(layout > 0, layout.astype(np.int64) - 1, c.NO_LAYOUT)
    _read_cards(config, state, view("hand"), view("hand_size"))
    yields = np.array([copies for *_, copies in config.edition.yield_cards])
    state.yield_discards[:] = yields - state.yield_deck
    _choose_layouts(state)
    return state, np.zeros(len(observations), np.int64)


def _read_cards(
    config: GameConfig, state: State, hand: NDArray[np.uint8], sizes: NDArray[np.uint8]
) -> None:
    """Gives the others the first unseen cards, and leaves the rest as the deck."""
    state.hand[:, 0] = hand
    unseen = np.array(config.edition.region_cards) - state.discards - hand
    for seat in range(1, config.num_players):
        before = unseen.cumsum(axis=1) - unseen
        dealt = np.clip(sizes[:, seat, None].astype(np.int64) - before, 0, unseen)
        state.hand[:, seat] = dealt
        unseen = unseen - dealt
    state.deck[:] = unseen


def _choose_layouts(state: State) -> None:
    """Gives the seats a layout and a castle that have chosen them unseen (T2.4)."""
    p = state.num_players
    from_start = (np.arange(p) - state.start[:, None]) % p
    acting = np.take_along_axis(from_start, state.seat[:, None].astype(np.int64), axis=1)
    setup = (state.kind <= c.STARTING_CASTLE)[:, None]
    done = setup & (from_start < acting) & (state.layout == c.NO_LAYOUT)
    choosing = setup & (from_start == acting) & (state.kind == c.STARTING_CASTLE)[:, None]
    state.layout[done | choosing & (state.layout == c.NO_LAYOUT)] = c.NUM_LAYOUTS - 1
    state.covered[done] = 1


def states_from_observations(
    config: GameConfig,
    observations: NDArray[np.uint8],
    rng: np.random.Generator,
    num_samples: int = 1,
) -> State:
    """Returns states that agree with observations (see `GameSpec.from_observations`)."""
    state, seats = _read(config, observations)
    return resampled(state, seats, rng, num_samples, partial(draw_hidden, config))
