"""The public side of a game as a scene."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.state.state import State
from gonzaga_env.render.pieces import PlacedFief, PlacedRing
from gonzaga_env.render.scene import edition_scene
from gonzaga_env.render.shapes import Scene


def game_scene(tables: Tables, state: State, game: int = 0) -> Scene:
    """Returns the board of one game with all fiefs and rings on it.

    Args:
        tables: the edition's tables.
        state: N games.
        game: the row to draw.
    """
    return edition_scene(tables.edition, _fiefs(tables, state, game), _rings(tables, state, game))


def _fiefs(tables: Tables, state: State, game: int) -> Iterator[PlacedFief]:
    """Yields the fiefs. Rings are pieces too (R5.3) and are told apart by `ring_cells`."""
    cells = tables.edition.grid.cells
    for seat, pieces in enumerate(state.piece[game]):
        ringed = state.ring_cells[game, seat]
        for number in np.unique(pieces[pieces > 0]):
            held = np.flatnonzero(pieces == number)
            if not np.isin(held, ringed).any():
                yield PlacedFief(seat, tuple(cells[i] for i in held))


def _rings(tables: Tables, state: State, game: int) -> Iterator[PlacedRing]:
    for seat, ringed in enumerate(state.ring_cells[game]):
        for cell in ringed[ringed < tables.num_hexes]:
            yield PlacedRing(seat, tables.edition.grid.cells[cell])
