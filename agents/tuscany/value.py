"""What a position promises: each player's expected share of the victory."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.rewards import win_shares
from gonzaga_env.tuscany.batch.games import flat_regions
from gonzaga_env.tuscany.board.regions import NUM_TRIPLES
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import (
    HEXAGON,
    NUM_CELLS,
    NUM_COLOURS,
    NUM_LAYOUTS,
    NUM_OWN_TILES,
    NUM_ROUNDS,
    ZONE_POINTS,
)
from gonzaga_env.tuscany.state.state import NO_LAYOUT, State, winners

Floats = NDArray[np.float32]

FILE = Path(__file__).parent / "value.npz"
_ZONE_POINTS = np.array(ZONE_POINTS)


class Value:
    """A softmax over the players' promise, which is linear in their features.

    The weight of a feature is a parabola in how far the game has come, for things are worth less
    the fewer turns are left.
    """

    def __init__(self, config: GameConfig, weights: NDArray[np.floating]) -> None:
        """Takes the weights, [3, F]."""
        self._config, self._weights = config, weights.astype(np.float32)

    @classmethod
    def shipped(cls, config: GameConfig) -> Self:
        """Returns the value that comes with this package, by the number of players."""
        with np.load(FILE) as arrays:
            return cls(config, arrays[f"players_{config.num_players}"])

    def shares(self, state: State) -> Floats:
        """Returns the share of the victory that each player may expect, [N, P].

        Those of finished games are the winners'.
        """
        promise = (features(self._config, state) * self._weights.ravel()).sum(axis=2)
        shares = np.exp(promise - promise.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        over = state.finished.nonzero()[0]
        if len(over):
            shares[over] = win_shares(winners(state.take(over)))
        return shares.astype(np.float32)


def features(config: GameConfig, state: State) -> Floats:
    """Returns what each player has, and that times the progress of the game and its square.

    Returns:
        [N, P, 3 * F] float32.
    """
    p = state.num_players
    turned = NUM_OWN_TILES - state.stacks.sum(axis=2, dtype=np.int64)
    progress = turned.max(axis=1) / NUM_OWN_TILES
    left = (NUM_ROUNDS + 1 - state.round.astype(np.int64)) * ~state.finished
    order = (np.arange(p) - state.seat[:, None]) % p  # who moves sooner
    own = (
        state.totals,
        state.green * left[:, None],
        state.green,
        state.hand.sum(axis=2),
        state.marble,
        state.workers,
        state.storage[..., :HEXAGON].sum(axis=2),
        state.storage[..., HEXAGON],
        turned,
        np.bitwise_count(state.covered),
        order,
        *np.moveaxis(state.bonus, 2, 0),
        *_region(config, state),
    )
    base = np.stack([np.asarray(values, np.float32) for values in own], axis=2) / 10
    times = np.stack([np.ones_like(progress), progress, progress**2], axis=1).astype(np.float32)
    product = times[:, None, :, None] * base[:, :, None]
    found: Floats = product.reshape(*base.shape[:2], 3 * base.shape[2]).astype(np.float32)
    return found


def _region(config: GameConfig, state: State) -> tuple[NDArray[np.generic], ...]:
    """Returns points that begun zones and colours still promise, and the cells in reach, [N, P]."""
    tables = flat_regions(config.edition.boards)
    layout = state.layout.astype(np.int64)
    boards = state.boards.astype(np.int64)
    built = layout != NO_LAYOUT
    region = np.where(built, boards * NUM_LAYOUTS + layout, NUM_TRIPLES * NUM_LAYOUTS + boards)
    zones, empty = tables.zones[region], ~state.covered[..., None]
    size, left = np.bitwise_count(zones).clip(0, 3), np.bitwise_count(zones & empty)
    begun = _ZONE_POINTS[size] * (size - left.clip(0, 3)) / np.maximum(size, 1) ** 2 * (left > 0)
    missing = np.bitwise_count(tables.colour_cells[region] & empty)
    cells = np.uint32(1) << np.arange(NUM_CELLS, dtype=np.uint32)
    covered = (state.covered[..., None] & cells) > 0
    near = np.bitwise_or.reduce(np.where(covered, tables.neighbours[region], np.uint32(0)), axis=2)
    colours = tables.colour_cells[region] & near[..., None] & empty
    return (
        begun.sum(axis=2),
        (missing == 1).sum(axis=2),
        (missing == 2).sum(axis=2),
        np.bitwise_count(near & ~state.covered),
        (colours > 0).sum(axis=2) / NUM_COLOURS,
    )
