"""The full state of games, and how chance is drawn.

Chance: event e of a game is word e of its stream (`kernel.chance`), keyed by (seed, episode).

| event | draws |
|---|---|
| 0 to 149 | the deal with the first round's setup (`draw_deals`) |
| one | a tile for a city, marriage first, city by city (S4.1), or for a row (S10.3) |
| five | the dice of each color (S4.2) |
| ten | the assignments (S4.3) |
| one | the dice of an Offspring (S8.3) |

From event 150 on they come in the order in which the rules ask for them. The deck is counts by
kind, not an order: a tile is the one at place word modulo n when the n tiles lie sorted by kind. d
dice are the digits of word modulo 6^d in base 6, the lowest first, each plus 1. The ten assignments
lie on the slots in the order of their words, the lowest first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Integers
from gonzaga_env.kernel.chance import MOST_EVENTS, random_keys
from gonzaga_env.kernel.engine import resampled
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.rows import flat_rows
from gonzaga_env.kernel.state import ArrayLayout, DealArrays, Origin, StateArrays, layout_of
from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.config import GameConfig, Options
from gonzaga_env.signorie.constants import NUM_TILES, TILE_VALUES
from gonzaga_env.signorie.edition import MOST_HELD

_ALL_TILES = c.NUM_HOUSES * c.TILES_PER_HOUSE
#: Words of a deal: boards, turn order, cities, rewards, removed tiles; then the first round's
#: tiles, dice and assignments.
_WORDS = (
    *(c.MAX_PLAYERS, c.MAX_PLAYERS, c.NUM_CITIES, c.NUM_BONUS_TILES, c.NUM_VP_TILES),
    *(_ALL_TILES, _ALL_TILES, c.NUM_COLORS, c.NUM_ASSIGNMENTS),
)
DEAL_EVENTS = sum(_WORDS)


#: Fields of a deal that are in the state too.
DEALT = (
    *("boards", "order", "cities", "bonus_tiles", "vp_tiles", "city_tiles", "pool"),
    "assignments",
)


@dataclass(frozen=True, repr=False)
class Deal(DealArrays):
    """The random part of the setup of M games, the first round's included."""

    boards: Integers  # [M, P], each player's board
    order: Integers  # [M, P], the turn order, seats from first to last
    cities: NDArray[np.bool_]  # [M, 5], which are in play
    removed: Integers  # [M, 24], tiles of each kind that leave the game
    bonus_tiles: Integers  # [M, 5], of rounds 1 to 5
    vp_tiles: Integers  # [M, 2], of rounds 6 and 7
    city_tiles: Integers  # [M, 5, 2], marriage and mission tile of each city; 24 for none
    pool: Integers  # [M, 5, 6], dice by color and value
    assignments: Integers  # [M, 10], the tile on each slot


def draw_deals(config: GameConfig, seeds: NDArray[np.uint64], episodes: NDArray[np.uint32]) -> Deal:
    """Returns the deals of M games (S2, S4, S13.2).

    Every pile, the alliance tiles too (S2.5), is shuffled by sorting its words (`_WORDS`); players
    take the first boards and places, the removed tiles are the first of each House, and the rest of
    the tiles go to the cities in the order of other words.
    """
    keys = np.split(random_keys(seeds, episodes, DEAL_EVENTS), np.cumsum(_WORDS)[:-1], axis=1)
    boards, order, cities, bonus, vps, removed, tiles, dice, assignments = keys
    p = config.num_players
    num_removed, num_cities = c.REMOVED_PER_HOUSE[p], c.CITIES_IN_PLAY[p]
    kinds = np.repeat(np.arange(c.NUM_TILES), config.edition.tiles)
    gone = removed.reshape(-1, c.NUM_HOUSES, c.TILES_PER_HOUSE).argsort(axis=2)[..., :num_removed]
    gone = flat_rows(gone + c.TILES_PER_HOUSE * np.arange(c.NUM_HOUSES)[:, None])
    games = np.arange(len(seeds))[:, None]
    tiles = tiles.copy()
    tiles[games, gone] = np.iinfo(np.uint64).max
    in_play = np.zeros((len(seeds), c.NUM_CITIES), np.bool_)
    in_play[games, cities.argsort(axis=1)[:, :num_cities]] = True
    city_tiles = np.full((len(seeds), c.NUM_CITIES, 2), c.NUM_TILES, np.uint8)
    city_tiles[in_play] = kinds[tiles.argsort(axis=1)[:, : 2 * num_cities]].reshape(-1, 2)
    num_dice = config.edition.dice_of_color(p)
    rolls = dice % np.uint64(c.NUM_FACES**num_dice)
    return Deal(
        boards=_first(boards, p),
        order=_first(order[:, :p], p),
        cities=in_play,
        removed=(kinds[gone][..., None] == np.arange(c.NUM_TILES)).sum(axis=1).astype(np.uint8),
        bonus_tiles=_first(bonus, c.BONUS_ROUNDS),
        vp_tiles=_first(vps, c.NUM_ROUNDS - c.BONUS_ROUNDS),
        city_tiles=city_tiles,
        pool=dice_counts(num_dice)[rolls.astype(np.int64)],
        assignments=_first(assignments, c.NUM_ASSIGNMENTS),
    )


def _first(keys: NDArray[np.uint64], count: int) -> NDArray[np.uint8]:
    """Returns the places of the lowest keys of each row, in their order, [M, count]."""
    return keys.argsort(axis=1, kind="stable")[:, :count].astype(np.uint8)


@cache
def dice_counts(num_dice: int) -> NDArray[np.uint8]:
    """Returns how many dice show each value, by the number that the dice are, [6^d, 6]."""
    numbers = np.arange(c.NUM_FACES**num_dice)[:, None]
    faces = numbers // c.NUM_FACES ** np.arange(num_dice) % c.NUM_FACES
    counts = (faces[..., None] == np.arange(c.NUM_FACES)).sum(axis=1)
    return np.asarray(counts, np.uint8)


NO_EFFECT, NO_COLOR, NO_TILE = 255, c.NUM_COLORS, c.NUM_TILES


@dataclass(eq=False, repr=False)
class State(StateArrays):
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


def winners(state: State) -> NDArray[np.bool_]:
    """Returns who would win if the games ended now, [N, P]: the first of the best (S12.3)."""
    totals = np.take_along_axis(state.totals, state.order.astype(np.int64), axis=1)
    first = np.take_along_axis(state.order, totals.argmax(axis=1)[:, None], axis=1)
    return np.asarray(first == np.arange(state.num_players))


_Found = tuple[str, NDArray[np.bool_]]


def check_deal(config: GameConfig, deal: Deal, num_games: int) -> None:
    """Raises OptionError unless a deal is valid for these games (S2, S4)."""
    layout = state_layout(config)
    shapes: dict[str, tuple[int, ...]] = {}
    for name in Deal.__match_args__:
        like = "deck" if name == "removed" else name
        shapes[name] = num_games, *layout[like].shape
    Deal.check_arrays(deal, shapes, kinds="iub")
    if any((array < 0).any() for array in vars(deal).values()):
        raise OptionError("deal: the arrays hold no negative number")
    for what, wrong in _deal_faults(config, deal):
        if wrong.any():
            raise OptionError(f"deal: {what}")


def _deal_faults(config: GameConfig, deal: Deal) -> Iterator[_Found]:
    """Yields what contradicts the setup, with where it is, [M, ...]; shapes have been checked."""
    p = config.num_players
    for name, size in (
        *(("order", p), ("boards", c.MAX_PLAYERS), ("vp_tiles", c.NUM_VP_TILES)),
        *(("bonus_tiles", c.NUM_BONUS_TILES), ("assignments", c.NUM_ASSIGNMENTS)),
    ):
        what = f"{name} takes different numbers from 0 to {size - 1}"
        yield what, _not_different(getattr(deal, name), size)
    by_house = deal.removed.reshape(-1, c.NUM_HOUSES, len(c.TILE_VALUES)).sum(axis=-1)
    other = by_house != c.REMOVED_PER_HOUSE[p]
    yield "another number of tiles of a House is removed (S2.6)", other
    wrong = (deal.cities.sum(axis=1) != c.CITIES_IN_PLAY[p]) | (deal.cities.dtype != np.bool_)
    yield "cities must be bool, with another number of them in play (S2.6)", wrong
    lying = deal.city_tiles[..., None] == np.arange(c.NUM_TILES)  # by kind; NO_TILE is no kind
    uneven = lying.any(axis=3) != deal.cities[..., None]
    yield "each city in play has two tiles, others have none (S4.1)", uneven
    many = deal.removed + lying.sum(axis=(1, 2)) > np.array(config.edition.tiles)
    yield "more tiles of a kind than there are (S1.4)", many
    other = deal.pool.sum(axis=2) != config.edition.dice_of_color(p)
    yield "another number of dice of a color (S2.6)", other


def _not_different(pieces: Integers, size: int) -> NDArray[np.bool_]:
    """Returns which rows do not hold different numbers below a size."""
    pieces = np.sort(pieces, axis=1)
    twice = (pieces[:, 1:] == pieces[:, :-1]).any(axis=1)
    return np.asarray(twice | (pieces >= size).any(axis=1))


_LAST = 2.0  # above every random key


def draw_hidden(
    config: GameConfig, games: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Draws in place what no seat knows (S13.1), but for the seed; `seats` do not matter.

    Drawn uniformly among what agrees with it: the removed tiles, equally many of each House
    (S2.6), the face-down ones, and with them the deck.
    """
    games.deck[:] = _draw_decks(config, games, rng)


def _draw_decks(config: GameConfig, games: State, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Returns decks by kind, [M, 24]: the unseen tiles, less removed and face-down ones."""
    counts = np.array(config.edition.tiles)
    kinds = np.arange(c.NUM_TILES).repeat(counts)
    copies = np.arange(len(kinds)) - (counts.cumsum() - counts)[kinds]
    unseen = copies < games.unseen[:, kinds]
    keys = np.where(unseen, rng.random(unseen.shape), _LAST)
    if num_removed := c.REMOVED_PER_HOUSE[config.num_players]:
        of_house = keys.reshape(-1, c.NUM_HOUSES, c.TILES_PER_HOUSE)
        kept = of_house.argsort(axis=2).argsort(axis=2) >= num_removed
        # New keys: the old ones would favor Houses of which many tiles are unseen.
        keys = np.where(unseen & kept.reshape(keys.shape), rng.random(keys.shape), _LAST)
    face_down = games.face_down.sum(axis=(1, 2), dtype=np.int64)
    drawn = keys.argsort(axis=1).argsort(axis=1) >= face_down[:, None]
    deck = (drawn & (keys < _LAST)) @ (kinds[:, None] == np.arange(c.NUM_TILES)).astype(np.int64)
    return deck.astype(np.uint8)


_SAME = (
    *("scores", "florins", "supply", "stock", "threshold", "careers", "placed", "helpers"),
    *("brides", "meeples", "initiative", "height", "passed", "row_vp", "face_down"),
    *("pool", "cities"),
)
_NUMBERS = ("part", "left", "repeats", "round")
_ONE_HOT = ("kind", "boards", "assignments", "bonus_tiles", "vp_tiles")


def _read(config: GameConfig, observations: NDArray[np.uint8]) -> tuple[State, NDArray[np.int64]]:
    """Returns the state that is seen, by seat 0; all unseen tiles are in the deck."""
    features = config.features
    features.check(observations)

    def view(name: str) -> NDArray[np.uint8]:
        return features.view(observations, name)

    state = State.empty(state_layout(config), len(observations), Origin.of(config))
    for name in _SAME:
        getattr(state, name)[:] = view(name)
    for name in _NUMBERS:
        getattr(state, name)[:] = view(name)[:, 0]
    for name in _ONE_HOT:
        getattr(state, name)[:] = view(name).argmax(axis=-1)
    for name, nothing in (("effect", NO_EFFECT), ("color", NO_COLOR)):
        seen = view(name)
        getattr(state, name)[:] = np.where(seen.any(axis=1), seen.argmax(axis=1), nothing)
    state.order[:] = view("place").argsort(axis=1)
    state.seat[:] = view("to_act").argmax(axis=1)
    state.held[:] = np.array(config.edition.shields)[state.boards] - view("missing")
    house, value = view("tile_house"), view("tile_value")
    tiles = house.argmax(axis=-1) * len(TILE_VALUES) + value.argmax(axis=-1)
    state.city_tiles[:] = np.where(house.any(axis=-1), tiles, NO_TILE)
    state.unseen[:] = view("unseen").reshape(-1, NUM_TILES)
    return state, np.zeros(len(observations), np.int64)


def states_from_observations(
    config: GameConfig,
    observations: NDArray[np.uint8],
    rng: np.random.Generator,
    num_samples: int = 1,
) -> State:
    """Returns states that agree with observations (see `GameSpec.from_observations`)."""
    state, seats = _read(config, observations)
    return resampled(state, seats, rng, num_samples, partial(draw_hidden, config))
