"""Legal actions of the seats to act, and their effects (R3 to R7). Callers check legality first.

Legal actions are packed sets (`LegalSets`). A set of legal placements is what the plan allows on
the empty map, less what is blocked. What is blocked comes from two places::

    blocked by             stored in                 updated
    any fief      (R4.3)   State.blocked             eagerly, when a fief is placed
    an own ring   (R4.3)   -                         lazily, when legality is asked for
    weddings      (R5.4)   State.ring_blocked        eagerly, when a fief or a ring is placed

    legal = tables.fief_bits[plan]     1 1 1 1 0 1
          & ~state.blocked             0 1 0 0 0 0   one fief on the map overlaps placement 1
          & ~conflicts[own rings]      0 0 0 1 0 0   one own ring lies under placement 3
                                       -----------
                                       1 0 1 0 0 1

Fiefs block everybody alike, so one set per game is enough and pays off at every later step. Rings
block their owner only; keeping their sets would take P times the memory, while looking up the
conflicts of six hexes at most is cheap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import CARDS, NO_PLAN, NUM_PLANS
from gonzaga_env.core.board.bits import WORD, Words
from gonzaga_env.core.board.placements import DONATE_WORD, PLAN_WORD
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import Rules
from gonzaga_env.core.constants import (
    DONATION_POINTS,
    LEAGUE_HARBORS,
    LEAGUE_POINTS,
    NUM_FIEFS,
    NUM_PIECES,
    NUM_RINGS,
)
from gonzaga_env.core.state import (
    NO_SEAT,
    PLACE,
    PLAN,
    SOURCES,
    State,
    acting_fiefs,
    acting_seats,
    legal_plans,
    open_sites,
    score_end,
    turn_order,
)
from gonzaga_env.kernel.arguments import Indices
from gonzaga_env.kernel.rows import Rows, key_of, merge_seats

_LEAGUES, _DONATIONS = map(SOURCES.index, SOURCES[2:4])
_SITES = slice(0, 2)  # points of cities and harbors among the sources
_ONE = np.uint32(1)
_PIECE_BITS = _ONE << np.arange(NUM_PIECES, dtype=np.uint32)
_BIT_OF_PIECE = np.append(np.uint32(0), _PIECE_BITS)  # by `State.piece`, which is 0 for none
_CHUNK_GAMES = 512  # games whose sets of placements fit into a processor's second cache


def apply_plans(state: State, rows: Rows, seats: Indices, actions: Indices) -> Rows:
    """Seals plans (R3.2), and reveals and returns those games in which every seat has planned."""
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
    """The results of M actions of the second phase.

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


@dataclass(frozen=True)
class Decisions:
    """The decision that each of N games waits for.

    Attributes:
        seats: the seat to act, [N]; -1 where the game is over.
        fiefs: its fief of this round (0 to 11), [N]; undefined where the game is over.
        legal: its legal actions, [N, words] (`LegalSets`); empty where the game is over.
    """

    seats: NDArray[np.int64]
    fiefs: NDArray[np.int64]
    legal: Words

    @classmethod
    def empty(cls, tables: Tables, num_games: int) -> Decisions:
        """Returns arrays for `write_decisions`."""
        seats = np.zeros(num_games, dtype=np.int64)
        legal = np.zeros((num_games, tables.legal_sets.num_words), dtype=WORD)
        return cls(seats, seats.copy(), legal)

    def take(self, rows: Rows) -> Decisions:
        return Decisions(self.seats[rows.key], self.fiefs[rows.key], self.legal[rows.key])


def write_decisions(tables: Tables, state: State, rows: Rows, decisions: Decisions) -> None:
    seats = acting_seats(state, rows.key)
    fiefs = acting_fiefs(state, rows, rows.seat_rows(np.maximum(seats, 0), state.num_players))
    placing, over = state.phase[rows.key] == PLACE, seats == NO_SEAT
    decisions.seats[rows.key], decisions.fiefs[rows.key] = seats, fiefs
    key = key_of(~placing | over)
    decisions.legal[rows[key].key] = 0
    key = key_of(~placing & ~over)
    if len(planning := rows[key]):
        plans = legal_plans(tables, state, planning.indices, seats[key])
        decisions.legal[planning.key, PLAN_WORD] = plans
    key = key_of(placing & ~over)
    _write_placements(tables, state, rows[key], seats[key], fiefs[key], decisions.legal)


def _write_placements(
    tables: Tables,
    state: State,
    rows: Rows,
    seats: NDArray[np.int64],
    fief: NDArray[np.int64],
    legal: Words,
) -> None:
    """Writes placements (R4), weddings (R5) and the donation, which is always legal (R3.7)."""
    if not len(rows):
        return
    sets, seat_rows = tables.legal_sets, rows.seat_rows(seats, state.num_players)
    placements, weddings = _placements(tables, state, rows, seat_rows, fief)
    legal[rows.key, PLAN_WORD] = 0
    legal[rows.key, sets.fief_words] = placements
    legal[rows.key, sets.ring_words] = weddings
    legal[rows.key, DONATE_WORD] = 1  # R3.7


def legal_placements(
    tables: Tables, state: State, rows: NDArray[np.int64], seats: NDArray[np.int64]
) -> Words:
    """Returns what one seat per game may place on the present map, [M, words] (`LegalSets`).

    The sets hold placements (R4) and weddings (R5), not the donation. Plans are revealed. A game
    may be listed several times in `rows`, and a seat need not be to act.
    """
    games, sets = Rows.some(rows), tables.legal_sets
    seat_rows = games.seat_rows(seats, state.num_players)
    fiefs = acting_fiefs(state, games, seat_rows)
    legal = np.zeros((len(rows), sets.num_words), dtype=WORD)
    placements, weddings = _placements(tables, state, games, seat_rows, fiefs)
    legal[:, sets.fief_words], legal[:, sets.ring_words] = placements, weddings
    return legal


def _placements(
    tables: Tables, state: State, rows: Rows, seat_rows: NDArray[np.int64], fief: NDArray[np.int64]
) -> tuple[Words, Words]:
    """Returns the placements (R4) and the weddings (R5) of one seat per game."""
    # A plan's index without the privilege bit numbers region and action cards as the tables do.
    cards = merge_seats(state.plan)[seat_rows] >> 1
    setting = state.scenario[rows.key].astype(np.int64) * (NUM_PLANS // 2) + cards
    blocked = merge_seats(state.blocked).take(rows.indices * NUM_FIEFS + fief, axis=0)  # R4.3
    ring_cells = merge_seats(state.ring_cells).take(seat_rows, axis=0).astype(np.int64)
    conflicts = merge_seats(tables.placements.fief_conflicts)
    one = np.empty_like(blocked)
    for i in range(NUM_RINGS):  # R4.3: own rings; other players' do not block (R5.5)
        conflict = ring_cells[:, i] * NUM_FIEFS + fief
        blocked |= conflicts.take(conflict, axis=0, out=one, mode="clip")  # "raise" copies `one`
    # R4.1, R4.2; the tables leave out what R4.4 and R4.5 forbid.
    fiefs = tables.fief_bits.reshape(-1, blocked.shape[1]).take(setting * NUM_FIEFS + fief, axis=0)
    taken = merge_seats(state.ring_blocked).take(seat_rows, axis=0)  # R5.4
    stock = np.minimum(merge_seats(state.ring_stock)[seat_rows], 2)
    # R5.1, R5.2
    weddings = tables.ring_bits.reshape(-1, taken.shape[1]).take(setting * 3 + stock, axis=0)
    fiefs &= np.invert(blocked, out=blocked)
    weddings &= np.invert(taken, out=taken)
    return fiefs, weddings
