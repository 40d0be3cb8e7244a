"""Which seat acts, and which actions the rules allow it, as packed sets of actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.bits import Words
from gonzaga_env.core.state import PLACE, State
from gonzaga_env.core.tables import Tables

NO_SEAT = -1


def acting_seats(state: State, rows: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Returns the seat to act in some games, [M]; -1 where the game is over.

    Sealed plans are taken in the order of the seats, which the rules leave open (R3.2).
    """
    rows = np.arange(state.num_games) if rows is None else rows
    position = state.position[rows].astype(np.int64)
    seats = np.where(state.phase[rows] == PLACE, state.order[rows, position], position)
    seats[state.finished[rows]] = NO_SEAT
    return seats


def write_legal_bits(tables: Tables, state: State, rows: NDArray[np.int64], out: Words) -> None:
    """Writes the legal actions of the seats to act in some games; none where the game is over.

    Args:
        tables: the edition's tables.
        state: N games.
        rows: M of them.
        out: packed sets of actions [N, action words], of which the rows are written.
    """
    seats = acting_seats(state, rows)
    placing, over = state.phase[rows] == PLACE, seats == NO_SEAT
    out[rows[~placing | over]] = 0
    for chosen, write in ((~placing & ~over, _write_plans), (placing & ~over, _write_placements)):
        if chosen.any():
            write(tables, state, rows[chosen], seats[chosen], out)


def legal_plans(
    tables: Tables, state: State, rows: NDArray[np.int64], seats: NDArray[np.int64]
) -> Words:
    """Returns the plans that cards in hand and rings allow, [M] (R2.1, R3.3, R3.4)."""
    locked = np.minimum(state.locked[rows, seats], NUM_PLANS)
    has_ring = (state.ring_stock[rows, seats] > 0).astype(np.int64)
    return tables.plan_bits[state.scenario[rows], locked, has_ring]


def _write_plans(
    tables: Tables,
    state: State,
    rows: NDArray[np.int64],
    seats: NDArray[np.int64],
    legal: Words,
) -> None:
    legal[rows, 0] = legal_plans(tables, state, rows, seats)


def _write_placements(
    tables: Tables,
    state: State,
    rows: NDArray[np.int64],
    seats: NDArray[np.int64],
    legal: Words,
) -> None:
    """Writes placements (R4), weddings (R5) and the donation, which is always legal (R3.7)."""
    _, fief_words, ring_words, donate_word = tables.actions.word_slices
    scenario = state.scenario[rows]
    region, action, _ = PLAN_CARDS[state.plan[rows, seats]].T
    fief = state.deck[rows, seats, state.round[rows] - 1]
    own_rings = tables.placements.fief_conflicts[state.ring_cells[rows, seats], fief[:, None]]
    blocked = state.blocked[rows, fief] | np.bitwise_or.reduce(own_rings, axis=1)
    legal[rows, 0] = 0
    legal[rows, fief_words] = tables.fief_bits[scenario, region, action, fief] & ~blocked
    stock = np.minimum(state.ring_stock[rows, seats], 2)
    weddings = tables.ring_bits[scenario, region, action, stock]
    legal[rows, ring_words] = weddings & ~state.ring_blocked[rows, seats]
    legal[rows, donate_word] = 1
