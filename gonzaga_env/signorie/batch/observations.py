"""What seats of many games know (S13; layout: `features`)."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch.games import Games
from gonzaga_env.signorie.state.state import NO_COLOR, NO_EFFECT
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.rows import Rows, flat_rows

_MOST = 255  # a byte shows
_BY_PLAYER = (
    *("supply", "stock", "threshold", "careers", "placed", "helpers", "brides", "meeples"),
    *("initiative", "height", "place", "passed", "missing", "row_vp", "face_down"),
)


def _planes(size: int, more: int = 0) -> NDArray[np.uint8]:
    """Returns one-hot rows, and zeros for some numbers more."""
    return np.eye(size + more, size, dtype=np.uint8)


_KINDS, _COLORS = _planes(len(c.KINDS), 1), _planes(c.NUM_COLORS, NO_COLOR + 1 - c.NUM_COLORS)
_ASSIGNMENTS, _BONUS, _VP = map(_planes, (c.NUM_ASSIGNMENTS, c.NUM_BONUS_TILES, c.NUM_VP_TILES))
_BOARDS = _planes(4)
_TILES = np.arange(c.NUM_TILES + 1)
_HOUSE = _planes(c.NUM_HOUSES, 1)[_TILES // len(c.TILE_VALUES)]
_VALUE = _planes(len(c.TILE_VALUES))[_TILES % len(c.TILE_VALUES)] * (_TILES < c.NUM_TILES)[:, None]
_VALUE = _VALUE.astype(np.uint8)


def observe(games: Games, rows: Rows, seats: Indices, out: NDArray[np.uint8]) -> None:
    """Writes what one seat of each game knows, [M, D]."""
    parts = {name: out[:, columns] for name, columns in _columns(games.features)}
    _show_players(games, rows, seats, parts)
    _show_decision(games, rows, parts)
    out[:, table_columns(games.features)] = games.table[rows.key]


@lru_cache(maxsize=64)
def _columns(features: FeatureTable) -> tuple[tuple[str, slice], ...]:
    """Returns name and columns of every feature."""
    return tuple((f.name, f.slice) for f in features)


def table_columns(features: FeatureTable) -> slice:
    """Returns the columns of what changes little, which `Games.table` holds."""
    return slice(features["assignments"].slice.start, features["tile_value"].slice.stop)


def _show_players(
    games: Games, rows: Rows, seats: Indices, out: dict[str, NDArray[np.uint8]]
) -> None:
    """Writes what is known of each player, in the observing seat's order."""
    state, p = games.state, games.num_players
    order = (seats[:, None] + np.arange(p)) % p
    players = rows.indices[:, None] * p + order
    for name in _BY_PLAYER:
        out[name][:] = flat_rows(getattr(games, name).take(players, axis=0))
    scores = games.scores.take(players, axis=0)
    out["vp"][:] = np.minimum(np.einsum("ijk->ij", scores), _MOST)
    out["scores"][:] = flat_rows(np.minimum(scores, _MOST))
    out["florins"][:] = np.minimum(games.florins.take(players), _MOST)
    out["boards"][:] = flat_rows(_BOARDS.take(games.boards.take(players), axis=0))
    out["to_act"][:] = order == np.where(state.finished, p, state.seat)[rows.key][:, None]


def _show_decision(games: Games, rows: Rows, out: dict[str, NDArray[np.uint8]]) -> None:
    """Writes what is asked, the dice, and the tiles that nobody sees."""
    state, key = games.state, rows.key
    out["kind"][:] = _KINDS.take(state.kind[key], axis=0)
    out["color"][:] = _COLORS.take(state.color[key], axis=0)
    out["effect"][:] = _effects(len(games.edition.effects)).take(state.effect[key], axis=0)
    for name in ("part", "left", "repeats", "finished", "round"):
        out[name][:, 0] = getattr(state, name)[key]
    out["pool"][:] = flat_rows(state.pool[key])
    out["deck_size"][:, 0], out["unseen"][:] = games.deck_size[key], state.unseen[key]


@cache
def _effects(number: int) -> NDArray[np.uint8]:
    return _planes(number, NO_EFFECT + 1 - number)


def show_tables(games: Games, rows: Indices) -> None:
    """Updates `Games.table` of some games."""
    if not len(rows):
        return
    state, taken = games.state, games.taken.take(rows, axis=0)
    tiles = state.city_tiles.take(rows, axis=0)
    shown = (
        _ASSIGNMENTS.take(state.assignments.take(rows, axis=0), axis=0),
        _BONUS.take(state.bonus_tiles.take(rows, axis=0), axis=0),
        _VP.take(state.vp_tiles.take(rows, axis=0), axis=0),
        state.cities.take(rows, axis=0),
        games.tables.empty[np.arange(c.NUM_CITIES), taken],
        _HOUSE.take(tiles, axis=0),
        _VALUE.take(tiles, axis=0),
    )
    games.table[rows] = np.concatenate([flat_rows(one) for one in shown], axis=1)
