"""Counts of sites (R7.1) and final scoring (R8)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import GROUP_POINTS, OBJECTIVE_POINTS
from gonzaga_env.core.state.state import SOURCES, State
from gonzaga_env.tabletop.rows import RowKey

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
