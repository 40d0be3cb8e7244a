"""What an action changes (R3 to R7). Legality is settled before; nothing here asks again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import bits
from gonzaga_env.core.actions import NO_PLAN, NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.bits import Words
from gonzaga_env.core.rows import Rows, by_seat, where
from gonzaga_env.core.rules import (
    DONATION_POINTS,
    LEAGUE_HARBORS,
    LEAGUE_POINTS,
    NUM_FIEFS,
    NUM_RINGS,
    OPEN_SITES_AT_END,
    Rules,
)
from gonzaga_env.core.scoring import open_sites, score_end
from gonzaga_env.core.state import (
    MAX_PIECES,
    PLACE,
    PLAN,
    SOURCES,
    State,
    acting_fiefs,
    fiefs_at_hand,
)
from gonzaga_env.core.tables import Tables

Indices = NDArray[np.int64]

_LEAGUES, _DONATIONS = map(SOURCES.index, SOURCES[2:4])
_SITES = slice(0, 2)  # points of cities and harbors among the sources
_ONE = np.uint16(1)
_PIECE_BITS = _ONE << np.arange(MAX_PIECES, dtype=np.uint16)
_BIT_OF_NUMBER = np.append(np.uint16(0), _PIECE_BITS)  # pieces are numbered from 1; 0 is none
_CHUNK = 512  # games whose sets of placements fit into a processor's second cache


def apply_plans(state: State, rows: Rows, seats: Indices, actions: Indices) -> Rows:
    """Seals plans of some games (R3.2); reveals those of games where everybody has planned.

    Returns:
        Those games.
    """
    by_seat(state.plan)[rows.slots(seats, state.num_players)] = actions
    state.position[rows.pick] += 1
    revealed = rows[where(state.position[rows.pick] == state.num_players)]
    if len(revealed):
        _reveal(state, revealed)
    return revealed


def _reveal(state: State, rows: Rows) -> None:
    """Pays for privileges, returns locked cards and fixes the turn order (R3.3 to R3.5)."""
    num_players, pick = state.num_players, rows.pick
    cards = PLAN_CARDS[state.plan[pick]]
    action, privilege = cards[..., 1], cards[..., 2]
    tens_and_units = fiefs_at_hand(state, pick) * num_players + np.arange(num_players)  # R1.7
    key = ((1 - privilege) * NUM_PLANS + action) * (NUM_FIEFS * num_players) + tens_and_units
    state.order[pick] = key.argsort(axis=1)
    state.ring_stock[pick] -= privilege.astype(np.uint8)
    state.locked[pick] = NO_PLAN
    state.phase[pick] = PLACE
    state.position[pick] = 0


@dataclass(frozen=True)
class Placed:
    """M actions of the second phase.

    Attributes:
        rows: the games.
        seats: the seat that acted, [M].
        slots: row of each game's acting seat in arrays [N * P, ...] (`Rows.slots`).
        placement: [M].
        fiefs: where among the M a fief was placed.
        rings: where among the M rings were placed.
        at_sea: where harbors were covered.
        founded: where a sea league was founded.
        points: points that each action scored at once, [M].
        ended: games whose round ended.
    """

    rows: Rows
    seats: Indices
    slots: Indices
    placement: Indices
    fiefs: Indices
    rings: Indices
    at_sea: Indices
    founded: Indices
    points: Indices
    ended: Rows


def apply_placements(
    tables: Tables, rules: Rules, state: State, rows: Rows, seats: Indices, actions: Indices
) -> Placed:
    """Places, weds or donates in some games (R3.6) and closes rounds that are over."""
    slots = rows.slots(seats, state.num_players)
    fief = acting_fiefs(state, rows, slots)
    placement = tables.placements.row(fief, actions - NUM_PLANS)
    fiefs = (actions < tables.actions.ring.start).nonzero()[0]
    weddings = tables.actions.weddings
    rings = ((actions >= weddings.start) & (actions < weddings.stop)).nonzero()[0]
    num_pieces = np.zeros(len(rows), dtype=np.uint8)
    num_pieces[fiefs] = 1
    num_pieces[rings] = 1 + (actions[rings] >= tables.actions.rings.start)
    _place_fiefs(tables, state, rows.index[fiefs], slots[fiefs], placement[fiefs])
    _place_rings(tables, state, rows.index[rings], slots[rings], placement[rings])
    _connect(tables, state, slots, placement, num_pieces)
    points = _score_sites(tables, state, rows, slots, placement)
    at_sea = tables.num_harbors[placement].nonzero()[0]
    leagues = _found_leagues(
        tables, rules, state, rows.index[at_sea], slots[at_sea], placement[at_sea]
    )
    points[at_sea] += leagues
    donors = slots[num_pieces == 0]
    by_seat(state.scores)[donors, _DONATIONS] += DONATION_POINTS  # R3.7
    points[num_pieces == 0] = DONATION_POINTS
    state.position[rows.pick] += 1
    ended = rows[where(state.position[rows.pick] == state.num_players)]
    if len(ended):
        _end_round(tables, rules, state, ended)
    return Placed(
        rows=rows,
        seats=seats,
        slots=slots,
        placement=placement,
        fiefs=fiefs,
        rings=rings,
        at_sea=at_sea,
        founded=at_sea[leagues > 0],
        points=points,
        ended=ended,
    )


def _place_fiefs(
    tables: Tables, state: State, games: Indices, slots: Indices, placement: Indices
) -> None:
    """Puts fiefs on the map (R4.6) and takes away what would meet them (R4.3, R5.4)."""
    _add(by_seat(state.fiefs), slots, tables.placements.bits.take(placement, axis=0))
    cells = tables.placements.cells.take(placement, axis=0)
    _add(by_seat(state.ring_blocked), slots, _union(tables.placements.ring_conflicts, cells))
    conflicts = tables.placements.fief_conflicts
    for start in range(0, len(games), _CHUNK):
        part = slice(start, start + _CHUNK)
        _add(state.blocked, games[part], _union(conflicts, cells[part]))


def _add(sets: Words, rows: Indices, more: Words) -> None:
    """Adds to the sets of some rows; `take` is twice as fast as an index."""
    sets[rows] = np.bitwise_or(more, sets.take(rows, axis=0), out=more)


def _union(sets: Words, cells: NDArray[np.integer]) -> Words:
    """Returns the union of the sets [H + 1, ...] of each row's hexes [M, n], [M, ...]."""
    union = sets.take(cells[:, 0], axis=0)
    for i in range(1, cells.shape[1]):
        union |= sets.take(cells[:, i], axis=0)
    return union


def _place_rings(
    tables: Tables, state: State, games: Indices, slots: Indices, placement: Indices
) -> None:
    """Puts rings on the map (R5.1), which leave the stock (R5.6), one on a hex (R5.4)."""
    if not len(games):
        return
    _add(by_seat(state.rings), slots, tables.placements.bits.take(placement, axis=0))
    cells = tables.placements.cells[placement, :2]
    state.ring_blocked[games] |= _union(tables.placements.ring_conflicts, cells)[:, None]
    stock, ring_cells = by_seat(state.ring_stock), by_seat(state.ring_cells)
    for cell in cells.T:
        placed = (cell < tables.num_hexes).nonzero()[0]
        some = slots[placed]
        ring_cells[some, NUM_RINGS - stock[some]] = cell[placed]
        stock[some] -= 1


def _connect(
    tables: Tables, state: State, slots: Indices, placement: Indices, num_pieces: NDArray[np.uint8]
) -> None:
    """Joins the new pieces with the groups they touch, across barriers too (R8.1).

    A group is a set of pieces as bits, written at each of its pieces.
    """
    all_groups, number = by_seat(state.group), state.piece.reshape(-1)
    first = by_seat(state.num_pieces)[slots].astype(np.uint16)
    start = slots * (tables.num_hexes + 1)  # of the seat's part of `number`
    group = ((_ONE << num_pieces) - _ONE) << first
    held = by_seat(state.fiefs).take(slots, axis=0) | by_seat(state.rings).take(slots, axis=0)
    halo = tables.placements.halo_bits.take(placement, axis=0)
    near = bits.overlap(halo, held).nonzero()[0]
    some = slots[near]
    around = start[near, None] + tables.placements.halo.take(placement[near], axis=0)
    touched = np.bitwise_or.reduce(_BIT_OF_NUMBER.take(number.take(around)), axis=1)
    groups = all_groups[some]
    group[near] |= np.bitwise_or.reduce(groups * _members(touched), axis=1)
    joined = group[near]
    all_groups[some] = np.where(_members(joined), joined[:, None], groups)
    for i in range(2):
        new = (num_pieces > i).nonzero()[0]
        all_groups[slots[new], first[new] + i] = group[new]
    cells = tables.placements.cells.take(placement, axis=0).astype(np.int64)
    number[start[:, None] + cells] = first[:, None] + _ONE
    pairs = (num_pieces == 2).nonzero()[0]
    number[start[pairs] + cells[pairs, 1]] += 1
    number[start + tables.num_hexes] = 0  # no hex, no piece
    by_seat(state.num_pieces)[slots] += num_pieces
    largest = by_seat(state.largest)
    largest[slots] = np.maximum(largest[slots], np.bitwise_count(group))


def _members(group: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Returns which pieces are in each group, [M, 16] of [M]."""
    return group[:, None] & _PIECE_BITS != 0


def _score_sites(
    tables: Tables, state: State, rows: Rows, slots: Indices, placement: Indices
) -> Indices:
    """Writes and returns the points of cities and harbors, [M] (R6.1)."""
    row = state.scenario[rows.pick].astype(np.int64) * tables.points.shape[1] + placement
    gained = by_seat(tables.points).take(row, axis=0)
    by_seat(state.scores)[slots, _SITES] += gained
    return gained.sum(axis=1, dtype=np.int64)


def _found_leagues(
    tables: Tables, rules: Rules, state: State, games: Indices, slots: Indices, placement: Indices
) -> Indices:
    """Counts new harbors, founds leagues and returns the points of each seat for them (R6.2)."""
    harbors, leagues = by_seat(state.sea_harbors), by_seat(state.leagues)
    now = harbors.take(slots, axis=0) + tables.sea_harbors.take(placement, axis=0)
    harbors[slots] = now
    founded = now >= LEAGUE_HARBORS
    if rules.sea_league == "first_only":  # R6.3
        founded &= ~state.leagues[games].any(axis=1)
    else:
        founded &= ~leagues.take(slots, axis=0)
    leagues[slots] |= founded
    points = LEAGUE_POINTS * founded.sum(axis=1)
    by_seat(state.scores)[slots, _LEAGUES] += points.astype(np.int16)
    return points


def _end_round(tables: Tables, rules: Rules, state: State, rows: Rows) -> None:
    """Ends the round, and the game after its last one (R3.3, R7)."""
    pick = rows.pick
    state.locked[pick] = state.plan[pick]
    state.plan[pick] = NO_PLAN
    state.phase[pick] = PLAN
    state.position[pick] = 0
    over = state.last_round[pick]
    ended, going_on = rows.index[over], rows[where(~over)]
    state.finished[ended] = True
    score_end(tables, state, ended)
    pick = going_on.pick
    checked = state.round[pick] >= rules.first_check_round
    few = open_sites(tables, state, pick) <= OPEN_SITES_AT_END
    state.round[pick] += 1
    state.last_round[pick] = (checked & few) | (state.round[pick] == NUM_FIEFS)
