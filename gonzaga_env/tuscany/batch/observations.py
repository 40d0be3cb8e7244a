"""What seats of many games know (T12; layout: `state.features`)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Indices
from gonzaga_env.tabletop.features import FeatureTable
from gonzaga_env.tuscany.batch.games import NOT_BUILT, Games, flat_regions, row_sums
from gonzaga_env.tuscany.batch.legal import cells_mask
from gonzaga_env.tuscany.board.geometry import JOINTS
from gonzaga_env.tuscany.board.regions import LAYOUT_JOINTS, NUM_TRIPLES
from gonzaga_env.tuscany.constants import (
    BONUS_COPIES,
    CROPS,
    KINDS,
    NUM_CELLS,
    NUM_LAYOUTS,
    NUM_PIECE_KINDS,
)
from gonzaga_env.tuscany.state.state import GREEN, NOT_FINAL, RED, STARTING_BONUS

#: Index of a region of which nothing is known, after those that are not built.
_UNKNOWN = NOT_BUILT + NUM_TRIPLES
_CELLS, _PAIR, _REST = np.uint64(NUM_CELLS), np.uint64(2 * NUM_CELLS), np.uint64(4)
_KIND_PLANES, _CELL_PLANES, _PIECE_PLANES = (
    np.eye(size + 1, size, dtype=np.uint8) for size in (len(KINDS), NUM_CELLS, NUM_PIECE_KINDS)
)


@cache
def _region_features(boards: tuple[tuple[int, ...], ...]) -> dict[str, NDArray[Any]]:
    """Returns what a seat sees of each region (see `_UNKNOWN`) by feature, [R, ...]."""
    cells = np.pad(flat_regions(boards).colour_cells, ((0, 1), (0, 0)))
    layout = np.arange(NOT_BUILT) % NUM_LAYOUTS
    triple = np.append(np.arange(NOT_BUILT) // NUM_LAYOUTS, np.arange(NUM_TRIPLES))
    numbers = np.stack([triple // 16, triple // 4 % 4, triple % 4], axis=1)
    nothing = (0, _UNKNOWN + 1 - NOT_BUILT)
    return {
        "colours": cells_mask(cells).reshape(len(cells), -1).astype(np.uint8),
        "boards": np.pad(np.eye(4, dtype=np.uint8)[numbers].reshape(-1, 12), ((0, 1), (0, 0))),
        "joints": np.pad(np.array(JOINTS, np.uint8)[LAYOUT_JOINTS[layout]], (nothing, (0, 0))),
        "layout": np.pad((layout + 1).astype(np.uint8), nothing),
        "covered": cells,
    }


def observe(games: Games, rows: Indices, seats: Indices, out: NDArray[np.uint8]) -> None:
    """Writes what one seat of each game knows.

    Args:
        games: the games.
        rows: those to observe, [M].
        seats: the seat that looks, [M].
        out: the observations, [M, D].
    """
    values = _players(games, rows, seats) | _common(games, rows, seats)
    for name, columns, width in _columns(games.config.features):
        out[:, columns] = values[name].reshape(len(rows), width)


@cache
def _columns(features: FeatureTable) -> tuple[tuple[str, slice, int], ...]:
    """Returns name, columns and width of every feature."""
    return tuple((f.name, f.slice, f.slice.stop - f.slice.start) for f in features)


def _players(games: Games, rows: Indices, seats: Indices) -> dict[str, NDArray[np.generic]]:
    """Returns what is known of each player, in the observing seat's order, [M, P, ...]."""
    state, p = games.state, games.num_players
    order = (seats[:, None] + np.arange(p)) % p
    players = rows[:, None] * p + order
    region, covered = games.region.take(players), games.covered.take(players)
    secret = (state.kind.take(rows) < STARTING_BONUS).nonzero()[0]
    if len(secret):  # a seat sees only its own boards (T2.4)
        region[secret, 1:] = _UNKNOWN
    features = _region_features(games.config.edition.boards)
    found: dict[str, NDArray[np.generic]] = {
        name: features[name].take(region, axis=0) for name in ("colours", "boards", "joints")
    }
    chosen = region < NOT_BUILT
    cells = features["covered"].take(region, axis=0)
    scores = games.scores.take(players, axis=0)
    sets = np.zeros((len(rows), 2 + p, 4), np.uint64)
    sets[:, 0, :p], sets[:, 1, :p] = covered * chosen, games.wooden.take(players)
    sets[:, 2:] = games.crops.take(players, axis=0)
    planes = _planes(sets)
    return found | {
        "layout": features["layout"].take(region),
        "covered": planes[:, 0, : p * NUM_CELLS],
        "wooden": planes[:, 1, : p * NUM_CELLS],
        "crops": planes[:, 2:, : len(CROPS) * NUM_CELLS],
        "storage": games.storage.take(players, axis=0),
        "marble": games.marble.take(players),
        "workers": games.workers.take(players),
        "bonus": games.bonus.take(players, axis=0),
        "turned": games.turned.take(players),
        "stacks": games.stacks.take(players, axis=0),
        "hand_size": np.einsum("ijk->ij", games.hand.take(players, axis=0)),
        "complete": (cells & ~covered[..., None] == 0) & chosen[..., None],
        "green": _clipped(np.einsum("ijk->ij", scores[..., GREEN])),
        "red": _clipped(np.einsum("ijk->ij", scores[..., RED])),
        "scores": _clipped(scores),
        "start": order == state.start.take(rows)[:, None],
        "to_act": order == np.where(state.finished, p, state.seat).take(rows)[:, None],
    }


def _common(games: Games, rows: Indices, seats: Indices) -> dict[str, NDArray[np.generic]]:
    """Returns what is known of the table and of the seat's own hand, [M, ...]."""
    state, turns_left = games.state, games.state.turns_left.take(rows)
    final = turns_left != NOT_FINAL
    return {
        "kind": _KIND_PLANES.take(state.kind.take(rows), axis=0),
        "cell": _CELL_PLANES.take(state.cell.take(rows), axis=0),
        "piece": _PIECE_PLANES.take(state.piece.take(rows), axis=0),
        "marble_used": state.marble_used.take(rows),
        "new_hexagons": state.new_hexagons.take(rows),
        "round": state.round.take(rows),
        "lap": state.lap.take(rows),
        "final": final,
        "turns_left": turns_left * final,
        "finished": state.finished.take(rows),
        "truncated": state.truncated.take(rows),
        "hand": games.hand.take(rows * games.num_players + seats, axis=0),
        "display": state.display.take(rows, axis=0),
        "neutral": state.neutral.take(rows, axis=0),
        "aside": state.aside.take(rows, axis=0),
        "deck_size": row_sums(state.deck.take(rows, axis=0)),
        "discards": state.discards.take(rows, axis=0),
        "yield_deck": state.yield_deck.take(rows, axis=0),
        "bonus_stock": BONUS_COPIES - np.einsum("ijk->ik", state.bonus.take(rows, axis=0)),
    }


def _planes(sets: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Returns four sets of cells [..., 4] as planes without gaps, [..., 4 * 30 and 8 more].

    They are joined to 128 bits first: long copies are several times as fast as those of 30 bytes.
    """
    pairs = sets[..., ::2] | sets[..., 1::2] << _CELLS
    joined = np.empty_like(pairs)
    joined[..., 0] = pairs[..., 0] | pairs[..., 1] << _PAIR
    joined[..., 1] = pairs[..., 1] >> _REST
    bits = np.unpackbits(joined.view(np.uint8).ravel(), bitorder="little")
    return bits.reshape(*sets.shape[:-1], 128)


def _clipped(points: NDArray[np.int16]) -> NDArray[np.int16]:
    """Returns points as far as a byte holds them."""
    return np.minimum(points, 255)
