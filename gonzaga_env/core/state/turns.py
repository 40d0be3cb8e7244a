"""Whose turn it is, and which plans a seat may make: what follows from cards and turn order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NUM_PLANS, PLAN_CARDS
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.state.state import PLACE, State, current_fiefs
from gonzaga_env.tabletop.rows import RowKey

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
    """Returns the plans that `legal_plans` allows: positions among the M seats and plans, [L] each.

    They are sorted by position, then by plan.
    """
    legal = legal_plans(tables, state, rows, seats)[:, None]
    positions, plans = bits.unpack(legal, NUM_PLANS).view(np.bool_).nonzero()
    return positions, plans
