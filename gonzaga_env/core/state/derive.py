"""Computes from the pieces what a state stores redundantly to keep steps fast."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board import bits
from gonzaga_env.core.board.bits import Words
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import LEAGUE_POINTS, NUM_FIEFS, NUM_PIECES, NUM_SEAS
from gonzaga_env.core.state.state import SOURCES, State

DERIVED_SOURCES = slice(0, 3)  # cities, harbors and leagues among `SOURCES`
_CHUNK_GAMES = 32  # games whose conflicts are united together: 2 MB, which stay in the cache


def write_derived(tables: Tables, state: State) -> None:
    """Writes the fields that follow from `scenario`, `piece` and `leagues` (see `State`)."""
    here = state.piece[:, :, :-1]
    fiefs, rings = (here > 0) & (here <= NUM_FIEFS), here > NUM_FIEFS
    state.fiefs[:], state.rings[:] = bits.pack(fiefs), bits.pack(rings)
    write_blocked(tables, state, fiefs, rings)
    state.group[:] = _groups(tables, state.piece)
    state.largest_group[:] = np.bitwise_count(state.group).max(axis=2)
    _write_sites(tables, state, fiefs | rings)


def _write_sites(tables: Tables, state: State, held: NDArray[np.bool_]) -> None:
    """Writes harbors, and the points for sites and leagues (R6.1, R6.2)."""
    value = tables.site_value[state.scenario, :-1].astype(np.int16)[:, None] * held
    of_sea = tables.harbor_sea[:-1, None] == np.arange(NUM_SEAS)
    state.sea_harbors[:] = held @ of_sea.astype(np.uint8)
    points = (
        value @ tables.city_mask.astype(np.int16),
        value @ of_sea.any(axis=1).astype(np.int16),
        LEAGUE_POINTS * state.leagues.sum(axis=2),
    )
    for source, values in zip(SOURCES[DERIVED_SOURCES], points, strict=True):
        state.scores[:, :, SOURCES.index(source)] = values


def write_blocked(
    tables: Tables, state: State, fiefs: NDArray[np.bool_], rings: NDArray[np.bool_]
) -> None:
    """Writes what pieces on the map block (see `core.batch.legal`)."""
    conflicts = tables.placements.fief_conflicts
    for start in range(0, len(fiefs), _CHUNK_GAMES):
        chunk = slice(start, start + _CHUNK_GAMES)
        state.blocked[chunk] = _unions(
            conflicts, np.logical_or.reduce(fiefs[chunk], axis=1)
        )  # R4.3
    taken = np.logical_or(fiefs, rings.any(axis=1, keepdims=True))  # R5.4
    shape = state.ring_blocked.shape
    unions = _unions(tables.placements.ring_conflicts, taken.reshape(-1, taken.shape[2]))
    state.ring_blocked[:] = unions.reshape(shape)


def _unions(sets: Words, taken: NDArray[np.bool_]) -> Words:
    """Returns the union of the sets [H + 1, ...] of the hexes taken in each row [M, H]."""
    unions = np.zeros((len(taken), *sets.shape[1:]), dtype=sets.dtype)
    rows, cells = taken.nonzero()
    used, starts = np.unique(rows, return_index=True)
    if len(used):
        unions[used] = np.bitwise_or.reduceat(sets[cells], starts, axis=0)
    return unions


def _groups(tables: Tables, piece: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Returns the pieces connected with each piece, [M, P, 18] (R8.1; see `State.group`)."""
    flat = piece.reshape(-1, piece.shape[2])
    here = flat[:, :-1]
    linked = np.zeros((len(flat), NUM_PIECES + 1, NUM_PIECES + 1), dtype=np.bool_)
    row, cell = (here != 0).nonzero()  # of bools it is ten times as fast as of numbers
    linked[row, here[row, cell], here[row, cell]] = True
    for neighbor in tables.edition.grid.neighbors[:, :3].T:  # the other three from the other side
        there = flat[row, neighbor[cell]]
        linked[row, here[row, cell], there] = linked[row, there, here[row, cell]] = True
    weights = np.float32(2) ** np.arange(NUM_PIECES, dtype=np.float32)  # exact in float32
    groups = (linked[:, 1:, 1:].astype(np.float32) @ weights).astype(np.uint32)
    for piece_index in range(NUM_PIECES):  # Warshall: join all that a piece connects
        connects = groups >> np.uint32(piece_index) & np.uint32(1)
        groups |= groups[:, piece_index, None] * connects
    return groups.reshape(*piece.shape[:2], NUM_PIECES)
