"""Finds hexes for cities and harbors by local search, until fiefs cover what R4.7 allows.

Searched are the hexes of all sites at once. The fault that is made smaller counts placements that
cover too much (R4.7), and fiefs that have no placement for an action in a region.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.board.placements import PlacementFault, fief_placements
from gonzaga_env.core.constants import ALLIANCE, CITIES, HARBORS, NUM_ACTION_CARDS, NUM_REGIONS
from gonzaga_env.core.editions.generating.draws import Draws
from gonzaga_env.core.editions.generating.land import Neighbors

LEAST_FIEFS = 9  # that can cover a hex with a site
MOST_SITES, MOST_HARBORS = 3, 2  # that a fief may cover (R4.7)
_SIDE_BY_SIDE = 2  # sites in a row at most: the names of more overlap in pictures
_TOO_MUCH = 3  # what such a placement counts, compared with a fief that lacks one
_STEPS = 400
_EAST, _WEST = 0, 3  # in `Neighbors.ring`
_PLACES = 10  # hexes that a site is tried on in a step


@dataclass(frozen=True)
class Wanted:
    """A site without a place."""

    region: int
    sea: int | None  # of a harbor; None for a city


class SiteSearch:
    """Looks for places of sites on a map with given areas and barriers."""

    def __init__(
        self, edition: Edition, areas: Sequence[int], neighbors: Neighbors, draws: Draws
    ) -> None:
        """Takes an edition with the map's marks, barriers and fiefs; its sites do not matter."""
        self._draws, self._areas, self._neighbors = draws, areas, neighbors
        num_hexes = len(areas)
        found = [fief_placements(edition, fief) for fief in edition.fiefs]
        rows = [cells[fault == PlacementFault.NONE] for cells, fault in found]
        self._starts = np.cumsum([0, *map(len, rows[:-1])])  # of each fief's placements
        covers = np.concatenate([_covers(part, num_hexes) for part in rows])  # [K, H]
        self._rows = [np.flatnonzero(covers[:, hex_]) for hex_ in range(num_hexes)]
        touches = [covers[:, np.array(areas) == area].any(axis=1) for area in range(NUM_REGIONS)]
        # What a placement is good for, by what it covers: a bit for each action and region.
        bits = np.sum([touch * (1 << i) for i, touch in enumerate(touches)], axis=0)
        self._useful = np.stack([bits << (NUM_REGIONS * i) for i in range(NUM_ACTION_CARDS)])
        self._all = np.arange(len(covers))
        fiefs = np.add.reduceat(covers, self._starts, axis=0, dtype=np.int64) > 0
        self._open = fiefs.sum(axis=0) >= LEAST_FIEFS  # hexes that may have sites

    def places(self, wanted: Wanted) -> list[int]:
        """Returns the hexes that a site may be on (R1.2, R1.3)."""
        own = [h for h, area in enumerate(self._areas) if area == wanted.region and self._open[h]]
        if wanted.sea is None:
            return own
        sea = NUM_REGIONS + wanted.sea
        near = self._neighbors.near
        return [hex_ for hex_ in own if any(self._areas[other] == sea for other in near[hex_])]

    def find(self, wanted: Sequence[Wanted], start: Sequence[int | None]) -> list[int] | None:
        """Returns a hex for each site, None if the search has found no allowed ones.

        Args:
            wanted: the sites.
            start: where the search begins, by site; None for anywhere.
        """
        places = [self.places(site) for site in wanted]
        found: list[int] = []
        for options, first in zip(places, start, strict=True):
            free = self._free(options, {*found})
            if not free:
                return None
            found.append(first if first in free else self._draws.choice(free))
        kinds = [0 if site.sea is None else 1 for site in wanted]
        covered = np.zeros((2, len(self._all)), dtype=np.int8)  # cities and harbors under each
        for kind, hex_ in zip(kinds, found, strict=True):
            covered[kind, self._rows[hex_]] += 1
        fault = self._fault(covered)
        for _ in range(_STEPS):
            if not fault:
                return found
            site = self._draws.choice(self._blamed(covered, found))
            kind, free = kinds[site], self._free(places[site], {*found} - {found[site]})
            covered[kind, self._rows[found[site]]] -= 1
            best, moved = fault + 1, found[site]
            for hex_ in self._draws.shuffled(free)[:_PLACES]:
                covered[kind, self._rows[hex_]] += 1
                if (now := self._fault(covered)) < best:
                    best, moved = now, hex_
                covered[kind, self._rows[hex_]] -= 1
            covered[kind, self._rows[moved]] += 1
            fault, found[site] = min(best, fault), moved
        return None

    def _free(self, places: Sequence[int], taken: Set[int]) -> list[int]:
        """Returns the hexes that are not taken and would not put too many sites side by side."""
        return [h for h in places if h not in taken and self._row(h, taken) <= _SIDE_BY_SIDE]

    def _row(self, hex_: int, taken: Set[int]) -> int:
        """Returns how many sites would stand side by side with one on a hex."""
        number = 1
        for direction in (_EAST, _WEST):
            other = self._neighbors.ring[hex_][direction]
            while other in taken:
                number += 1
                other = self._neighbors.ring[other][direction]
        return number

    def _fault(self, covered: NDArray[np.int8]) -> int:
        """Returns how much is wrong with cities and harbors under each placement, [2, K]."""
        missing = np.bitwise_count(self._missing(covered)).sum()
        return _TOO_MUCH * int(_wrong(covered).sum()) + int(missing)

    def _missing(self, covered: NDArray[np.int8]) -> NDArray[np.int64]:
        """Returns the actions and regions without a placement of each fief, a bit each (R4.2)."""
        cities, harbors = covered > 0
        action = np.where(harbors, np.where(cities, ALLIANCE, HARBORS), CITIES)
        found = np.bitwise_or.reduceat(self._useful[action, self._all], self._starts)
        return ~found & ((1 << (NUM_REGIONS * NUM_ACTION_CARDS)) - 1)

    def _blamed(self, covered: NDArray[np.int8], found: Sequence[int]) -> list[int]:
        """Returns the sites that have a part in what is wrong."""
        wrong = _wrong(covered)
        missing = int(np.bitwise_or.reduce(self._missing(covered)))
        by_action = [missing >> (NUM_REGIONS * action) for action in range(NUM_ACTION_CARDS)]
        regions = [any(bits >> region & 1 for bits in by_action) for region in range(NUM_REGIONS)]
        return [
            site
            for site, hex_ in enumerate(found)
            if regions[self._areas[hex_]] or wrong[self._rows[hex_]].any()
        ]


def _covers(cells: NDArray[np.int64], num_hexes: int) -> NDArray[np.bool_]:
    """Returns the hexes of placements, [K, H]."""
    covers = np.zeros((len(cells), num_hexes), dtype=np.bool_)
    covers[np.arange(len(cells))[:, None], cells] = True
    return covers


def _wrong(covered: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Returns which placements cover more than R4.7 allows, [K]."""
    cities, harbors = covered
    return (cities + harbors > MOST_SITES) | (harbors > MOST_HARBORS)
