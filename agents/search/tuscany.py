"""The agent "search" of The Castles of Tuscany, and what its value of positions sees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany import constants as c
from gonzaga_env.tuscany.board import NUM_TRIPLES, region_tables
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.spec import SPEC
from gonzaga_env.tuscany.state import State

from ..arrays import Floats
from ..heuristics.tuscany import PlannerAgent
from .turns import TurnGame, TurnSearch

_ZONE_POINTS = np.array(c.ZONE_POINTS)


def features(config: GameConfig, state: State) -> tuple[Floats, Floats]:
    """Returns what each player has, [N, P, F], and how far the game has come, [N]."""
    p = state.num_players
    turned = c.NUM_OWN_TILES - state.stacks.sum(axis=2, dtype=np.int64)
    left = (c.NUM_ROUNDS + 1 - state.round.astype(np.int64)) * ~state.finished
    own = (
        state.totals,
        state.green * left[:, None],
        state.green,
        state.hand.sum(axis=2),
        state.marble,
        state.workers,
        state.storage[..., : c.HEXAGON].sum(axis=2),
        state.storage[..., c.HEXAGON],
        turned,
        np.bitwise_count(state.covered),
        (np.arange(p) - state.seat[:, None]) % p,  # who moves sooner
        *np.moveaxis(state.bonus, 2, 0),
        *_region(config, state),
    )
    base = np.stack(own, axis=2).astype(np.float32) / np.float32(10)
    progress = turned.max(axis=1) / c.NUM_OWN_TILES
    return base, progress.astype(np.float32)


def _region(config: GameConfig, state: State) -> tuple[NDArray[np.generic], ...]:
    """Returns what begun zones and colours may still score, and the cells in reach, [N, P]."""
    tables = region_tables(config.edition.boards)
    layout = state.layout.astype(np.int64)
    boards = state.boards.astype(np.int64)
    built = layout != c.NO_LAYOUT
    region = np.where(built, boards * c.NUM_LAYOUTS + layout, NUM_TRIPLES * c.NUM_LAYOUTS + boards)
    zones, empty = tables.zones[region], ~state.covered[..., None]
    size, left = np.bitwise_count(zones).clip(0, 3), np.bitwise_count(zones & empty)
    begun = _ZONE_POINTS[size] * (size - left.clip(0, 3)) / np.maximum(size, 1) ** 2 * (left > 0)
    missing = np.bitwise_count(tables.colour_cells[region] & empty)
    cells = np.uint32(1) << np.arange(c.NUM_CELLS, dtype=np.uint32)
    covered = (state.covered[..., None] & cells) > 0
    near = np.bitwise_or.reduce(np.where(covered, tables.neighbours[region], np.uint32(0)), axis=2)
    colours = tables.colour_cells[region] & near[..., None] & empty
    return (
        begun.sum(axis=2),
        (missing == 1).sum(axis=2),
        (missing == 2).sum(axis=2),
        np.bitwise_count(near & ~state.covered),
        (colours > 0).sum(axis=2) / c.NUM_COLOURS,
    )


class SearchAgent(TurnSearch):
    """Searches turns; setup, payments and other decisions of little weight are the guide's."""

    game = TurnGame(
        spec=SPEC,
        planner=PlannerAgent,
        searched=(c.MAIN, c.CITY_BONUS, c.CASTLE_TILE, c.MARBLE),
        features=features,
        weights=Path(__file__).parents[1] / "values" / "tuscany.npz",
    )
