"""What an action changes (R3 to R7). Legality is settled before; nothing here asks again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.actions import NO_PLAN, NUM_PLANS, PLAN_CARDS
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
from gonzaga_env.core.state import MAX_PIECES, PLACE, PLAN, SOURCES, State, fiefs_at_hand
from gonzaga_env.core.tables import Tables

Rows = NDArray[np.int64]

_CITIES, _HARBORS, _LEAGUES, _DONATIONS = map(SOURCES.index, SOURCES[:4])
_PIECES = np.arange(MAX_PIECES, dtype=np.uint16)


def apply_plans(state: State, rows: Rows, seats: Rows, actions: Rows) -> None:
    """Seals plans of some games (R3.2); reveals those of games where everybody has planned."""
    state.plan[rows, seats] = actions
    state.position[rows] += 1
    _reveal(state, rows[state.position[rows] == state.num_players])


def _reveal(state: State, rows: Rows) -> None:
    """Pays for privileges, returns locked cards and fixes the turn order (R3.3 to R3.5)."""
    if not len(rows):
        return
    num_players = state.num_players
    _, action, privilege = np.moveaxis(PLAN_CARDS[state.plan[rows]], 2, 0)
    card = fiefs_at_hand(state, rows) * num_players + np.arange(
        num_players
    )  # tens and units (R1.7)
    key = ((1 - privilege) * NUM_PLANS + action) * (NUM_FIEFS * num_players) + card
    state.order[rows] = key.argsort(axis=1)
    state.ring_stock[rows] -= privilege.astype(np.uint8)
    state.locked[rows] = NO_PLAN
    state.phase[rows] = PLACE
    state.position[rows] = 0


@dataclass(frozen=True)
class _Placed:
    """M actions of the second phase, looked up."""

    rows: Rows  # [M]
    seats: Rows  # [M]
    placement: Rows  # [M]
    cells: NDArray[np.int64]  # [M, 4]
    is_fief: NDArray[np.bool_]  # [M]
    is_ring: NDArray[np.bool_]  # [M]
    num_pieces: NDArray[np.uint8]  # [M]; two for two rings


def apply_placements(
    tables: Tables, rules: Rules, state: State, rows: Rows, seats: Rows, actions: Rows
) -> NDArray[np.int64]:
    """Places, weds or donates in some games (R3.6) and closes rounds that are over.

    Returns:
        The points that each action scored at once, [M].
    """
    placed = _look_up(tables, state, rows, seats, actions)
    _hold(tables, state, placed)
    _block(tables, state, placed)
    _connect(tables, state, placed)
    points = _score(tables, rules, state, placed)
    state.position[rows] += 1
    _end_round(tables, rules, state, rows[state.position[rows] == state.num_players])
    return points


def _look_up(tables: Tables, state: State, rows: Rows, seats: Rows, actions: Rows) -> _Placed:
    fief = state.deck[rows, seats, state.round[rows] - 1]
    placement = tables.placements.row(fief, actions - NUM_PLANS)
    cells = tables.placements.cells[placement].astype(np.int64)
    is_fief = actions < tables.actions.ring.start
    is_ring = ~is_fief & (actions < tables.actions.donate)
    num_pieces = is_fief.astype(np.uint8)
    num_pieces[is_ring] = (cells[is_ring] < tables.num_hexes).sum(axis=1)
    return _Placed(rows, seats, placement, cells, is_fief, is_ring, num_pieces)


def _hold(tables: Tables, state: State, placed: _Placed) -> None:
    """Puts fiefs on the map, and rings, which leave the stock (R4.6, R5.1, R5.6)."""
    rows, seats = placed.rows, placed.seats
    covers = tables.placements.bits[placed.placement]
    state.fiefs[rows, seats] |= covers * placed.is_fief[:, None]
    with_ring = np.flatnonzero(placed.is_ring)
    rows, seats = rows[with_ring], seats[with_ring]
    state.rings[rows, seats] |= covers[with_ring]
    for i in range(2):
        more = placed.num_pieces[with_ring] > i
        row, seat = rows[more], seats[more]
        slot = NUM_RINGS - state.ring_stock[row, seat]
        state.ring_cells[row, seat, slot] = placed.cells[with_ring[more], i]
        state.ring_stock[row, seat] -= 1


def _block(tables: Tables, state: State, placed: _Placed) -> None:
    """Takes placements and weddings away that meet what was placed (R4.3, R5.4)."""
    rows, nowhere = placed.rows, tables.num_hexes
    fief_cells = np.where(placed.is_fief[:, None], placed.cells, nowhere)
    ring_cells = np.where(placed.is_ring[:, None], placed.cells, nowhere)
    fiefs, rings = tables.placements.fief_conflicts, tables.placements.ring_conflicts
    state.blocked[rows] |= np.bitwise_or.reduce(fiefs[fief_cells], axis=1)
    state.ring_blocked[rows, placed.seats] |= np.bitwise_or.reduce(rings[fief_cells], axis=1)
    state.ring_blocked[rows] |= np.bitwise_or.reduce(rings[ring_cells[:, :2]], axis=1)[:, None]


def _connect(tables: Tables, state: State, placed: _Placed) -> None:
    """Joins the new pieces with the groups they touch, across barriers too (R8.1).

    A group is a set of pieces as bits, written at each of its pieces.
    """
    rows, seats = placed.rows, placed.seats
    first = state.num_pieces[rows, seats]
    new = ((1 << placed.num_pieces.astype(np.uint16)) - 1) << first.astype(np.uint16)
    around = tables.placements.halo[placed.placement]
    touched = state.piece[rows[:, None], seats[:, None], around].astype(np.uint32)
    touched = np.bitwise_or.reduce(np.uint32(1) << touched, axis=1) >> np.uint32(1)
    groups = state.group[rows, seats]
    members = (touched[:, None].astype(np.uint16) >> _PIECES) & 1 == 1
    joined = new.astype(np.uint16) | np.bitwise_or.reduce(np.where(members, groups, 0), axis=1)
    inside = (joined[:, None] >> _PIECES) & 1 == 1
    state.group[rows, seats] = np.where(inside, joined[:, None], groups)
    number = np.repeat(first[:, None] + np.uint8(1), 4, axis=1)
    number[:, 1] += placed.is_ring
    state.piece[rows[:, None], seats[:, None], placed.cells] = number
    state.piece[rows, seats, tables.num_hexes] = 0
    state.num_pieces[rows, seats] += placed.num_pieces
    state.largest[rows, seats] = np.maximum(
        state.largest[rows, seats], np.bitwise_count(joined) * (placed.num_pieces > 0)
    )


def _score(tables: Tables, rules: Rules, state: State, placed: _Placed) -> NDArray[np.int64]:
    """Writes and returns the points of cities, harbors, leagues and donations (R3.7, R6)."""
    rows, seats = placed.rows, placed.seats
    gained = np.zeros((len(rows), len(SOURCES)), dtype=np.int16)
    gained[:, [_CITIES, _HARBORS]] = tables.points[state.scenario[rows], placed.placement]
    gained[:, _LEAGUES] = LEAGUE_POINTS * _found_leagues(tables, rules, state, placed).sum(axis=1)
    gained[:, _DONATIONS] = DONATION_POINTS * ~(placed.is_fief | placed.is_ring)
    state.scores[rows, seats] += gained
    return gained.sum(axis=1, dtype=np.int64)


def _found_leagues(
    tables: Tables, rules: Rules, state: State, placed: _Placed
) -> NDArray[np.bool_]:
    """Counts the new harbors and returns the seas in which a league is founded, [M, 6] (R6.2)."""
    rows, seats = placed.rows, placed.seats
    state.sea_harbors[rows, seats] += tables.sea_harbors[placed.placement]
    founded = state.sea_harbors[rows, seats] >= LEAGUE_HARBORS
    if rules.sea_league == "first_only":  # R6.3
        founded &= ~state.leagues[rows].any(axis=1)
    else:
        founded &= ~state.leagues[rows, seats]
    state.leagues[rows, seats] |= founded
    return founded


def _end_round(tables: Tables, rules: Rules, state: State, rows: Rows) -> None:
    """Ends the round, and the game after its last one (R3.3, R7)."""
    if not len(rows):
        return
    state.locked[rows] = state.plan[rows]
    state.plan[rows] = NO_PLAN
    state.phase[rows] = PLAN
    state.position[rows] = 0
    over = state.last_round[rows]
    ended, rows = rows[over], rows[~over]
    state.finished[ended] = True
    score_end(tables, state, ended)
    checked = state.round[rows] >= rules.first_check_round
    few = open_sites(tables, state, rows) <= OPEN_SITES_AT_END
    state.round[rows] += 1
    state.last_round[rows] = (checked & few) | (state.round[rows] == NUM_FIEFS)
