"""The full state of N games of P players, hidden information included, as numpy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig
from gonzaga_env.signorie.editions.gains import MOST_HELD
from gonzaga_env.signorie.options import Options
from gonzaga_env.signorie.state.deals import DEAL_EVENTS, DEALT, Deal
from gonzaga_env.tabletop.chance import MOST_EVENTS
from gonzaga_env.tabletop.state import ArrayLayout, DecisionArrays, Origin, layout_of

NO_EFFECT, NO_COLOR, NO_TILE = 255, c.NUM_COLORS, c.NUM_TILES


@dataclass(eq=False, repr=False)
class State(DecisionArrays):
    """The arrays; the game axis comes first everywhere.

    Effects never nest, so a few bytes say what is being done. H helper slots a column, K career
    slots; sexes, rows, tiles and effects are in the orders of `constants` and `Edition`. A city's
    lowest slots are taken first and nobody leaves, so its empty ones follow from `meeples`.
    """

    MAGIC = b"signorie-state-1\n"
    RULES = Options
    BY_PLAYER = "boards"

    seed: NDArray[np.uint64]  # [N]; with `episode` it decides all chance. Hidden
    episode: NDArray[np.uint32]  # [N], games played before in this row
    event: NDArray[np.uint32]  # [N], the next event of chance (see `signorie.state`)
    round: NDArray[np.uint8]  # [N], 1 to 7
    order: NDArray[np.uint8]  # [N, P], seats from first to last (S2.2, S11.2)
    seat: NDArray[np.uint8]  # [N], the seat to act; the last in the order where the game is over
    kind: NDArray[np.uint8]  # [N], what it decides, index in `KINDS`; OVER where the game is over
    # [N], the running effect, index in `Edition.effects`; for SPEND the assignment's, for HELPER
    # the one that may be used; NO_EFFECT for MAIN, REWARD, WED, PAY and OVER
    effect: NDArray[np.uint8]
    part: NDArray[np.uint8]  # [N], its running part; 0 for SPEND, HELPER and without an effect
    left: NDArray[np.uint8]  # [N], what the part has to do, the asked point included; 0 like `part`
    repeats: NDArray[np.uint8]  # [N], times to do the effect, this one included; 0 like `part`
    color: NDArray[np.uint8]  # [N], of the die just placed; NO_COLOR for MAIN, OVER and in phase 3
    finished: NDArray[np.bool_]  # [N]
    pool: NDArray[np.uint8]  # [N, 5, 6], dice to take by color and value (S4.2)
    assignments: NDArray[np.uint8]  # [N, 10], the tile on each slot, color by color (S4.3)
    bonus_tiles: NDArray[np.uint8]  # [N, 5], by round (S2.4)
    vp_tiles: NDArray[np.uint8]  # [N, 2], by round (S2.4)
    cities: NDArray[np.bool_]  # [N, 5], which are in play (S2.6)
    city_tiles: NDArray[np.uint8]  # [N, 5, 2], marriage and mission tile; NO_TILE for none
    boards: NDArray[np.uint8]  # [N, P]
    passed: NDArray[np.bool_]  # [N, P], in this round; all in phase 3 (S5.1)
    florins: NDArray[np.uint16]  # [N, P]
    supply: NDArray[np.uint8]  # [N, P, 2], males and females available (S2.1)
    stock: NDArray[np.uint8]  # [N, P, 2], in the General Stock
    threshold: NDArray[np.uint8]  # [N, P, 2], on the threshold space (S7.3)
    careers: NDArray[np.uint8]  # [N, P, 3, K], males by career and slot
    placed: NDArray[np.uint8]  # [N, P, 5], values of the own dice by color, 0 for none
    helpers: NDArray[np.bool_]  # [N, P, 5, H]
    brides: NDArray[np.uint8]  # [N, P], without the printed wife
    meeples: NDArray[np.uint8]  # [N, P, 5], in cities
    initiative: NDArray[np.uint8]  # [N, P], slots of the discs, from 0
    height: NDArray[np.uint8]  # [N, P], place in the stack on that slot, 0 at the bottom
    held: NDArray[np.uint8]  # [N, P, 4, 6], face-up tiles by row and House (S10.2)
    row_vp: NDArray[np.uint8]  # [N, P, 4], sum of their fronts
    face_down: NDArray[np.uint8]  # [N, P, 4]
    deck: NDArray[np.uint8]  # [N, 24], alliance tiles by kind. Hidden
    unseen: NDArray[np.uint8]  # [N, 24], those of the deck, removed and face down
    scores: NDArray[np.int16]  # [N, P, 9], points by source, in the order of `SOURCES`
    origin: Origin | None = None  # the edition and the options; None for one made by hand

    @property
    def totals(self) -> NDArray[np.int16]:
        """VP, [N, P]."""
        return self.scores.sum(axis=2, dtype=np.int16)


@lru_cache(maxsize=64)
def state_layout(config: GameConfig) -> dict[str, ArrayLayout]:
    """Returns the layout of every field by name, in the order of the fields."""
    edition, p = config.edition, config.num_players
    shapes = {
        **dict.fromkeys(("order", "boards", "passed", "florins", "brides"), (p,)),
        **dict.fromkeys(("initiative", "height"), (p,)),
        **dict.fromkeys(("supply", "stock", "threshold"), (p, 2)),
        **dict.fromkeys(("row_vp", "face_down"), (p, c.NUM_ROWS)),
        **dict.fromkeys(("deck", "unseen"), (c.NUM_TILES,)),
        **{"pool": (c.NUM_COLORS, c.NUM_FACES), "assignments": (c.NUM_ASSIGNMENTS,)},
        **{"bonus_tiles": (c.BONUS_ROUNDS,), "vp_tiles": (c.NUM_ROUNDS - c.BONUS_ROUNDS,)},
        **{"cities": (c.NUM_CITIES,), "city_tiles": (c.NUM_CITIES, 2)},
        **{"placed": (p, c.NUM_COLORS), "meeples": (p, c.NUM_CITIES)},
        "careers": (p, c.NUM_CAREERS, edition.num_career_slots),
        "helpers": (p, c.NUM_COLORS, edition.num_helper_slots),
        **{"held": (p, c.NUM_ROWS, c.NUM_HOUSES), "scores": (p, len(c.SOURCES))},
    }
    fills = {
        **{"event": DEAL_EVENTS, "round": 1, "kind": c.MAIN},
        **{"effect": NO_EFFECT, "color": NO_COLOR, "city_tiles": NO_TILE},
        **{"florins": edition.florins, "supply": edition.supply, "stock": edition.stock},
    }
    values = {
        "event": (0, MOST_EVENTS - 1),
        "round": (1, edition.num_rounds),
        **dict.fromkeys(("seat", "order"), (0, p - 1)),
        "kind": (0, c.OVER),
        "effect": (0, len(edition.effects) - 1, NO_EFFECT),
        "part": (0, max(map(len, edition.effects)) - 1),
        "color": (0, NO_COLOR),
        "assignments": (0, c.NUM_ASSIGNMENTS - 1),
        "bonus_tiles": (0, c.NUM_BONUS_TILES - 1),
        "vp_tiles": (0, c.NUM_VP_TILES - 1),
        "boards": (0, c.MAX_PLAYERS - 1),
        "placed": (0, c.NUM_FACES),
        "city_tiles": (0, NO_TILE),
        "brides": (0, len(edition.bride_vp)),
        "initiative": (0, len(edition.initiative_vp) - 1),
        "scores": (0, MOST_HELD),
    }
    return layout_of(State, shapes, fills, values)


def empty_state(config: GameConfig, num_games: int) -> State:
    """Returns games before their deal."""
    return State.empty(state_layout(config), num_games, Origin.of(config))


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
    for name in DEALT:
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
