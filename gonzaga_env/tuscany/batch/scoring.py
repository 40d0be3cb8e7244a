"""Points of many games: for a piece, at the end of a round and of the game (T7, T11)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.rows import row_sums
from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.batch.games import Games
from gonzaga_env.tuscany.board.regions import Cells
from gonzaga_env.tuscany.config import GameConfig

_ZONE_POINTS = np.array(c.ZONE_POINTS, np.int16)
#: The crops of each piece; a wooden hexagon shows none, [18, 4].
_SHOWN = (np.array((*c.TILE_CROPS, 0))[:, None] >> np.arange(4) & 1).astype(np.bool_)


def score_piece(
    games: Games,
    rows: Indices,
    seats: Indices,
    cells: NDArray[np.uint8],
    colours: NDArray[np.uint8],
    pieces: NDArray[np.integer],
) -> None:
    """Scores pieces that have just covered a cell: zone, colour, crops (T7, T8.4); all are [M]."""
    region, empty = games.region.take(seats), ~games.covered.take(seats)
    zones = games.regions.zones[region, cells]
    points = _ZONE_POINTS.take(np.bitwise_count(zones)) * (zones & empty == 0)  # T7.1
    games.scores[:, c.ZONES][seats] += points
    complete = (games.regions.colour_cells[region, colours] & empty == 0).nonzero()[0]
    if len(complete):
        _score_colours(games, rows[complete], seats[complete], colours[complete])
    fields = (colours == c.AGRICULTURE).nonzero()[0]
    if len(fields):
        _score_crops(games, seats[fields], cells[fields], zones[fields], pieces[fields])


def _score_colours(games: Games, rows: Indices, seats: Indices, colours: NDArray[np.uint8]) -> None:
    """Scores colours that are complete, for the first two players (T7.2)."""
    everyone = games.all_seats(rows)
    cells = games.regions.colour_cells[games.region[everyone], colours[:, None]]
    before = (cells & ~games.covered[everyone] == 0).sum(axis=1) - 1
    games.scores[:, c.COLOUR_BONUS][seats] += _colour_points(games.config)[colours, before]


def _colour_points(config: GameConfig) -> NDArray[np.int16]:
    """Returns the points for a colour by the number of players before, [8, P]."""
    points = np.zeros((c.NUM_COLOURS, config.num_players), np.int16)
    points[:, :2] = config.colour_points
    return points


def _score_crops(
    games: Games,
    seats: Indices,
    cells: NDArray[np.uint8],
    zones: Cells,
    pieces: NDArray[np.integer],
) -> None:
    """Scores crops that are new in the zone; a wooden hexagon always is (T8.4)."""
    crops, shown = games.crops.take(seats, axis=0), _SHOWN.take(pieces, axis=0)
    new = shown & (crops & zones[:, None] == 0)
    games.scores[:, c.CROP_POINTS][seats] += new.sum(axis=1, dtype=np.int16) + (pieces == c.HEXAGON)
    bits = np.uint32(1) << cells.astype(np.uint32)
    games.crops[seats] = crops | bits[:, None] * shown


def score_rounds(games: Games, rows: Indices) -> None:
    """Adds the green points to the red ones (T11.1)."""
    if not len(rows):
        return
    seats = games.all_seats(rows)
    source = c.ROUND_1 + games.state.round[rows, None].astype(np.int64) - 1
    games.scores[seats, source] = games.scores[seats, c.GREEN].sum(axis=2, dtype=np.int16)


def finish(games: Games, rows: Indices) -> None:
    """Scores what is left (T11.2) and ends games."""
    if not len(rows):
        return
    seats = games.all_seats(rows).ravel()
    storage = games.storage.take(seats, axis=0)
    left = (
        row_sums(storage[:, : c.HEXAGON]),
        storage[:, c.HEXAGON],
        games.marble.take(seats),
        games.workers.take(seats),
        row_sums(games.hand.take(seats, axis=0)) // c.CARDS_PER_POINT,
    )
    for source, points in enumerate(left, start=c.END_TILES):
        games.scores[:, source][seats] = points
    games.state.finished[rows], games.state.kind[rows] = True, c.OVER
