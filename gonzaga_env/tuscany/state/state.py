"""The full state of N games of P players, hidden information included, as numpy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.state import ArrayLayout, Origin, StateArrays, layout_of
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board.regions import Cells
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.options import Options
from gonzaga_env.tuscany.state.deals import DEAL_EVENTS, Deal


@dataclass(eq=False, repr=False)
class State(StateArrays):
    """The arrays; the game axis comes first everywhere.

    Piles, hands, display and storage are counts by kind (see `tuscany.state`), and sets of cells
    are the bits of a word. T = 17 kinds of tiles, Y kinds of yield cards.

    Attributes:
        seed: [N] uint64; with `episode` it decides all chance. Hidden.
        episode: games played before in this row, [N] uint32.
        event: the next event of chance (see `tuscany.state`), [N] uint32.
        start: the starting player's seat, [N] uint8 (T2.5).
        seat: the seat to act, [N] uint8; the last one where the game is over.
        kind: what it decides, index in `KINDS`, [N] uint8; OVER where the game is over.
        piece: the tile's kind that is being taken (REMOVE) or the piece that is being placed
            (PAYMENT; 17 for a wooden hexagon), [N] uint8; NO_PIECE for all other kinds.
        cell: the cell that is being covered (CROP, PAYMENT, CASTLE_CROP), [N] uint8; else NO_CELL.
        marble_used: whether this is the second action of the turn (T3.2), [N] bool.
        new_hexagons: wooden hexagons won in this turn (B8), [N] uint8.
        round: the running round, 1 to 3, [N] uint8; not counted up after the third, nor where the
            game is cut off.
        lap: from 1, [N] uint8.
        turns_left: turns until the game ends, the running one included, [N] uint8; NOT_FINAL
            before a third stack is empty (T10.3).
        finished: [N] bool.
        truncated: whether the game was cut off after `max_laps`, [N] bool.
        boards: each player's boards, 16 * A + 4 * B + C, [N, P] uint8.
        layout: how they are joined, [N, P] uint8; NO_LAYOUT before it is chosen. Hidden from
            others, like the starting castle, until kind STARTING_BONUS.
        covered: covered cells, [N, P] sets, uint32.
        wooden: cells covered by a wooden hexagon, [N, P] sets.
        crops: cells whose tile shows olives, grapes, wheat, livestock, [N, P, 4] sets.
        hand: region cards by colour, [N, P, 8] uint8. Hidden from others, but for its size.
        storage: pieces in storage by kind, wooden hexagons last, [N, P, 18] uint8 (T9.1).
        marble, workers: [N, P] uint8.
        bonus: bonus tiles by type, [N, P, 5] uint8 (T9.2).
        stacks: own tiles still face down, by kind, [N, P, T] uint8; 21 less their number are
            turned (T10.1).
        deck, discards: region cards by colour, [N, 8] uint8. The deck is hidden.
        yield_deck, yield_discards: yield cards by kind, [N, Y] uint8.
        display: [N, T] uint8; empty before kind MAIN (T2.4).
        neutral: neutral tiles face down, [N, T] uint8.
        aside: tiles set aside by sweeps, [N, T] uint8 (T5.5).
        scores: points by source, in the order of `SOURCES`, [N, P, 15] int16.

    One field is not an array:

    Attributes:
        origin: the edition and the options; None for a state that was put together by hand.
    """

    MAGIC = b"tuscany-state-1\n"
    RULES = Options
    BY_PLAYER = "boards"

    seed: NDArray[np.uint64]
    episode: NDArray[np.uint32]
    event: NDArray[np.uint32]
    start: NDArray[np.uint8]
    seat: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    piece: NDArray[np.uint8]
    cell: NDArray[np.uint8]
    marble_used: NDArray[np.bool_]
    new_hexagons: NDArray[np.uint8]
    round: NDArray[np.uint8]
    lap: NDArray[np.uint8]
    turns_left: NDArray[np.uint8]
    finished: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    boards: NDArray[np.uint8]
    layout: NDArray[np.uint8]
    covered: Cells
    wooden: Cells
    crops: Cells
    hand: NDArray[np.uint8]
    storage: NDArray[np.uint8]
    marble: NDArray[np.uint8]
    workers: NDArray[np.uint8]
    bonus: NDArray[np.uint8]
    stacks: NDArray[np.uint8]
    deck: NDArray[np.uint8]
    discards: NDArray[np.uint8]
    yield_deck: NDArray[np.uint8]
    yield_discards: NDArray[np.uint8]
    display: NDArray[np.uint8]
    neutral: NDArray[np.uint8]
    aside: NDArray[np.uint8]
    scores: NDArray[np.int16]
    origin: Origin | None = None

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
    return layout_of(State, shapes, fills)


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
    best: NDArray[np.bool_] = ranks == ranks.max(axis=1, keepdims=True)
    return best
