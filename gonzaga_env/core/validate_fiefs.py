"""What R1.6 fixes about the twelve fiefs, and R4.7 about them on the map."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.edition import Cell, Edition, Fief
from gonzaga_env.core.geometry import NUM_ROTATIONS, axial_neighbors, rotate
from gonzaga_env.core.rules import NUM_FIEFS
from gonzaga_env.core.validate_board import MAX_HEXES

SIZES = (3, 4)  # R1.6
#: (cities, harbors) that one fief may cover (R4.7).
POSSIBLE_COVERS = frozenset(
    {(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (1, 1), (2, 1), (1, 2)}
)
Shape = frozenset[tuple[int, int, bool]]  # q, r and castle of each cell


def numbers(edition: Edition) -> Iterator[str]:
    """Yields a fault unless the fiefs bear the numbers 1 to 12, once each (R1.7)."""
    given = [fief.number for fief in edition.fiefs]
    if sorted(given) != list(range(1, NUM_FIEFS + 1)):
        shown = ", ".join(map(str, given)) or "none"
        yield f"fiefs.toml: numbers {shown}; 1 to {NUM_FIEFS}, once each, are right (R1.1, R1.7)"


def shapes(edition: Edition) -> Iterator[str]:
    """Yields fiefs that are no 3 or 4 connected hexes (R1.6)."""
    for fief in edition.fiefs:
        if len(fief.cells) not in SIZES:
            yield f"{_place(fief)}: {len(fief.cells)} cells; 3 or 4 are right (R1.6)"
        if len(set(fief.cells)) < len(fief.cells):
            yield f"{_place(fief)}: a cell is given twice; different ones are right (R1.6)"
        if not _connected(fief):
            yield f"{_place(fief)}: the cells don't hang together by their sides (R1.6)"


def castles(edition: Edition) -> Iterator[str]:
    """Yields fiefs without a castle, or with one on a cell that they don't have (R1.6)."""
    for fief in edition.fiefs:
        if not fief.castles:
            yield f"{_place(fief)}: no castle; one or more are right (R1.6)"
        if len(set(fief.castles)) < len(fief.castles):
            yield f"{_place(fief)}: a castle is given twice; different ones are right (R1.6)"
        for castle in fief.castles:
            if not 0 <= castle < len(fief.cells):
                last = len(fief.cells) - 1
                yield f"{_place(fief)}: castle {castle} is on no cell; 0 to {last} are right (R1.6)"


def differences(edition: Edition) -> Iterator[str]:
    """Yields pairs of fiefs that a rotation makes equal; mirror images differ (R1.6)."""
    for one, other in combinations(edition.fiefs, 2):
        if _turned_shapes(one) & _turned_shapes(other):
            yield f"{_place(other)}: equals fief {one.number}, turned; all 12 differ (R1.6)"


def coverage(edition: Edition) -> Iterator[str]:
    """Yields what fiefs could cover though R4.7 says that they can't, with an example each."""
    cities = {site.at: site.name for site in edition.cities if site.at in edition.grid.index}
    harbors = {site.at: site.name for site in edition.harbors if site.at in edition.grid.index}
    if len(edition.grid) > MAX_HEXES:
        return  # that fault is enough, and the tables would be huge
    for fief in (fief for fief in edition.fiefs if len(fief.cells) in SIZES):
        cells = possible_cells(edition, fief)
        counts = np.stack([_count(edition, cells, set(sites)) for sites in (cities, harbors)], 1)
        for pair in sorted({(int(c), int(h)) for c, h in counts} - POSSIBLE_COVERS):
            found = np.flatnonzero((counts == pair).all(axis=1))
            hexes = [edition.grid.cells[i] for i in cells[found[0]]]
            names = [(cities | harbors)[cell] for cell in hexes if cell in cities | harbors]
            yield (
                f"{_place(fief)}: can cover {pair[0]} cities and {pair[1]} harbors in "
                f"{len(found)} ways, such as {', '.join(names)}; 3 sites at most, of them 2 "
                f"harbors at most, are right (R4.7)"
            )


def possible_cells(edition: Edition, fief: Fief) -> NDArray[np.int64]:
    """Returns the numbers of the hexes under every placement on the empty map, [M, cells].

    Placements are those of R4.3 to R4.5; two rotations may cover the same hexes.
    """
    on_land = (edition.mark(cell) in edition.regions for cell in edition.grid.cells)
    land = np.fromiter(on_land, dtype=np.bool_)
    castles = [castle for castle in fief.castles if 0 <= castle < len(fief.cells)]
    blocked = _blocked(edition)
    rows = []
    for rotation in range(NUM_ROTATIONS):
        cells = _on_map(edition, rotate(fief.cells, rotation))
        cells = cells[land[cells[:, castles]].all(axis=1)]
        for i, j in combinations(range(cells.shape[1]), 2):
            cells = cells[~blocked[cells[:, i], cells[:, j]]]
        rows.append(cells)
    return np.concatenate(rows)


def _on_map(edition: Edition, offsets: tuple[tuple[int, int], ...]) -> NDArray[np.int64]:
    """Returns the hexes under the offsets from every hex, where all are on the map, [M, cells]."""
    off_map = len(edition.grid)
    lookup = np.full((len(edition.marks) + 1, max(map(len, edition.marks), default=0) + 1), off_map)
    for cell, number in edition.grid.index.items():
        lookup[cell] = number
    q, r = (edition.grid.axial[:, None] + np.array(offsets)).transpose(2, 0, 1)
    row, col = r, q + (r - (r & 1)) // 2
    # What lies outside meets the last row or column, which are off the map.
    height, width = lookup.shape[0] - 1, lookup.shape[1] - 1
    outside = (row < 0) | (row >= height) | (col < 0) | (col >= width)
    cells = lookup[np.where(outside, height, row), np.where(outside, width, col)]
    return cells[(cells != off_map).all(axis=1)]


def _blocked(edition: Edition) -> NDArray[np.bool_]:
    """Returns whether a barrier lies between two hexes, [H, H] (R4.5)."""
    index = edition.grid.index
    blocked = np.zeros((len(index), len(index)), dtype=np.bool_)
    for barrier in edition.barriers:
        for one, other in barrier.edges:
            if one in index and other in index:
                blocked[index[one], index[other]] = blocked[index[other], index[one]] = True
    return blocked


def _count(edition: Edition, cells: NDArray[np.int64], sites: set[Cell]) -> NDArray[np.int64]:
    """Returns how many of the sites lie under each placement, [M]."""
    held = np.array([cell in sites for cell in edition.grid.cells], dtype=np.bool_)
    return held[cells].sum(axis=1)


def _connected(fief: Fief) -> bool:
    reached: set[tuple[int, int]] = set()
    waiting = list(fief.cells[:1])
    while waiting:
        cell = waiting.pop()
        reached.add(cell)
        waiting += [c for c in axial_neighbors(*cell) if c in fief.cells and c not in reached]
    return reached == set(fief.cells)


def _turned_shapes(fief: Fief) -> set[Shape]:
    """Returns the cells with their castles in each rotation, pushed to the same corner."""
    shapes = set()
    for rotation in range(NUM_ROTATIONS):
        cells = rotate(fief.cells, rotation)
        west, north = min((q for q, _ in cells), default=0), min((r for _, r in cells), default=0)
        shapes.add(
            frozenset((q - west, r - north, i in fief.castles) for i, (q, r) in enumerate(cells))
        )
    return shapes


def _place(fief: Fief) -> str:
    return f"fiefs.toml: fief {fief.number}"
