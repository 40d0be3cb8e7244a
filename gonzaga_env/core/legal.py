"""Which seat acts, and which actions the rules allow it, as packed sets of actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.actions import NUM_PLANS
from gonzaga_env.core.bits import Words
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
    placing = np.flatnonzero(state.phase[pick] == PLACE)
    if len(placing):
        seats[placing] = state.order[pick][placing, seats[placing]]
    seats[state.finished[pick]] = NO_SEAT
    return seats


def write_legal_bits(tables: Tables, state: State, rows: Rows, out: Words) -> None:
    """Writes the legal actions of the seats to act in some games; none where the game is over.

    Args:
        tables: the edition's tables.
        state: N games.
        rows: M of them.
        out: packed sets of actions [N, action words], of which the rows are written.
    """
    seats = acting_seats(state, rows.pick)
    placing, over = state.phase[rows.pick] == PLACE, seats == NO_SEAT
    out[rows.pick] = 0
    for chosen, write in ((~placing & ~over, _write_plans), (placing & ~over, _write_placements)):
        at = where(chosen)
        write(tables, state, rows[at], seats[at], out)


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
    legal[rows.pick, 0] = legal_plans(tables, state, rows.index, seats)


def _write_placements(
    tables: Tables, state: State, rows: Rows, seats: NDArray[np.int64], legal: Words
) -> None:
    """Adds placements (R4), weddings (R5) and the donation, which is always legal (R3.7)."""
    if not len(rows):
        return
    actions, slots = tables.actions, rows.slots(seats, state.num_players)
    fief = acting_fiefs(state, rows, slots)
    # A plan's index less the privilege counts region and action cards as the tables do.
    cards = by_seat(state.plan)[slots] >> 1
    setting = state.scenario[rows.pick].astype(np.int64) * (NUM_PLANS // 2) + cards
    static = tables.fief_bits.reshape(-1, actions.fief_words)
    own_rings = by_seat(tables.placements.fief_conflicts).take(
        by_seat(state.ring_cells)[slots] * np.int64(NUM_FIEFS) + fief[:, None], axis=0
    )
    blocked = by_seat(state.blocked).take(rows.index * NUM_FIEFS + fief, axis=0)
    for i in range(NUM_RINGS):
        blocked |= own_rings[:, i]
    legal[rows.pick, actions.fief_slice] = (
        static.take(setting * NUM_FIEFS + fief, axis=0) & ~blocked
    )
    stock = np.minimum(by_seat(state.ring_stock)[slots], 2)
    weddings = tables.ring_bits.reshape(-1, actions.ring_words).take(setting * 3 + stock, axis=0)
    legal[rows.pick, actions.ring_slice] |= weddings & ~by_seat(state.ring_blocked)[slots]
    legal[rows.pick, -1] |= np.uint64(1 << actions.donate % 64)
