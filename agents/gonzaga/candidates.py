"""The placements and weddings that heuristics weigh, by fief and plan; one table per edition."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.edition import NUM_ROTATIONS
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.constants import (
    ALLIANCE,
    CITIES,
    HARBORS,
    NUM_ACTION_CARDS,
    NUM_FIEFS,
    NUM_REGIONS,
    NUM_SEAS,
)

from ..common.arrays import Indices

NUM_COUNTS = 5  # a placement covers 0 to 4 harbors of a sea
_REGIONS = np.arange(NUM_REGIONS)


@dataclass(frozen=True)
class Candidates:
    """T placements that geometry allows and that cover a site, sorted by region and action card.

    A placement that touches two regions is listed twice.
    """

    starts: Indices  # where each run of one region and action card starts, [R]
    plans: Indices  # region * 3 + action of each run, [R]
    num_rings: Indices  # rings that each takes, [T]
    run: Indices  # the run of each, [T]
    place: NDArray[np.int16]  # 0 to T - 1, [T, 1] int16
    rows: Indices  # row of each in the table of placements, [T]
    # bit in the sets of blocked placements of the fief, or of blocked weddings, [T]
    number: Indices
    cells: Indices  # hexes covered, [4, T]; H for none
    sites: Indices  # sites covered, [n, T], n at most 4; S for none
    seas: Indices  # sea * 5 + harbors covered there, for each of at most n seas, [n, T]; 0 for none


class CandidateTables:
    """What heuristics look up: S cities and harbors ("sites"), K placements, H hexes.

    Attributes:
        tables: the edition's tables.
        num_sites: S.
        site_cells: hex of each site, [S].
        site_values: points for covering each site, by scenario, [scenarios, S + 1] (R6.1).
        objective_sites: 1 for the cities of each objective, [O, S + 1] (R1.4).
        placement_sites: sites under every placement, [K, C]; S for none, which come last.
        placement_seas: as `Candidates.seas`, [K, n].
        most_sites: the largest number of sites under a placement.
        cells: hexes of every placement, [K, 4]; H for none.
        neighbors: hexes next to each, [H + 1, 6]; H for none.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        is_site = tables.city_mask | (tables.harbor_sea[:-1] < NUM_SEAS)
        self.site_cells: Indices = is_site.nonzero()[0]
        self.num_sites = len(self.site_cells)
        no_site = ((0, 0), (0, 1))
        self.site_values = np.pad(tables.site_value[:, self.site_cells].astype(np.float32), no_site)
        wanted = tables.objective_planes[:, self.site_cells].astype(np.float32)
        self.objective_sites = np.pad(wanted, no_site)
        site = np.full(tables.num_hexes + 1, self.num_sites)
        site[self.site_cells] = np.arange(self.num_sites)
        self.cells: Indices = tables.placements.cells.astype(np.int64)
        self.placement_sites: Indices = np.sort(site[self.cells], axis=1)
        self.most_sites = int((self.placement_sites < self.num_sites).sum(axis=1).max())
        self.placement_seas = _seas(tables)
        off_map = np.full((1, 6), tables.num_hexes)
        self.neighbors: Indices = np.vstack([tables.edition.grid.neighbors, off_map])

    @cached_property
    def fiefs(self) -> list[Candidates]:
        """The placements of each fief."""
        by_fief = np.arange(self._num_fief_rows).reshape(NUM_FIEFS, -1)
        return [self._candidates(rows, is_wedding=False) for rows in by_fief]

    @cached_property
    def weddings(self) -> Candidates:
        """The weddings."""
        rows = np.arange(self._num_fief_rows, len(self.cells) - 1)
        return self._candidates(rows, is_wedding=True)

    @property
    def _num_fief_rows(self) -> int:
        return NUM_FIEFS * NUM_ROTATIONS * self.tables.num_hexes

    def _candidates(self, rows: Indices, is_wedding: bool) -> Candidates:
        tables, first = self.tables, rows[0]
        rows = rows[tables.placements.fault[rows] == PlacementFault.NONE]
        rows = rows[self.placement_sites[rows, 0] < self.num_sites]
        cities, harbors = tables.num_cities[rows] > 0, tables.num_harbors[rows] > 0
        action = np.where(harbors, np.where(cities, ALLIANCE, HARBORS), CITIES)  # R4.2
        if is_wedding:
            action[:] = ALLIANCE  # R5.1
        regions = tables.region[self.cells[rows]]
        touched, candidate = np.nonzero((regions == _REGIONS[:, None, None]).any(axis=2))
        plan = touched * NUM_ACTION_CARDS + action[candidate]
        order = plan.argsort(kind="stable")
        plans, starts = np.unique(plan[order], return_index=True)
        rows = rows[candidate[order]]
        sites = self.placement_sites[rows].T
        return Candidates(
            starts=starts,
            plans=plans,
            num_rings=(self.cells[rows] < tables.num_hexes).sum(axis=1) * is_wedding,
            run=np.repeat(np.arange(len(starts)), np.diff([*starts, len(rows)])),
            place=np.arange(len(rows), dtype=np.int16)[:, None],
            rows=rows,
            number=rows - first if is_wedding else tables.placements.number[rows].astype(np.int64),
            cells=np.ascontiguousarray(self.cells[rows].T),
            sites=np.ascontiguousarray(sites[(sites < self.num_sites).any(axis=1)]),
            seas=np.ascontiguousarray(self.placement_seas[rows].T),
        )


def _seas(tables: Tables) -> Indices:
    """Returns sea * 5 + harbors of each sea that a placement covers, most first, [K, n]."""
    counts = tables.sea_harbors.astype(np.int64)
    num_seas = (counts > 0).sum(axis=1).max()
    order = (-counts).argsort(axis=1, kind="stable")[:, :num_seas]
    most = np.take_along_axis(counts, order, axis=1)
    return np.where(most > 0, order * NUM_COUNTS + most, 0)


def candidate_tables(tables: Tables) -> CandidateTables:
    """Returns the tables of an edition, built once; they are kept as long as its `Tables`."""
    return tables.derived(CandidateTables)
