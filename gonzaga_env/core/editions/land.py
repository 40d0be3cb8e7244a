"""Maps at random: the areas of regions and seas, barriers on borders, and hexes of sites.

A division is a list of areas by the number of the hex: regions are 0 to 5, seas are 6 to 11.

Sites find their hexes by local search over all of them at once, until no placement covers too much
(R4.7) and every fief has a placement for each action in each region.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.board.placements import PlacementFault, fief_placements
from gonzaga_env.core.constants import (
    ALLIANCE,
    CITIES,
    HARBORS,
    NUM_ACTION_CARDS,
    NUM_REGIONS,
    NUM_SEAS,
)
from gonzaga_env.core.edition import Edition, Grid
from gonzaga_env.core.editions.validate import HARBORS_PER_SEA, SITES_PER_REGION
from gonzaga_env.kernel.chance import Draws

T = TypeVar("T")


NUM_AREAS = NUM_REGIONS + NUM_SEAS
LEAST, MOST = 22, 32  # hexes of an area that grew
_TRIED = 16  # places for the first hex of an area, of which the farthest from the others is taken
_RAGGED = 3  # hexes that an area may take next, of which that with most of it around is taken
_FLIPS = 600  # hexes that are drawn to change hands
_CHANGE = 5  # hexes that an area may lose or gain by it
_LONGEST = 11  # sides of a barrier
_CHOICES = 60  # of the regions among areas that grew
_MOST_TOGETHER = 3  # harbors of a region on a sea
_HEXES_PER_HARBOR = 2  # of a coast


class Neighbors:
    """The hexes around each hex, by their numbers."""

    def __init__(self, grid: Grid) -> None:
        #: Clockwise from east, len(grid) off the map.
        self.ring: list[list[int]] = grid.neighbors.tolist()
        self.near = [[other for other in around if other < len(grid)] for around in self.ring]
        self._axial = grid.axial.tolist()

    def distance(self, one: int, other: int) -> int:
        (q, r), (other_q, other_r) = self._axial[one], self._axial[other]
        across, down = q - other_q, r - other_r
        return max(abs(across), abs(down), abs(across + down))


def grow(neighbors: Neighbors, draws: Draws) -> list[int]:
    """Returns twelve areas that grew at the same rate from hexes far apart, and were roughened."""
    near = neighbors.near
    num_hexes = len(near)
    areas, sizes = [-1] * num_hexes, [0] * NUM_AREAS
    edge: list[list[int]] = [[] for _ in range(NUM_AREAS)]  # hexes next to each area

    def take(hex_: int, area: int) -> None:
        areas[hex_] = area
        sizes[area] += 1
        edge[area] += [other for other in near[hex_] if areas[other] < 0]

    for area, hex_ in enumerate(_apart(neighbors, draws)):
        take(hex_, area)
    while sum(sizes) < num_hexes:
        edge = [[hex_ for hex_ in hexes if areas[hex_] < 0] for hexes in edge]
        growing = [area for area in range(NUM_AREAS) if edge[area]]
        area = min(growing, key=lambda area: sizes[area])
        tried = [draws.choice(edge[area]) for _ in range(_RAGGED)]
        around = {hex_: [areas[other] for other in near[hex_]].count(area) for hex_ in tried}
        take(max(tried, key=lambda hex_: around[hex_]), area)
    return _flipped(neighbors, areas, draws, [(LEAST, MOST)] * NUM_AREAS)


def _apart(neighbors: Neighbors, draws: Draws) -> list[int]:
    chosen = [draws.below(len(neighbors.near))]
    while len(chosen) < NUM_AREAS:
        tried = [draws.below(len(neighbors.near)) for _ in range(_TRIED)]
        nearest = {hex_: min(neighbors.distance(hex_, one) for one in chosen) for hex_ in tried}
        chosen.append(max(tried, key=lambda hex_: nearest[hex_]))
    return chosen


def perturb(neighbors: Neighbors, areas: Sequence[int], draws: Draws) -> list[int]:
    """Returns areas whose coasts and borders were moved; each keeps about its size."""
    sizes = [areas.count(area) for area in range(NUM_AREAS)]
    return _flipped(neighbors, areas, draws, [(size - _CHANGE, size + _CHANGE) for size in sizes])


def _flipped(
    neighbors: Neighbors, areas: Sequence[int], draws: Draws, sizes: Sequence[tuple[int, int]]
) -> list[int]:
    """Returns areas that took hexes from one another, within sizes; no piece of one is parted."""
    moved, size = list(areas), [areas.count(area) for area in range(NUM_AREAS)]
    for _ in range(_FLIPS):
        hex_ = draws.below(len(moved))
        old = moved[hex_]
        around = [moved[other] for other in neighbors.near[hex_]]
        new = draws.choice(around)
        if new == old or around.count(new) < 2 or not _stays_connected(neighbors, moved, hex_):
            continue
        if size[old] > sizes[old][0] and size[new] < sizes[new][1]:
            moved[hex_] = new
            size[old] -= 1
            size[new] += 1
    return moved


def _stays_connected(neighbors: Neighbors, areas: Sequence[int], hex_: int) -> bool:
    """Returns whether the area of a hex is in one piece around it, so that it can lose the hex."""
    own = [other < len(areas) and areas[other] == areas[hex_] for other in neighbors.ring[hex_]]
    return sum(own[i] and not own[i - 1] for i in range(len(own))) == 1


def _is_sound(neighbors: Neighbors, areas: Sequence[int]) -> bool:
    for area in range(NUM_AREAS):
        hexes = {hex_ for hex_, own in enumerate(areas) if own == area}
        if not LEAST <= len(hexes) <= MOST or _piece(neighbors, min(hexes), hexes) != hexes:
            return False
    return True


def _piece(neighbors: Neighbors, start: int, hexes: set[int]) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        more = [o for o in neighbors.near[waiting.pop()] if o in hexes and o not in found]
        found.update(more)
        waiting += more
    return found


def with_coasts(neighbors: Neighbors, areas: Sequence[int], draws: Draws) -> list[int] | None:
    """Returns areas numbered so that the first six, the regions, have room for all harbors.

    None if an area is in pieces or of a wrong size, or if no such six were found.
    """
    if not _is_sound(neighbors, areas):
        return None
    for _ in range(_CHOICES):
        number = draws.shuffled(range(NUM_AREAS))
        numbered = [number[area] for area in areas]
        if harbor_quota(neighbors, numbered, draws) is not None:
            return numbered
    return None


def harbor_quota(
    neighbors: Neighbors, areas: Sequence[int], draws: Draws
) -> list[list[int]] | None:
    """Returns how many harbors each region has on each sea, [6][6]; None if coasts are too short.

    There are four in every row and column (R1.2). Each harbor looks for a sea, and may send one
    that has taken it to another sea.
    """
    coast = [[0] * NUM_AREAS for _ in range(NUM_AREAS)]  # hexes of an area next to another
    for hex_, area in enumerate(areas):
        for other in {areas[near] for near in neighbors.near[hex_]}:
            coast[area][other] += 1
    room = [
        [min(_MOST_TOGETHER, hexes // _HEXES_PER_HARBOR) for hexes in row[NUM_REGIONS:]]
        for row in coast[:NUM_REGIONS]
    ]
    given = [[0] * NUM_SEAS for _ in range(NUM_REGIONS)]

    def give(region: int, tried: set[int]) -> bool:
        for sea in draws.shuffled(range(NUM_SEAS)):
            if sea in tried or given[region][sea] >= room[region][sea]:
                continue
            tried.add(sea)
            has_room = sum(row[sea] for row in given) < HARBORS_PER_SEA
            others = [] if has_room else [r for r in range(NUM_REGIONS) if given[r][sea]]
            sent = next((other for other in others if give(other, tried)), None)
            if has_room or sent is not None:
                given[region][sea] += 1
                if sent is not None:
                    given[sent][sea] -= 1
                return True
        return False

    order = draws.shuffled([r for r in range(NUM_REGIONS) for _ in range(SITES_PER_REGION)])
    return given if all(give(region, set()) for region in order) else None


def barriers(
    neighbors: Neighbors, areas: Sequence[int], draws: Draws, number: int
) -> list[list[tuple[int, int]]]:
    """Returns so many runs of sides between two regions, the longest borders first."""
    borders: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for one, area in enumerate(areas):
        for other in neighbors.near[one]:
            if area < areas[other] < NUM_REGIONS:
                borders.setdefault((area, areas[other]), []).append((one, other))
    longest = sorted(borders.values(), key=len, reverse=True)[:number]
    return [run for sides in longest if len(run := _run(neighbors, sides, draws)) > 1]


def _run(
    neighbors: Neighbors, sides: Sequence[tuple[int, int]], draws: Draws
) -> list[tuple[int, int]]:
    """Returns sides of a border that hang together, from a random one on."""
    length = min(draws.between(4, _LONGEST), len(sides) - 1)
    run = [draws.choice(sides)]
    while len(run) < length:
        corners = (({*side, *o}, side) for side in sides if side not in run for o in run)
        touching = [  # that meet in a corner: three hexes that are next to one another
            side
            for hexes, side in corners
            if len(hexes) == 3 and all(b in neighbors.near[a] for a in hexes for b in hexes - {a})
        ]
        if not touching:
            break
        run.append(touching[0])
    return sorted((min(side), max(side)) for side in run)


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

        It begins at `start`, where that names a hex for a site.
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
