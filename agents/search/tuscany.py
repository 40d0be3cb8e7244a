"""The agent "search" of The Castles of Tuscany, and what its value of positions sees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany.board import NUM_TRIPLES, region_tables
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import (
    CASTLE_TILE,
    CITY_BONUS,
    HEXAGON,
    MAIN,
    MARBLE,
    NO_LAYOUT,
    NUM_CELLS,
    NUM_COLOURS,
    NUM_LAYOUTS,
    NUM_OWN_TILES,
    NUM_ROUNDS,
    ZONE_POINTS,
)
from gonzaga_env.tuscany.spec import SPEC
from gonzaga_env.tuscany.state import State

from ..arrays import Floats
from ..heuristics.tuscany import PlannerAgent
from .turns import TurnGame, TurnSearch

_ZONE_POINTS = np.array(ZONE_POINTS)


def features(config: GameConfig, state: State) -> tuple[Floats, Floats]:
    """Returns what each player has, [N, P, F], and how far the game has come, [N]."""
    p = state.num_players
    turned = NUM_OWN_TILES - state.stacks.sum(axis=2, dtype=np.int64)
    left = (NUM_ROUNDS + 1 - state.round.astype(np.int64)) * ~state.finished
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
        (np.arange(p) - state.seat[:, None]) % p,  # who moves sooner
        *np.moveaxis(state.bonus, 2, 0),
        *_region(config, state),
    )
    base = np.stack(own, axis=2).astype(np.float32) / np.float32(10)
    progress = turned.max(axis=1) / NUM_OWN_TILES
    return base, progress.astype(np.float32)


def _region(config: GameConfig, state: State) -> tuple[NDArray[np.generic], ...]:
    """Returns what begun zones and colours may still score, and the cells in reach, [N, P]."""
    tables = region_tables(config.edition.boards)
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


class SearchAgent(TurnSearch):
    """Searches turns; setup, payments and other decisions of little weight are the guide's."""

    game = TurnGame(
        spec=SPEC,
        planner=PlannerAgent,
        searched=(MAIN, CITY_BONUS, CASTLE_TILE, MARBLE),
        features=features,
        weights=Path(__file__).parents[1] / "values" / "tuscany.npz",
    )
