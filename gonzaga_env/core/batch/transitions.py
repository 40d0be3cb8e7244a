"""What an action changes (R3 to R7). Callers check legality first; nothing here checks it again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import CARDS, NO_PLAN, NUM_PLANS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import (
    DONATION_POINTS,
    LEAGUE_HARBORS,
    LEAGUE_POINTS,
    NUM_PIECES,
    NUM_RINGS,
)
from gonzaga_env.core.options import Rules
from gonzaga_env.core.state.scoring import open_sites, score_end
from gonzaga_env.core.state.state import PLACE, PLAN, SOURCES, State, acting_fiefs
from gonzaga_env.core.state.turns import turn_order
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.rows import Rows, key_of, merge_seats

_LEAGUES, _DONATIONS = map(SOURCES.index, SOURCES[2:4])
_SITES = slice(0, 2)  # points of cities and harbors among the sources
_ONE = np.uint32(1)
_PIECE_BITS = _ONE << np.arange(NUM_PIECES, dtype=np.uint32)
_BIT_OF_PIECE = np.append(np.uint32(0), _PIECE_BITS)  # by `State.piece`, which is 0 for none
_CHUNK_GAMES = 512  # games whose sets of placements fit into a processor's second cache


def apply_plans(state: State, rows: Rows, seats: Indices, actions: Indices) -> Rows:
    """Seals plans (R3.2) and reveals those of games in which every seat has planned.

    Returns:
        The games whose plans were revealed.
    """
    merge_seats(state.plan)[rows.seat_rows(seats, state.num_players)] = actions
    state.num_acted[rows.key] += 1
    revealed = rows[key_of(state.num_acted[rows.key] == state.num_players)]
    if len(revealed):
        _reveal(state, revealed)
    return revealed


def _reveal(state: State, rows: Rows) -> None:
    """Pays for privileges, returns the previous round's cards and fixes the turn order."""
    key = rows.key
    state.order[key] = turn_order(state, key)
    state.ring_stock[key] -= CARDS[state.plan[key], -1]  # R3.4
    state.previous_plan[key] = NO_PLAN  # R3.3
    state.phase[key] = PLACE
    state.num_acted[key] = 0


@dataclass(slots=True)
class PlacementResult:
    """What M actions of the second phase did.

    Attributes:
        rows: the games.
        seats: the seat that acted, [M].
        placement: row in `Placements`, [M].
        fiefs: which of the M placed a fief, as indices.
        rings: which placed rings.
        points: points scored immediately, [M].
    """

    rows: Rows
    seats: Indices
    placement: Indices
    fiefs: Indices
    rings: Indices
    points: Indices


def apply_placements(
    tables: Tables, rules: Rules, state: State, rows: Rows, seats: Indices, actions: Indices
) -> PlacementResult:
    """Applies placements, weddings and donations (R3.6) and closes rounds that are over."""
    seat_rows = rows.seat_rows(seats, state.num_players)
    fief = acting_fiefs(state, rows, seat_rows)
    placement = tables.placements.row(fief, actions - NUM_PLANS)
    fiefs = (actions < tables.actions.ring.start).nonzero()[0]
    weddings = tables.actions.weddings
    rings = ((actions >= weddings.start) & (actions < weddings.stop)).nonzero()[0]
    pieces = _new_pieces(tables, state, seat_rows, actions, fief, fiefs, rings)
    _place_fiefs(tables, state, rows.indices[fiefs], seat_rows[fiefs], placement[fiefs])
    _place_rings(tables, state, rows.indices[rings], seat_rows[rings], placement[rings])
    _connect(tables, state, seat_rows, placement, pieces)
    points = _score_sites(tables, state, rows, seat_rows, placement)
    at_sea = tables.num_harbors[placement].nonzero()[0]
    points[at_sea] += _found_leagues(
        tables, rules, state, rows.indices[at_sea], seat_rows[at_sea], placement[at_sea]
    )
    donors = (actions == tables.actions.donate).nonzero()[0]
    merge_seats(state.scores)[seat_rows[donors], _DONATIONS] += DONATION_POINTS  # R3.7
    points[donors] = DONATION_POINTS
    state.num_acted[rows.key] += 1
    ended = rows[key_of(state.num_acted[rows.key] == state.num_players)]
    if len(ended):
        _end_round(tables, rules, state, ended)
    return PlacementResult(rows, seats, placement, fiefs, rings, points)


@dataclass(slots=True)
class _NewPieces:
    """The pieces that M actions place: none, a fief, one ring, or two with consecutive numbers."""

    first: Indices  # number of the first, less 1, [M]
    count: NDArray[np.uint8]  # [M]


def _new_pieces(
    tables: Tables,
    state: State,
    seat_rows: Indices,
    actions: Indices,
    fief: Indices,
    fiefs: Indices,
    rings: Indices,
) -> _NewPieces:
    first, count = fief.copy(), np.zeros(len(actions), dtype=np.uint8)
    count[fiefs] = 1
    count[rings] = 1 + (actions[rings] >= tables.actions.rings.start)
    first[rings] = NUM_PIECES - merge_seats(state.ring_stock)[seat_rows[rings]].astype(np.int64)
    return _NewPieces(first, count)


def _place_fiefs(
    tables: Tables, state: State, games: Indices, seat_rows: Indices, placement: Indices
) -> None:
    """Puts fiefs on the map for good (R4.6) and blocks what would overlap them (R4.3, R5.4)."""
    _add(merge_seats(state.fiefs), seat_rows, tables.placements.bits.take(placement, axis=0))
    cells = tables.placements.cells.take(placement, axis=0)
    ring_conflicts = tables.placements.ring_conflicts
    _add(merge_seats(state.ring_blocked), seat_rows, _union(ring_conflicts, cells))
    conflicts = tables.placements.fief_conflicts
    for start in range(0, len(games), _CHUNK_GAMES):
        chunk = slice(start, start + _CHUNK_GAMES)
        _add(state.blocked, games[chunk], _union(conflicts, cells[chunk]))


def _add(sets: Words, rows: Indices, more: Words) -> None:
    """Adds to the sets of some rows; `take` is twice as fast as indexing."""
    sets[rows] = np.bitwise_or(more, sets.take(rows, axis=0), out=more)


def _union(sets: Words, cells: NDArray[np.integer]) -> Words:
    """Returns the union of the sets [H + 1, ...] of each row's hexes [M, n], [M, ...]."""
    union = sets.take(cells[:, 0], axis=0)
    one = np.empty_like(union)
    for i in range(1, cells.shape[1]):
        union |= sets.take(cells[:, i], axis=0, out=one, mode="clip")  # "raise" would copy `one`
    return union


def _place_rings(
    tables: Tables, state: State, games: Indices, seat_rows: Indices, placement: Indices
) -> None:
    """Takes rings out of the stock for good (R5.1, R5.6); a hex holds one at most (R5.4)."""
    if not len(games):
        return
    _add(merge_seats(state.rings), seat_rows, tables.placements.bits.take(placement, axis=0))
    cells = tables.placements.cells[placement, :2]
    state.ring_blocked[games] |= _union(tables.placements.ring_conflicts, cells)[:, None]
    stock, ring_cells = merge_seats(state.ring_stock), merge_seats(state.ring_cells)
    for cell in cells.T:
        placed = (cell < tables.num_hexes).nonzero()[0]
        own = seat_rows[placed]
        ring_cells[own, NUM_RINGS - stock[own]] = cell[placed]
        stock[own] -= 1


def _connect(
    tables: Tables, state: State, seat_rows: Indices, placement: Indices, pieces: _NewPieces
) -> None:
    """Joins new pieces, each ring one (R5.3), with the groups they touch (R8.1).

    Barriers do not separate pieces. A group is the set of its pieces as bits, stored once for each
    of them::

        groups of a player     {1, 2}      {4}                         bits 1, 2    bit 4
        a new piece, 3, touches 2 and 4: one group, stored at 1, 2, 3 and 4
    """
    all_groups, piece = merge_seats(state.group), state.piece.reshape(-1)
    first, count = pieces.first, pieces.count
    start = seat_rows * (tables.num_hexes + 1)  # of the seat's part of `piece`
    group = ((_ONE << count) - _ONE) << first.astype(np.uint32)
    held = merge_seats(state.fiefs).take(seat_rows, axis=0)
    held |= merge_seats(state.rings).take(seat_rows, axis=0)
    halo = tables.placements.halo_bits.take(placement, axis=0)
    near = bits.overlap(halo, held).nonzero()[0]
    own = seat_rows[near]
    around = start[near, None] + tables.placements.halo.take(placement[near], axis=0)
    touched = np.bitwise_or.reduce(_BIT_OF_PIECE.take(piece.take(around)), axis=1)
    groups = all_groups[own]
    group[near] |= np.bitwise_or.reduce(groups * _members(touched), axis=1)
    joined = group[near]
    all_groups[own] = np.where(_members(joined), joined[:, None], groups)
    for i in range(2):
        new = (count > i).nonzero()[0]
        all_groups[seat_rows[new], first[new] + i] = group[new]
    cells = tables.placements.cells.take(placement, axis=0).astype(np.int64)
    piece[start[:, None] + cells] = first[:, None] + 1
    pairs = (count == 2).nonzero()[0]
    piece[start[pairs] + cells[pairs, 1]] += 1
    piece[start + tables.num_hexes] = 0  # there are no pieces off the map
    largest_group = merge_seats(state.largest_group)
    size = np.bitwise_count(group)
    largest_group[seat_rows] = np.maximum(largest_group[seat_rows], size)


def _members(group: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Returns which pieces are in each group, [M, 18] of [M]."""
    return group[:, None] & _PIECE_BITS != 0


def _score_sites(
    tables: Tables, state: State, rows: Rows, seat_rows: Indices, placement: Indices
) -> Indices:
    """Writes and returns the points of cities and harbors, [M] (R6.1)."""
    row = state.scenario[rows.key].astype(np.int64) * tables.points.shape[1] + placement
    gained = merge_seats(tables.points).take(row, axis=0)
    merge_seats(state.scores)[seat_rows, _SITES] += gained
    return gained.sum(axis=1, dtype=np.int64)


def _found_leagues(
    tables: Tables,
    rules: Rules,
    state: State,
    games: Indices,
    seat_rows: Indices,
    placement: Indices,
) -> Indices:
    """Counts new harbors, founds sea leagues and returns their points, [M] (R6.2)."""
    harbors, leagues = merge_seats(state.sea_harbors), merge_seats(state.leagues)
    now = harbors.take(seat_rows, axis=0) + tables.sea_harbors.take(placement, axis=0)
    harbors[seat_rows] = now
    founded = now >= LEAGUE_HARBORS
    if rules.sea_league == "first_only":  # R6.3
        founded &= ~state.leagues[games].any(axis=1)
    else:
        founded &= ~leagues.take(seat_rows, axis=0)
    leagues[seat_rows] |= founded
    points = LEAGUE_POINTS * founded.sum(axis=1)
    merge_seats(state.scores)[seat_rows, _LEAGUES] += points.astype(np.int16)
    return points


def _end_round(tables: Tables, rules: Rules, state: State, rows: Rows) -> None:
    """Ends the round (R3.3), and the game after its last one (R7)."""
    key = rows.key
    state.previous_plan[key] = state.plan[key]  # R3.3
    state.plan[key] = NO_PLAN
    state.phase[key] = PLAN
    state.num_acted[key] = 0
    over = state.last_round[key]
    finished, going_on = rows.indices[over], rows[key_of(~over)]
    state.finished[finished] = True
    score_end(tables, state, finished)
    key = going_on.key
    checked = state.round[key] >= rules.first_check_round  # R7.3
    size = tables.edition.size
    few = open_sites(tables, state, key) <= size.open_sites_at_end  # R7.1
    state.round[key] += 1
    state.last_round[key] = (checked & few) | (state.round[key] == size.rounds)  # R7.2
