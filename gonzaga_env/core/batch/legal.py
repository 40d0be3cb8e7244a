"""Which seat acts, and which actions the rules allow it, as packed sets (`LegalSets`).

A set of legal placements is what the plan allows on the empty map, less what is blocked. What is
blocked comes from two places::

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

from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.board.bits import WORD, Words
from gonzaga_env.core.board.legal_sets import DONATE_WORD, PLAN_WORD
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_FIEFS, NUM_RINGS
from gonzaga_env.core.state.state import PLACE, State, acting_fiefs
from gonzaga_env.core.state.turns import NO_SEAT, acting_seats, legal_plans
from gonzaga_env.tabletop.rows import Rows, key_of, merge_seats


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
        """Returns the decisions of some games."""
        return Decisions(self.seats[rows.key], self.fiefs[rows.key], self.legal[rows.key])


def write_decisions(tables: Tables, state: State, rows: Rows, decisions: Decisions) -> None:
    """Updates the decisions of some games after they changed."""
    seats = acting_seats(state, rows.key)
    fiefs = acting_fiefs(state, rows, rows.seat_rows(np.maximum(seats, 0), state.num_players))
    placing, over = state.phase[rows.key] == PLACE, seats == NO_SEAT
    decisions.seats[rows.key], decisions.fiefs[rows.key] = seats, fiefs
    key = key_of(~placing | over)
    decisions.legal[rows[key].key] = 0
    key = key_of(~placing & ~over)
    _write_plans(tables, state, rows[key], seats[key], decisions.legal)
    key = key_of(placing & ~over)
    _write_placements(tables, state, rows[key], seats[key], fiefs[key], decisions.legal)


def _write_plans(
    tables: Tables, state: State, rows: Rows, seats: NDArray[np.int64], legal: Words
) -> None:
    if not len(rows):
        return
    legal[rows.key, PLAN_WORD] = legal_plans(tables, state, rows.indices, seats)


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

    The sets hold placements (R4) and weddings (R5), not the donation.

    Args:
        tables: the tables of the edition.
        state: N games, of which those in `rows` have revealed their plans.
        rows: games, [M]; a game may be listed several times.
        seats: the seat of each, [M], whether it is to act or not.
    """
    games, sets = Rows.some(rows), tables.legal_sets
    seat_rows = games.seat_rows(seats, state.num_players)
    fiefs = acting_fiefs(state, games, seat_rows)
    legal = np.zeros((len(rows), sets.num_words), dtype=WORD)
    placements, weddings = _placements(tables, state, games, seat_rows, fiefs)
    legal[:, sets.fief_words], legal[:, sets.ring_words] = placements, weddings
    return legal


def _placements(
    tables: Tables,
    state: State,
    rows: Rows,
    seat_rows: NDArray[np.int64],
    fief: NDArray[np.int64],
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
