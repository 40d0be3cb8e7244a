"""The scene of The Castles of Tuscany: the cells of the own region, and where tiles fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tuscany.board import ACTIONS, CELL_NAMES, NEIGHBOURS, cells_of
from gonzaga_env.tuscany.config import GameConfig
from gonzaga_env.tuscany.constants import NUM_CELLS, NUM_COLOURS, TILE_COLOURS

from ..common.arrays import Indices, Masks, Observations
from ..network.agent import Practice
from ..network.geometry.scene import Openings, Plane, Scene, words_of
from .seen import Seen

_MOST_NEIGHBOURS = 6
_CELLS = np.full(ACTIONS.size, NUM_CELLS)
for _block in (ACTIONS.tile, ACTIONS.hexagon):
    _CELLS[_block] = np.arange(NUM_CELLS)
_COLOURS = np.full(ACTIONS.size, NUM_COLOURS)  # of the tile that an action takes
_COLOURS[ACTIONS.take] = TILE_COLOURS


def scene(config: GameConfig) -> Scene:
    """Returns the scene of a configuration."""
    features, codec = config.features, config.actions
    texts = [codec.to_text(action) for action in range(codec.size)]

    def covers(observations: Observations, rows: Indices, actions: Indices) -> Indices:
        return _CELLS[actions, None]

    def joints(observations: Observations) -> Indices:
        lower = features.view(observations, "joints")[:, 0]
        return np.array([[3, 1], [2, 0]])[lower[:, 1], lower[:, 0]]  # in the order of `JOINTS`

    def zones(observations: Observations) -> tuple[NDArray[Any], ...]:
        """Returns sizes of zones, how many of their cells are empty, and what may be covered."""
        seen = Seen(config, observations)
        return seen.zone_sizes, seen.zone_left, seen.open

    def closed(observations: Observations) -> tuple[Indices, Masks]:
        seen = Seen(config, observations)
        found = np.zeros((len(seen), NUM_COLOURS, NUM_CELLS + 1), np.bool_)
        own = features.view(observations, "colours")[:, 0] > 0
        found[:, :, :-1] = ~(own & seen.open[:, None])
        return np.zeros(len(seen), np.int64), found

    def opened(observations: Observations, rows: Indices, actions: Indices) -> Indices:
        return _COLOURS[actions, None]

    return Scene(
        planes=(
            Plane("colours", NUM_CELLS, seats=True, others=False),
            Plane("covered", NUM_CELLS, seats=True, others=False),
            Plane("wooden", NUM_CELLS, seats=True, others=False),
            Plane("crops", NUM_CELLS, seats=True, others=False),
            Plane("cell", NUM_CELLS),
        ),
        static=np.eye(NUM_CELLS, dtype=np.float32),
        near=(_near(),),
        landmarks=np.arange(NUM_CELLS),
        words=words_of(texts, lambda word: word in CELL_NAMES),
        covers=covers,
        variant=joints,
        openings=Openings(
            cells=_cells_by_colour(),
            words=np.zeros((1, NUM_COLOURS, NUM_CELLS), np.int64),
            missing=np.zeros((1, NUM_COLOURS, NUM_CELLS), np.bool_),
            read=closed,
            opened=opened,
        ),
        practice=Practice(decisions=32, gae_lambda=0.97, epochs=4, chunk=128),
        more=zones,
        more_scales=(3, 3, 1),
    )


def _near() -> Indices:
    """Returns the cells beside each, [4, 30, 6], by joints; 30 for none."""
    near = np.full((len(NEIGHBOURS), NUM_CELLS, _MOST_NEIGHBOURS), NUM_CELLS)
    for joints, sets in enumerate(NEIGHBOURS):
        for cell, beside in enumerate(map(cells_of, sets)):
            near[joints, cell, : len(beside)] = beside
    return near


def _cells_by_colour() -> Indices:
    """Returns `Openings.cells`: any cell, on the sheet of a colour, [1, 8, 30, 1]."""
    sheets = np.arange(NUM_COLOURS)[:, None] * (NUM_CELLS + 1)
    return (sheets + np.arange(NUM_CELLS))[None, :, :, None]
