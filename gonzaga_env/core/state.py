"""The full state of N games: deals (R2), turns, scoring, and what a state stores to be fast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NO_PLAN, NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import GameConfig, Rules
from gonzaga_env.core.constants import (
    GROUP_POINTS,
    LEAGUE_POINTS,
    NUM_FIEFS,
    NUM_PIECES,
    NUM_RINGS,
    NUM_SEAS,
    OBJECTIVE_POINTS,
)
from gonzaga_env.kernel.arguments import Integers
from gonzaga_env.kernel.chance import random_keys
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.rows import RowKey, Rows
from gonzaga_env.kernel.state import ArrayLayout, DealArrays, Origin, StateArrays, layout_of

KINDS = ("plan", "place")  # the kinds of decisions
PLAN, PLACE = 0, 1
SOURCES = ("cities", "harbors", "leagues", "donations", "group", "objective")
END_SOURCES = slice(4, 6)  # those of final scoring (R8)


@dataclass(eq=False, repr=False)
class State(StateArrays):
    """The arrays; the game axis comes first everywhere."""

    MAGIC = b"gonzaga-state-4\n"
    RULES = Rules
    BY_PLAYER = "objective"

    seed: NDArray[np.uint64]  #: [N] uint64; with `episode` it decides the deal
    episode: NDArray[np.uint32]  #: games played before in this row, [N] uint32
    scenario: NDArray[np.uint8]  #: index in the edition, [N] uint8
    objective: NDArray[np.uint8]  #: index in the edition, [N, P] uint8, secret (R2.2)
    #: Fiefs (0 to 11) in order of drawing, [N, P, 12] uint8; round r shows entry r - 1. Those that
    #: a small edition leaves out come last, in order.
    deck: NDArray[np.uint8]
    round: NDArray[np.uint8]  #: from 1, [N] uint8
    phase: NDArray[np.uint8]  #: PLAN or PLACE, [N] uint8
    num_acted: NDArray[np.uint8]  #: seats that have acted in this phase, [N] uint8
    last_round: NDArray[np.bool_]  #: whether this round is the last (R7), [N] bool
    finished: NDArray[np.bool_]  #: [N] bool
    #: This round's plan, [N, P] uint8, 255 while none; secret until the phase is PLACE.
    plan: NDArray[np.uint8]
    #: The plan of the round before, whose cards are not available until this round's plans are
    #: revealed, [N, P] uint8, 255 for none (R3.3).
    previous_plan: NDArray[np.uint8]
    #: Seat by place in the turn order, [N, P] uint8; valid in phase PLACE (R3.5).
    order: NDArray[np.uint8]
    ring_stock: NDArray[np.uint8]  #: rings unspent, [N, P] uint8
    fiefs: Words  #: hexes held by fiefs, [N, P, W] uint64
    rings: Words  #: hexes held by rings, [N, P, W] uint64
    sea_harbors: NDArray[np.uint8]  #: harbors held of each sea, [N, P, 6] uint8
    leagues: NDArray[np.bool_]  #: sea leagues founded, [N, P, 6] bool (R6.2)
    scores: NDArray[np.int16]  #: points by source (`SOURCES`), [N, P, 6] int16
    # Derived from the others and updated at every step, because legality and groups need them
    # (`core.batch.transitions` explains `blocked`, `ring_blocked` and `ring_cells`):
    #: Placements of each fief, by number, that overlap a fief on the map (R4.3), [N, 12, fief
    #: words] uint64.
    blocked: Words
    ring_blocked: Words  #: weddings that R5.4 forbids each player, [N, P, ring words] uint64
    #: Hex of each ring by slot, [N, P, 6] uint16; H where none lies. A ring takes slot 6 -
    #: `ring_stock`; the slot of a ring that paid for King's Privilege stays empty.
    ring_cells: NDArray[np.uint16]
    #: The player's piece on each hex, [N, P, H + 1] uint8; 0 for none, 1 to 12 for a fief by
    #: number, 13 to 18 for a ring by slot.
    piece: NDArray[np.uint8]
    #: The pieces connected with each piece, as bits, [N, P, 18] uint32 (R8.1); bit i and entry i
    #: stand for piece i + 1. 0 for a piece that is not on the map.
    group: NDArray[np.uint32]
    largest_group: NDArray[np.uint8]  #: pieces in the largest connected group, [N, P] uint8
    #: The edition and the options; None for a state that was put together by hand.
    origin: Origin | None = None

    @property
    def seat(self) -> NDArray[np.int64]:
        """The seat to act, [N]; -1 where the game is over."""
        return acting_seats(self)

    @property
    def kind(self) -> NDArray[np.uint8]:
        """What it decides, an index in `KINDS`, [N]."""
        return self.phase

    @property
    def totals(self) -> NDArray[np.int16]:
        """Scores over all sources, [N, P]."""
        return self.scores.sum(axis=2, dtype=np.int16)


_layouts: dict[tuple[str, int], dict[str, ArrayLayout]] = {}


def state_layout(tables: Tables, num_players: int) -> dict[str, ArrayLayout]:
    key = tables.edition.digest, num_players
    if key not in _layouts:
        _layouts[key] = _layout(tables, num_players)
    return _layouts[key]


def _layout(tables: Tables, p: int) -> dict[str, ArrayLayout]:
    h, placements = tables.num_hexes, tables.placements
    by_player = "objective", "plan", "previous_plan", "order", "ring_stock", "largest_group"
    shapes = {
        **dict.fromkeys(by_player, (p,)),
        **dict.fromkeys(("fiefs", "rings"), (p, len(tables.site_bits))),
        **dict.fromkeys(("sea_harbors", "leagues"), (p, NUM_SEAS)),
        **{"deck": (p, NUM_FIEFS), "scores": (p, len(SOURCES)), "ring_cells": (p, NUM_RINGS)},
        "blocked": placements.fief_conflicts.shape[1:],
        "ring_blocked": (p, placements.ring_conflicts.shape[1]),
        **{"piece": (p, h + 1), "group": (p, NUM_PIECES)},
    }
    plans = dict.fromkeys(("plan", "previous_plan"), NO_PLAN)
    size = tables.edition.size
    fills = {"round": 1, **plans, "ring_stock": size.rings, "ring_cells": h}
    fills["last_round"] = size.rounds == 1
    values = {
        "scenario": (0, len(tables.edition.scenarios) - 1),
        "objective": (0, len(tables.objective_bits) - 1),
        "deck": (0, NUM_FIEFS - 1),
        "round": (1, size.rounds),
        "phase": (PLAN, PLACE),
        **dict.fromkeys(("num_acted", "order"), (0, p - 1)),
        **dict.fromkeys(("plan", "previous_plan"), (0, NUM_PLANS - 1, NO_PLAN)),
        "ring_stock": (0, size.rings),
        "ring_cells": (0, h),
        "piece": (0, NUM_PIECES),
    }
    return layout_of(State, shapes, fills, values)


def current_fiefs(state: State, key: RowKey = slice(None)) -> NDArray[np.int64]:
    """Returns this round's fief (0 to 11) of every player in some games, [M, P] (R3.1)."""
    deck, shown = state.deck[key], state.round[key].astype(np.int64) - 1
    top = np.arange(0, deck.size, NUM_FIEFS).reshape(deck.shape[:2])
    return deck.reshape(-1).take(top + shown[:, None]).astype(np.int64)


def acting_fiefs(state: State, rows: Rows, seat_rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns this round's fief of one seat per game, [M] (see `Rows.seat_rows`)."""
    shown = state.round[rows.key] - np.int64(1)
    return state.deck.reshape(-1)[seat_rows * NUM_FIEFS + shown].astype(np.int64)


@dataclass(frozen=True, repr=False)
class Deal(DealArrays):
    """The random part of the setup of M games."""

    scenario: Integers  # index in the edition, [M]
    decks: Integers  # fiefs (0 to 11) in order of drawing, [M, P, 12]
    objectives: Integers  # index in the edition, [M, P]


def draw_deals(
    tables: Tables,
    num_players: int,
    scenarios: NDArray[np.uint8],
    seeds: NDArray[np.uint64],
    episodes: NDArray[np.uint32],
) -> Deal:
    """Returns the deals of M games (R2.1, R2.2)."""
    num_objectives = len(tables.objective_bits)
    keys = random_keys(seeds, episodes, 1 + num_objectives + num_players * NUM_FIEFS)
    drawn, objectives = keys[:, 0], keys[:, 1 : 1 + num_objectives]
    keys = keys[:, 1 + num_objectives :].reshape(-1, num_players, NUM_FIEFS)
    decks = np.broadcast_to(np.arange(NUM_FIEFS, dtype=np.uint8), keys.shape).copy()
    fiefs = slice(tables.edition.size.fiefs)  # those left out stay at the end
    decks[..., fiefs] = keys[..., fiefs].argsort(axis=2)
    return Deal(
        scenario=scenarios[drawn % np.uint64(len(scenarios))],
        decks=decks,
        objectives=objectives.argsort(axis=1)[:, :num_players].astype(np.uint8),
    )


def check_deal(config: GameConfig, deal: Deal, num_games: int) -> None:
    """Raises OptionError unless a deal is valid for these games (R2)."""
    tables, num_players = config.tables, config.num_players
    scenarios = [s.players for s in tables.edition.scenarios]
    by_seat = num_games, num_players
    shapes = {"scenario": (num_games,), "decks": (*by_seat, NUM_FIEFS), "objectives": by_seat}
    Deal.check_arrays(deal, shapes)
    if any(not 0 <= i < len(scenarios) or scenarios[i] != num_players for i in deal.scenario):
        raise OptionError(f"deal: the scenario is not one for {num_players} players (R1.5)")
    if (np.sort(deal.decks, axis=2) != np.arange(NUM_FIEFS)).any():
        raise OptionError("deal: each deck must hold each of the fiefs 0 to 11 once (R2.2)")
    left_out = np.arange(tables.edition.size.fiefs, NUM_FIEFS)
    if (deal.decks[..., left_out] != left_out).any():
        raise OptionError(f"deal: fiefs from {left_out[0]} on are not played; they must come last")
    objectives = np.sort(deal.objectives, axis=1)
    if (objectives < 0).any() or (objectives >= len(tables.objective_bits)).any():
        raise OptionError("deal: an objective is not in the edition (R1.4)")
    if (objectives[:, 1:] == objectives[:, :-1]).any():
        raise OptionError("deal: two players have the same objective (R2.2)")


DERIVED_SOURCES = slice(0, 3)  # cities, harbors and leagues among `SOURCES`
_CHUNK_GAMES = 32  # games whose conflicts are united together: 2 MB, which stay in the cache


def write_derived(tables: Tables, state: State) -> None:
    """Writes the fields that follow from `scenario`, `piece` and `leagues` (see `State`)."""
    here = state.piece[:, :, :-1]
    fiefs, rings = (here > 0) & (here <= NUM_FIEFS), here > NUM_FIEFS
    state.fiefs[:], state.rings[:] = bits.pack(fiefs), bits.pack(rings)
    write_blocked(tables, state, fiefs, rings)
    state.group[:] = _groups(tables, state.piece)
    state.largest_group[:] = np.bitwise_count(state.group).max(axis=2)
    _write_sites(tables, state, fiefs | rings)


def _write_sites(tables: Tables, state: State, held: NDArray[np.bool_]) -> None:
    """Writes harbors, and the points for sites and leagues (R6.1, R6.2)."""
    value = tables.site_value[state.scenario, :-1].astype(np.int16)[:, None] * held
    of_sea = tables.harbor_sea[:-1, None] == np.arange(NUM_SEAS)
    state.sea_harbors[:] = held @ of_sea.astype(np.uint8)
    points = (
        value @ tables.city_mask.astype(np.int16),
        value @ of_sea.any(axis=1).astype(np.int16),
        LEAGUE_POINTS * state.leagues.sum(axis=2),
    )
    for source, values in zip(SOURCES[DERIVED_SOURCES], points, strict=True):
        state.scores[:, :, SOURCES.index(source)] = values


def write_blocked(
    tables: Tables, state: State, fiefs: NDArray[np.bool_], rings: NDArray[np.bool_]
) -> None:
    """Writes what pieces on the map block (see `core.batch.transitions`)."""
    conflicts = tables.placements.fief_conflicts
    for start in range(0, len(fiefs), _CHUNK_GAMES):
        chunk = slice(start, start + _CHUNK_GAMES)
        state.blocked[chunk] = _unions(
            conflicts, np.logical_or.reduce(fiefs[chunk], axis=1)
        )  # R4.3
    taken = np.logical_or(fiefs, rings.any(axis=1, keepdims=True))  # R5.4
    shape = state.ring_blocked.shape
    unions = _unions(tables.placements.ring_conflicts, taken.reshape(-1, taken.shape[2]))
    state.ring_blocked[:] = unions.reshape(shape)


def _unions(sets: Words, taken: NDArray[np.bool_]) -> Words:
    """Returns the union of the sets [H + 1, ...] of the hexes taken in each row [M, H]."""
    unions = np.zeros((len(taken), *sets.shape[1:]), dtype=sets.dtype)
    rows, cells = taken.nonzero()
    used, starts = np.unique(rows, return_index=True)
    if len(used):
        unions[used] = np.bitwise_or.reduceat(sets[cells], starts, axis=0)
    return unions


def _groups(tables: Tables, piece: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Returns the pieces connected with each piece, [M, P, 18] (R8.1; see `State.group`)."""
    flat = piece.reshape(-1, piece.shape[2])
    here = flat[:, :-1]
    linked = np.zeros((len(flat), NUM_PIECES + 1, NUM_PIECES + 1), dtype=np.bool_)
    row, cell = (here != 0).nonzero()  # of bools it is ten times as fast as of numbers
    linked[row, here[row, cell], here[row, cell]] = True
    for neighbor in tables.edition.grid.neighbors[:, :3].T:  # the other three from the other side
        there = flat[row, neighbor[cell]]
        linked[row, here[row, cell], there] = linked[row, there, here[row, cell]] = True
    weights = np.float32(2) ** np.arange(NUM_PIECES, dtype=np.float32)  # exact in float32
    groups = (linked[:, 1:, 1:].astype(np.float32) @ weights).astype(np.uint32)
    for piece_index in range(NUM_PIECES):  # Warshall: join all that a piece connects
        connects = groups >> np.uint32(piece_index) & np.uint32(1)
        groups |= groups[:, piece_index, None] * connects
    return groups.reshape(*piece.shape[:2], NUM_PIECES)


_OBJECTIVE_POINTS = np.array(OBJECTIVE_POINTS, dtype=np.int16)


def held_bits(state: State, key: RowKey = slice(None)) -> Words:
    """Returns the hexes that each player holds with fiefs or rings, [M, P, W] (R5.3)."""
    return state.fiefs[key] | state.rings[key]


def open_sites(tables: Tables, state: State, key: RowKey = slice(None)) -> NDArray[np.int64]:
    """Returns the number of flourishing cities and harbors that nobody covers, [M] (R7.1)."""
    held = held_bits(state, key)
    covered = held[:, 0].copy()
    for seat in range(1, state.num_players):  # faster than `or.reduce` over a short axis
        covered |= held[:, seat]
    return bits.count(tables.flourishing_bits[state.scenario[key]] & ~covered)


def sites_held(tables: Tables, state: State) -> NDArray[np.int64]:
    """Returns the number of cities and harbors that each player holds, [N, P] (R8.3)."""
    return bits.count(held_bits(state) & tables.site_bits)


def objective_cities(tables: Tables, state: State, key: RowKey = slice(None)) -> NDArray[np.int64]:
    """Returns the number of cities of each player's own objective that it holds, [M, P] (R8.2)."""
    return bits.count(held_bits(state, key) & tables.objective_bits[state.objective[key]])


def score_end(tables: Tables, state: State, games: NDArray[np.int64]) -> None:
    """Writes the points for groups and objectives of finished games (R8.1, R8.2)."""
    largest = state.largest_group[games]
    most = largest == largest.max(axis=1, keepdims=True)
    state.scores[games, :, SOURCES.index("group")] = most * np.int16(GROUP_POINTS)
    state.scores[games, :, SOURCES.index("objective")] = _OBJECTIVE_POINTS[
        objective_cities(tables, state, games)
    ]


def winners(tables: Tables, state: State) -> NDArray[np.bool_]:
    """Returns who would win if the game ended as it stands, [N, P] (R8.3).

    Several players win if their scores and numbers of sites tie.
    """
    key = state.totals.astype(np.int64) * 1024 + sites_held(tables, state)
    return key == key.max(axis=1, keepdims=True)


NO_SEAT = -1


def acting_seats(state: State, key: RowKey = slice(None)) -> NDArray[np.int64]:
    """Returns the seat to act in some games, [M]; -1 where the game is over.

    Seats plan in their order, which the rules leave open (R3.2), and place in the turn order
    (R3.6).
    """
    seats = state.num_acted[key].astype(np.int64)
    placing = (state.phase[key] == PLACE).nonzero()[0]
    if len(placing):
        seats[placing] = state.order[key][placing, seats[placing]]
    seats[state.finished[key]] = NO_SEAT
    return seats


def turn_order(state: State, key: RowKey = slice(None)) -> NDArray[np.int64]:
    """Returns the seats of some games by their turns, [M, P], once all have planned (R3.5)."""
    num_players, cards = state.num_players, PLAN_CARDS[state.plan[key]]
    action, privilege = cards[..., 1], cards[..., 2]
    card_number = current_fiefs(state, key) * num_players + np.arange(num_players)  # R1.7
    priority = ((1 - privilege) * NUM_PLANS + action) * (NUM_FIEFS * num_players) + card_number
    return priority.argsort(axis=1)


def legal_plans(
    tables: Tables, state: State, rows: NDArray[np.int64], seats: NDArray[np.int64]
) -> Words:
    """Returns the plans of one seat per game that cards and rings allow, [M] (R2.1, R3.3, R3.4)."""
    previous = np.minimum(state.previous_plan[rows, seats], NUM_PLANS)
    has_ring = (state.ring_stock[rows, seats] > 0).astype(np.int64)
    return tables.plan_bits[state.scenario[rows], previous, has_ring]


def list_plans(
    tables: Tables, state: State, rows: NDArray[np.int64], seats: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns the plans of `legal_plans`, sorted: positions among M seats and plans, [L] each."""
    legal = legal_plans(tables, state, rows, seats)[:, None]
    positions, plans = bits.unpack(legal, NUM_PLANS).view(np.bool_).nonzero()
    return positions, plans
