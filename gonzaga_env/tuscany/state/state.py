"""The full state of N games of P players, hidden information included, as numpy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.chance import MOST_EVENTS
from gonzaga_env.tabletop.state import ArrayLayout, DecisionArrays, Origin, layout_of
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.regions import NUM_TRIPLES, Cells
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.editions.bounds import MOST
from gonzaga_env.tuscany.options import Options
from gonzaga_env.tuscany.state.deals import DEAL_EVENTS, Deal

Bytes = NDArray[np.uint8]
Truths = NDArray[np.bool_]


@dataclass(eq=False, repr=False)
class State(DecisionArrays):
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
    """Returns the layout of every field by name, in the order of the fields."""
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


def empty_state(config: GameConfig, num_games: int) -> State:
    """Returns games before their deal: all piles full, nothing won or laid (T2.1, T2.3)."""
    return State.empty(state_layout(config), num_games, Origin.of(config))


def start_games(
    config: GameConfig,
    state: State,
    rows: NDArray[Any] | slice,
    seeds: NDArray[np.uint64],
    episodes: NDArray[np.uint32],
    deal: Deal,
) -> None:
    """Overwrites some games with dealt ones, whose starting player chooses a layout (T2.4)."""
    state.clear(rows, state_layout(config))
    state.seed[rows], state.episode[rows] = seeds, episodes
    state.start[rows], state.seat[rows] = deal.start, deal.start
    state.boards[rows], state.hand[rows] = deal.boards, deal.hands
    dealt = np.asarray(deal.hands).sum(axis=1)
    state.deck[rows] = np.array(config.edition.region_cards) - dealt


def winners(state: State) -> NDArray[np.bool_]:
    """Returns who would win if the games ended now (T11.3), [N, P]."""
    totals, green = state.totals.astype(np.int64), state.green.astype(np.int64)
    # One number for each player: what counts first stands in the highest digits.
    ranks = (totals * 100 - np.bitwise_count(state.covered)) * 10**10
    ranks -= green * 10**5 + state.hand.sum(axis=2, dtype=np.int64)
    return ranks == ranks.max(axis=1, keepdims=True)
