"""Constant tables of the network: the spots of every action, and the placements of every plan.

A spot is anything that an action can gain: one of the H hexes of the map, or a number of harbors
(1, 2, 3 or more) of one of the six seas, so that progress to a league is treated like a hex. Every
action has `SPOTS_PER_ACTION` spots, padded with `none_spot`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.actions import NUM_PLANS
from gonzaga_env.core.board.placements import MAX_CELLS, PlacementFault
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import (
    ALLIANCE,
    CITIES,
    HARBORS,
    LEAGUE_HARBORS,
    NUM_ACTION_CARDS,
    NUM_FIEFS,
    NUM_REGIONS,
    NUM_SEAS,
)
from gonzaga_env.core.geometry import NUM_ROTATIONS

Spots = NDArray[np.int64]

NUM_SEA_SPOTS = NUM_SEAS * LEAGUE_HARBORS
_SEAS_PER_ACTION = 2  # no fief covers three harbors (R4.7)
SPOTS_PER_ACTION = MAX_CELLS + _SEAS_PER_ACTION
NUM_KINDS = NUM_PLANS + 4  # every plan, fief, one ring, two rings, donation


def none_spot(tables: Tables) -> int:
    """Returns the index of the padding spot; the next index is a spot that is never free."""
    return tables.num_hexes + NUM_SEA_SPOTS


def placement_spots(tables: Tables) -> Spots:
    """Returns the spots of each placement, [K, 6]."""
    size, none = tables.num_hexes, none_spot(tables)
    cells = tables.placements.cells.astype(np.int64)
    cells[cells == size] = none
    harbors = np.minimum(tables.sea_harbors, LEAGUE_HARBORS).astype(np.int64)  # [K, 6]
    most = np.argsort(-harbors, axis=1, kind="stable")[:, :_SEAS_PER_ACTION]
    count = np.take_along_axis(harbors, most, axis=1)
    seas = np.where(count > 0, size + most * LEAGUE_HARBORS + count - 1, none)
    return np.hstack([cells, seas])


def candidates(tables: Tables, spots: Spots, fief: int) -> Spots:
    """Returns the spots of a fief's placements by region and action card, [18, L, 6].

    Shorter lists are padded to L with the spot that is never free.
    """
    size = NUM_ROTATIONS * tables.num_hexes
    rows = np.arange(fief * size, (fief + 1) * size)
    rows = rows[tables.placements.fault[rows] == PlacementFault.NONE]
    regions = tables.region[tables.placements.cells[rows]]  # [placements, 4]
    city, harbor = tables.num_cities[rows] > 0, tables.num_harbors[rows] > 0
    action = np.where(harbor, np.where(city, ALLIANCE, HARBORS), CITIES)  # R4.2
    found = [
        spots[rows[(regions == region).any(axis=1) & (action == card)]]
        for region in range(NUM_REGIONS)
        for card in range(NUM_ACTION_CARDS)
    ]
    return _table(found, fill=none_spot(tables) + 1)


def weddings(tables: Tables, spots: Spots) -> Spots:
    """Returns the spots of weddings on cities and harbors only, by region, [6, L, 6].

    Shorter lists are padded to L with the spot that is never free.
    """
    size = tables.num_hexes
    site = np.append(tables.city_mask, False) | (tables.harbor_sea < NUM_SEAS)
    first = NUM_FIEFS * NUM_ROTATIONS * size  # of the rows with rings
    cells = tables.placements.cells[first:-1]
    possible = tables.placements.fault[first:-1] == PlacementFault.NONE
    rows = np.flatnonzero((site[cells] | (cells == size)).all(axis=1) & possible)
    regions = tables.region[cells[rows]]
    found = [spots[first + rows[(regions == region).any(axis=1)]] for region in range(NUM_REGIONS)]
    return _table(found, fill=none_spot(tables) + 1)


def _table(lists: list[Spots], fill: int) -> Spots:
    """Returns lists [l, 6] of several lengths as one padded array, [lists, L, 6]."""
    table = np.full((len(lists), max(1, *map(len, lists)), SPOTS_PER_ACTION), fill)
    for line, spots in zip(table, lists, strict=True):
        line[: len(spots)] = spots
    return table


def action_kinds(tables: Tables) -> NDArray[np.int64]:
    """Returns the kind of every action, [A]: one per plan, then fief, ring, rings, donation."""
    kinds = np.arange(tables.actions.size)
    blocks = (tables.actions.fief, tables.actions.ring, tables.actions.rings)
    for kind, block in enumerate(blocks, start=NUM_PLANS):
        kinds[block] = kind
    kinds[tables.actions.donate] = NUM_KINDS - 1
    return kinds


def float_tables(tables: Tables) -> dict[str, NDArray[np.float32]]:
    """Returns the features of the map.

    Returns:
        adjacency [H, H]; land [H + 18, 3] (land, city, harbor; zero for seas); region_mean [6, H];
        harbor_sea [6, H].
    """
    size = tables.num_hexes
    adjacency = np.zeros((size, size + 1))
    adjacency[np.arange(size)[:, None], tables.edition.grid.neighbors] = 1
    region = tables.region[:size, None] == np.arange(NUM_REGIONS)
    sea = tables.harbor_sea[:size, None] == np.arange(NUM_SEAS)
    land = np.stack([region.any(axis=1), tables.city_mask, sea.any(axis=1)], axis=1)
    found = {
        "adjacency": adjacency[:, :size],
        "land": np.pad(land, ((0, NUM_SEA_SPOTS), (0, 0))),
        "region_mean": (region / region.sum(axis=0)).T,
        "harbor_sea": sea.T,
    }
    return {name: np.ascontiguousarray(array, np.float32) for name, array in found.items()}
