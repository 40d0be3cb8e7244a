"""The public side of a game as a scene."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import NUM_FIEFS
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
    cells = tables.edition.grid.cells
    for seat, piece in enumerate(state.piece[game]):
        for number in np.unique(piece[(piece > 0) & (piece <= NUM_FIEFS)]):
            yield PlacedFief(seat, tuple(cells[i] for i in np.flatnonzero(piece == number)))


def _rings(tables: Tables, state: State, game: int) -> Iterator[PlacedRing]:
    for seat, ringed in enumerate(state.ring_cells[game]):
        for cell in ringed[ringed < tables.num_hexes]:
            yield PlacedRing(seat, tables.edition.grid.cells[cell])
