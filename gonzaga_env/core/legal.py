"""Which seat acts, and which actions the rules allow it, as packed sets of actions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.actions import NUM_PLANS
from gonzaga_env.core.bits import WORD, Words
from gonzaga_env.core.legal_sets import DONATE_WORD, PLAN_WORD
from gonzaga_env.core.rows import Pick, Rows, by_seat, where
from gonzaga_env.core.rules import NUM_FIEFS, NUM_RINGS
from gonzaga_env.core.state import PLACE, State, acting_fiefs
from gonzaga_env.core.tables import Tables

NO_SEAT = -1


def acting_seats(state: State, pick: Pick = slice(None)) -> NDArray[np.int64]:
    """Returns the seat to act in some games, [M]; -1 where the game is over.

    Sealed plans are taken in the order of the seats, which the rules leave open (R3.2).
    """
    seats = state.position[pick].astype(np.int64)
    placing = (state.phase[pick] == PLACE).nonzero()[0]
    if len(placing):
        seats[placing] = state.order[pick][placing, seats[placing]]
    seats[state.finished[pick]] = NO_SEAT
    return seats


@dataclass(frozen=True)
class Turns:
    """Whose turn it is in each of N games, and what it may do.

    Attributes:
        seats: seat to act, [N]; -1 where the game is over.
        fiefs: the fief that it has at hand, [N]; any where the game is over.
        legal: its legal actions (`LegalSets`), [N, words]; none where the game is over.
    """

    seats: NDArray[np.int64]
    fiefs: NDArray[np.int64]
    legal: Words

    @classmethod
    def unknown(cls, tables: Tables, num_games: int) -> Turns:
        """Returns arrays to be written by `write_turns`."""
        seats = np.zeros(num_games, dtype=np.int64)
        legal = np.zeros((num_games, tables.legal_sets.num_words), dtype=WORD)
        return cls(seats, seats.copy(), legal)

    def take(self, rows: Rows) -> Turns:
        """Returns those of some games."""
        return Turns(self.seats[rows.pick], self.fiefs[rows.pick], self.legal[rows.pick])


def write_turns(tables: Tables, state: State, rows: Rows, turns: Turns) -> None:
    """Works out the turns of M of the games."""
    seats = acting_seats(state, rows.pick)
    fiefs = acting_fiefs(state, rows, rows.slots(np.maximum(seats, 0), state.num_players))
    placing, over = state.phase[rows.pick] == PLACE, seats == NO_SEAT
    turns.seats[rows.pick], turns.fiefs[rows.pick] = seats, fiefs
    turns.legal[rows.pick] = 0
    at = where(~placing & ~over)
    _write_plans(tables, state, rows[at], seats[at], turns.legal)
    at = where(placing & ~over)
    _write_placements(tables, state, rows[at], seats[at], fiefs[at], turns.legal)


def legal_plans(
    tables: Tables, state: State, rows: NDArray[np.int64], seats: NDArray[np.int64]
) -> Words:
    """Returns the plans that cards in hand and rings allow, [M] (R2.1, R3.3, R3.4)."""
    locked = np.minimum(state.locked[rows, seats], NUM_PLANS)
    has_ring = (state.ring_stock[rows, seats] > 0).astype(np.int64)
    return tables.plan_bits[state.scenario[rows], locked, has_ring]


def _write_plans(
    tables: Tables, state: State, rows: Rows, seats: NDArray[np.int64], legal: Words
) -> None:
    if not len(rows):
        return
    legal[rows.pick, PLAN_WORD] = legal_plans(tables, state, rows.index, seats)


def _write_placements(
    tables: Tables,
    state: State,
    rows: Rows,
    seats: NDArray[np.int64],
    fief: NDArray[np.int64],
    legal: Words,
) -> None:
    """Adds placements (R4), weddings (R5) and the donation, which is always legal (R3.7)."""
    if not len(rows):
        return
    sets, slots = tables.legal_sets, rows.slots(seats, state.num_players)
    # A plan's index less the privilege counts region and action cards as the tables do.
    cards = by_seat(state.plan)[slots] >> 1
    setting = state.scenario[rows.pick].astype(np.int64) * (NUM_PLANS // 2) + cards
    blocked = by_seat(state.blocked).take(rows.index * NUM_FIEFS + fief, axis=0)
    ring_cells = by_seat(state.ring_cells).take(slots, axis=0).astype(np.int64)
    conflicts = by_seat(tables.placements.fief_conflicts)
    for i in range(NUM_RINGS):
        blocked |= conflicts.take(ring_cells[:, i] * NUM_FIEFS + fief, axis=0)
    fiefs = tables.fief_bits.reshape(-1, blocked.shape[1]).take(setting * NUM_FIEFS + fief, axis=0)
    legal[rows.pick, sets.fief_words] = fiefs & ~blocked
    blocked = by_seat(state.ring_blocked).take(slots, axis=0)
    stock = np.minimum(by_seat(state.ring_stock)[slots], 2)
    weddings = tables.ring_bits.reshape(-1, blocked.shape[1]).take(setting * 3 + stock, axis=0)
    legal[rows.pick, sets.ring_words] = weddings & ~blocked
    legal[rows.pick, DONATE_WORD] = 1
