"""Observations as planes over the map, for convolutional networks."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.placements import barrier_mask
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.kernel.spaces import FeatureTable, PlaneTable

_OF_HEXES = "fiefs", "rings", "fief_number", "value", "objective"
_SIDES = "east", "south-east", "south-west"  # the others are those of the hexes beyond
NumberT = TypeVar("NumberT", np.int64, np.uint8)


def plane_table(tables: Tables, features: FeatureTable) -> PlaneTable:
    """Returns the layout of planes: what lies on hexes, the printed map, and the numbers.

    Numbers are the features that are not of hexes. They fill the last channels, one place each.
    """
    edition, num_hexes = tables.edition, tables.num_hexes
    shape = len(edition.marks), max(map(len, edition.marks))
    cells = np.array([row * shape[1] + col for row, col in edition.grid.cells])
    numbers = [f for f in features if f.name not in _OF_HEXES]
    shown: dict[str, NDArray[np.int64]] = {}  # bytes of an observation, by channel
    for feature in map(features.__getitem__, _OF_HEXES):
        starts = range(feature.slice.start, feature.slice.stop, num_hexes)
        for player, start in enumerate(starts):
            name = f"{feature.name} {player}" if len(starts) > 1 else feature.name
            shown[name] = _placed(np.arange(start, start + num_hexes), cells, shape, -1)
    printed = {name: _placed(x.view(np.uint8), cells, shape, 0) for name, x in _printed(tables)}
    shown |= dict.fromkeys(printed, np.full(shape, -1))
    places, size = np.concatenate([np.r_[f.slice] for f in numbers]), shape[0] * shape[1]
    for number, start in enumerate(range(0, len(places), size)):
        some = places[start : start + size]
        shown[f"numbers {number}"] = _placed(some, np.arange(len(some)), shape, -1)
    nothing = np.zeros(shape, np.uint8)
    fixed = np.stack([printed.get(name, nothing) for name in shown])
    layout = FeatureTable((f.name, f.shape, f.scale, f.meaning) for f in numbers)
    index = np.stack([*shown.values()])
    return PlaneTable([*shown], index, fixed, features.scales, cells, layout)


def _printed(tables: Tables) -> list[tuple[str, NDArray[np.bool_]]]:
    """Returns what is printed on the map, each with its name and hexes [H]."""
    edition, walls = tables.edition, barrier_mask(tables.edition)
    regions = enumerate(edition.regions.values())
    seas = enumerate(edition.seas.values())
    return [
        ("map", np.ones(tables.num_hexes, np.bool_)),
        *((f"region {name}", tables.region[:-1] == i) for i, name in regions),
        ("city", tables.city_mask),
        *((f"harbor of {name}", tables.harbor_sea[:-1] == i) for i, name in seas),
        *((f"barrier {side}", walls[:-1, i].copy()) for i, side in enumerate(_SIDES)),
    ]


def _placed(
    values: NDArray[NumberT], cells: NDArray[np.int64], shape: tuple[int, int], fill: int
) -> NDArray[NumberT]:
    """Returns a plane with values in some of its places."""
    plane = np.full(shape[0] * shape[1], fill, dtype=values.dtype)
    plane[cells] = values
    return plane.reshape(shape)
