"""What seats of many games know (S13; layout: `state.features`)."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.signorie import constants as c
from gonzaga_env.signorie.batch.games import Games
from gonzaga_env.signorie.state.state import NO_COLOR, NO_EFFECT
from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tabletop.rows import RowKey, Rows

_MOST = 255  # a byte shows


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
    """Writes what one seat of each game knows.

    Args:
        games: the games.
        rows: those to observe, [M].
        seats: the seat that looks, [M].
        out: the observations, [M, D].
    """
    values = _players(games, rows, seats) | _common(games, rows.key)
    for name, columns, width in _columns(games.features):
        if name in values:
            out[:, columns] = values[name].reshape(len(rows), width)
    out[:, table_columns(games.features)] = games.table[rows.key]


def table_columns(features: FeatureTable) -> slice:
    """Returns the columns of what changes little, which `Games.table` holds."""
    return slice(features["assignments"].slice.start, features["tile_value"].slice.stop)


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
        games.tables.empty[np.arange(taken.shape[1]), taken],
        _HOUSE.take(tiles, axis=0),
        _VALUE.take(tiles, axis=0),
    )
    games.table[rows] = np.concatenate([one.reshape(len(rows), -1) for one in shown], axis=1)


@cache
def _columns(features: FeatureTable) -> tuple[tuple[str, slice, int], ...]:
    """Returns name, columns and width of every feature."""
    return tuple((f.name, f.slice, f.slice.stop - f.slice.start) for f in features)


def _players(games: Games, rows: Rows, seats: Indices) -> dict[str, NDArray[np.generic]]:
    """Returns what is known of each player, in the observing seat's order, [M, P, ...]."""
    state, p = games.state, games.num_players
    order = (seats[:, None] + np.arange(p)) % p
    players = rows.indices[:, None] * p + order
    scores = games.scores.take(players, axis=0)
    return {
        "vp": np.minimum(np.einsum("ijk->ij", scores), _MOST),
        "scores": np.minimum(scores, _MOST),
        "florins": np.minimum(games.florins.take(players), _MOST),
        "supply": games.supply.take(players, axis=0),
        "stock": games.stock.take(players, axis=0),
        "threshold": games.threshold.take(players, axis=0),
        "careers": games.careers.take(players, axis=0),
        "placed": games.placed.take(players, axis=0),
        "helpers": games.helpers.take(players, axis=0),
        "brides": games.brides.take(players),
        "meeples": games.meeples.take(players, axis=0),
        "initiative": games.initiative.take(players),
        "height": games.height.take(players),
        "place": games.place.take(players),
        "passed": games.passed.take(players),
        "boards": _BOARDS.take(games.boards.take(players), axis=0),
        "missing": games.missing.take(players, axis=0),
        "row_vp": games.row_vp.take(players, axis=0),
        "face_down": games.face_down.take(players, axis=0),
        "to_act": order == np.where(state.finished, p, state.seat)[rows.key][:, None],
    }


def _common(games: Games, key: RowKey) -> dict[str, NDArray[np.generic]]:
    """Returns what is known of the rest, [M, ...]."""
    state = games.state
    effects = _effects(len(games.tables.sources))
    return {
        "kind": _KINDS.take(state.kind[key], axis=0),
        "effect": effects.take(state.effect[key], axis=0),
        "part": state.part[key],
        "left": state.left[key],
        "repeats": state.repeats[key],
        "color": _COLORS.take(state.color[key], axis=0),
        "finished": state.finished[key],
        "round": state.round[key],
        "pool": state.pool[key],
        "deck_size": games.deck_size[key],
        "unseen": state.unseen[key],
    }


@cache
def _effects(number: int) -> NDArray[np.uint8]:
    return _planes(number, NO_EFFECT + 1 - number)
