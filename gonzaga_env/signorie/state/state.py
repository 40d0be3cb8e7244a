"""The full state of N games of P players, hidden information included, as numpy arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.options import Options
from gonzaga_env.signorie.state.deals import DEAL_EVENTS, Deal
from gonzaga_env.tabletop.state import ArrayLayout, Origin, StateArrays, field

NO_EFFECT, NO_COLOR, NO_TILE = 255, c.NUM_COLORS, c.NUM_TILES


@dataclass(eq=False, repr=False)
class State(StateArrays):
    """The arrays; the game axis comes first everywhere.

    Effects never nest, so a few bytes say what is being done. H helper slots a column, K career
    slots; sexes, rows, tiles and effects are in the orders of `constants` and `Edition`.

    Attributes:
        seed: [N] uint64; with `episode` it decides all chance. Hidden.
        episode: games played before in this row, [N] uint32.
        event: the next event of chance (see `signorie.state`), [N] uint32.
        round: the running round, 1 to 7, [N] uint8.
        order: the turn order, seats from first to last, [N, P] uint8 (S2.2, S11.2).
        seat: the seat to act, [N] uint8; the last in the order where the game is over.
        kind: what it decides, index in `KINDS`, [N] uint8; OVER where the game is over.
        effect: the running effect, index in `Edition.effects`, [N] uint8; for SPEND the
            assignment's, for HELPER the one that may be used; NO_EFFECT for MAIN, REWARD, WED, PAY
            and OVER.
        part: its running part, [N] uint8; 0 for SPEND, HELPER and without an effect.
        left: what this part has still to do, the asked point or tile included, [N] uint8; 0 like
            `part`.
        repeats: how often the effect is still to be done, the running time included, [N] uint8; 0
            like `part`.
        color: the column of the die just placed, [N] uint8; NO_COLOR for MAIN, OVER and in phase 3.
        finished: [N] bool.
        pool: dice to take, by color and value, [N, 5, 6] uint8 (S4.2).
        assignments: the tile on each slot, color by color, [N, 10] uint8 (S4.3).
        bonus_tiles, vp_tiles: of the rounds, [N, 5] and [N, 2] uint8 (S2.4).
        cities: which are in play, [N, 5] bool (S2.6).
        city_tiles: kinds of tiles, marriage and mission, [N, 5, 2] uint8; NO_TILE for none.
        boards: each player's board, [N, P] uint8.
        passed: who has passed in this round; all in phase 3, [N, P] bool (S5.1).
        florins: [N, P] uint16.
        supply, stock, threshold: males and females available, in the General Stock and on the
            threshold space, [N, P, 2] uint8 (S2.1, S7.3).
        careers: males by career and slot, [N, P, 3, K] uint8.
        placed: values of the own dice by color, 0 for none, [N, P, 5] uint8.
        helpers: [N, P, 5, H] bool.
        brides: without the printed wife, [N, P] uint8.
        meeples: in cities, [N, P, 5] uint8. The lowest slots of a city are taken first, so the
            empty ones follow from the sum.
        initiative: slots of the discs, from 0, [N, P] uint8.
        height: place in the stack on that slot, 0 at the bottom, [N, P] uint8.
        held: face-up tiles by row and House, [N, P, 4, 6] uint8 (S10.2).
        row_vp: sum of their fronts by row, [N, P, 4] uint8.
        face_down: face-down tiles by row, [N, P, 4] uint8.
        deck: alliance tiles by kind, [N, 24] uint8. Hidden.
        unseen: those of the deck, removed, and face down, [N, 24] uint8.
        scores: points by source, in the order of `SOURCES`, [N, P, 9] int16.

    One field is not an array:

    Attributes:
        origin: the edition and the options; None for a state that was put together by hand.
    """

    MAGIC = b"signorie-state-1\n"
    RULES = Options
    BY_PLAYER = "boards"

    seed: NDArray[np.uint64]
    episode: NDArray[np.uint32]
    event: NDArray[np.uint32]
    round: NDArray[np.uint8]
    order: NDArray[np.uint8]
    seat: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    effect: NDArray[np.uint8]
    part: NDArray[np.uint8]
    left: NDArray[np.uint8]
    repeats: NDArray[np.uint8]
    color: NDArray[np.uint8]
    finished: NDArray[np.bool_]
    pool: NDArray[np.uint8]
    assignments: NDArray[np.uint8]
    bonus_tiles: NDArray[np.uint8]
    vp_tiles: NDArray[np.uint8]
    cities: NDArray[np.bool_]
    city_tiles: NDArray[np.uint8]
    boards: NDArray[np.uint8]
    passed: NDArray[np.bool_]
    florins: NDArray[np.uint16]
    supply: NDArray[np.uint8]
    stock: NDArray[np.uint8]
    threshold: NDArray[np.uint8]
    careers: NDArray[np.uint8]
    placed: NDArray[np.uint8]
    helpers: NDArray[np.bool_]
    brides: NDArray[np.uint8]
    meeples: NDArray[np.uint8]
    initiative: NDArray[np.uint8]
    height: NDArray[np.uint8]
    held: NDArray[np.uint8]
    row_vp: NDArray[np.uint8]
    face_down: NDArray[np.uint8]
    deck: NDArray[np.uint8]
    unseen: NDArray[np.uint8]
    scores: NDArray[np.int16]
    origin: Origin | None = None

    @property
    def totals(self) -> NDArray[np.int16]:
        """VP, [N, P]."""
        return self.scores.sum(axis=2, dtype=np.int16)


@lru_cache(maxsize=64)
def state_layout(config: GameConfig) -> dict[str, ArrayLayout]:
    """Returns the layout of every field by name, in the order of the fields."""
    return dict(_layout(config))


def _layout(config: GameConfig) -> Iterator[tuple[str, ArrayLayout]]:
    edition, p = config.edition, config.num_players
    yield field("seed", dtype=np.uint64)
    yield field("episode", dtype=np.uint32)
    yield field("event", dtype=np.uint32, fill=DEAL_EVENTS)
    yield field("round", fill=1)
    yield field("order", p)
    yield field("seat")
    yield field("kind", fill=c.MAIN)
    yield field("effect", fill=NO_EFFECT)
    yield field("part")
    yield field("left")
    yield field("repeats")
    yield field("color", fill=NO_COLOR)
    yield field("finished", dtype=np.bool_)
    yield field("pool", c.NUM_COLORS, c.NUM_FACES)
    yield field("assignments", c.NUM_ASSIGNMENTS)
    yield field("bonus_tiles", c.BONUS_ROUNDS)
    yield field("vp_tiles", c.NUM_ROUNDS - c.BONUS_ROUNDS)
    yield field("cities", c.NUM_CITIES, dtype=np.bool_)
    yield field("city_tiles", c.NUM_CITIES, 2, fill=NO_TILE)
    yield field("boards", p)
    yield field("passed", p, dtype=np.bool_)
    yield field("florins", p, dtype=np.uint16, fill=edition.florins)
    yield field("supply", p, 2, fill=edition.supply)
    yield field("stock", p, 2, fill=edition.stock)
    yield field("threshold", p, 2)
    yield field("careers", p, c.NUM_CAREERS, edition.num_career_slots)
    yield field("placed", p, c.NUM_COLORS)
    yield field("helpers", p, c.NUM_COLORS, edition.num_helper_slots, dtype=np.bool_)
    yield field("brides", p)
    yield field("meeples", p, c.NUM_CITIES)
    yield field("initiative", p)
    yield field("height", p)
    yield field("held", p, c.NUM_ROWS, c.NUM_HOUSES)
    yield field("row_vp", p, c.NUM_ROWS)
    yield field("face_down", p, c.NUM_ROWS)
    yield field("deck", c.NUM_TILES)
    yield field("unseen", c.NUM_TILES)
    yield field("scores", p, len(c.SOURCES), dtype=np.int16)


def empty_state(config: GameConfig, num_games: int) -> State:
    """Returns games before their deal."""
    return State.empty(state_layout(config), num_games, origin_of(config))


def origin_of(config: GameConfig) -> Origin:
    """Returns what the states of a configuration are states of."""
    return Origin(config.edition.digest, config.rules)


def start_games(
    config: GameConfig,
    state: State,
    rows: NDArray[Any] | slice,
    seeds: NDArray[np.uint64],
    episodes: NDArray[np.uint32],
    deal: Deal,
) -> None:
    """Overwrites some games with dealt ones, whose first round is set up (S2, S4)."""
    state.clear(rows, state_layout(config))
    state.seed[rows], state.episode[rows] = seeds, episodes
    for name in ("boards", "order", "cities", "bonus_tiles", "vp_tiles"):
        getattr(state, name)[rows] = getattr(deal, name)
    for name in ("city_tiles", "pool", "assignments"):
        getattr(state, name)[rows] = getattr(deal, name)
    state.seat[rows] = deal.order[:, 0]
    places = np.argsort(deal.order, axis=1)  # of the seats
    state.florins[rows] += np.array(config.edition.extra_florins, np.uint16)[places]
    state.height[rows] = config.num_players - 1 - places  # the first lies on top (S2.3)
    shown = (deal.city_tiles[..., None] == np.arange(c.NUM_TILES)).sum(axis=(1, 2))
    state.unseen[rows] = np.array(config.edition.tiles) - shown
    state.deck[rows] = np.array(config.edition.tiles) - shown - deal.removed


def winners(state: State) -> NDArray[np.bool_]:
    """Returns who would win if the games ended now, [N, P]: the first of the best (S12.3)."""
    totals = np.take_along_axis(state.totals, state.order.astype(np.int64), axis=1)
    first = np.take_along_axis(state.order, totals.argmax(axis=1)[:, None], axis=1)
    return np.asarray(first == np.arange(state.num_players))
