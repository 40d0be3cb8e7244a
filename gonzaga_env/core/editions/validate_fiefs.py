"""Checks of the twelve fiefs (R1.6) and of what they can cover on the map (R4.7)."""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.core.board.edition import Cell, Edition, Fief
from gonzaga_env.core.board.geometry import NUM_ROTATIONS, axial_neighbors, rotate
from gonzaga_env.core.board.placements import PlacementFault, fief_placements
from gonzaga_env.core.editions.fault import Fault
from gonzaga_env.core.editions.validate_board import MAX_HEXES

SIZES = (3, 4)  # R1.6
LARGEST = 6  # hexes of a fief; larger ones would hardly find a place, and tables grow with them
#: (cities, harbors) that one fief may cover (R4.7).
POSSIBLE_COVERS = frozenset(
    {(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (1, 1), (2, 1), (1, 2)}
)
Shape = frozenset[tuple[int, int, bool]]  # q, r and castle of each cell


def numbers(edition: Edition) -> Iterator[Fault]:
    """Yields a fault unless the fiefs have the numbers 1 to 12, once each (R1.7).

    Those of a small edition have the numbers from 1 to its size.
    """
    given = [fief.number for fief in edition.fiefs]
    number = edition.size.fiefs
    if sorted(given) != list(range(1, number + 1)):
        shown = ", ".join(map(str, given)) or "none"
        what = f"numbers {shown}; 1 to {number}, once each, are right (R1.1, R1.7)"
        yield Fault("fiefs", "", what)


def pieces(edition: Edition) -> Iterator[Fault]:
    """Yields fiefs that are not a few connected hexes with at least one castle (R1.6)."""
    for i, fief in enumerate(edition.fiefs):
        yield from (_of_fief(edition, i, f"{fault} (R1.6)") for fault in _unsound(fief))


def _unsound(fief: Fief) -> Iterator[str]:
    if not 1 <= len(fief.cells) <= LARGEST:
        yield f"{len(fief.cells)} cells; 1 to {LARGEST} are right"
    if len(set(fief.cells)) < len(fief.cells):
        yield "a cell is given twice; different ones are right"
    if not _connected(fief):
        yield "the cells are not connected by their sides"
    if not fief.castles:
        yield "no castle; one or more are right"
    if len(set(fief.castles)) < len(fief.castles):
        yield "a castle is given twice; different ones are right"
    for castle in fief.castles:
        if not 0 <= castle < len(fief.cells):
            yield f"castle {castle} is not on a cell; 0 to {len(fief.cells) - 1} are right"


def sizes(edition: Edition) -> Iterator[Fault]:
    """Yields fiefs of other sizes than 3 and 4 hexes (R1.6)."""
    for i, fief in enumerate(edition.fiefs):
        if len(fief.cells) not in SIZES:
            yield _of_fief(edition, i, f"{len(fief.cells)} cells; 3 or 4 are usual (R1.6)")


def differences(edition: Edition) -> Iterator[Fault]:
    """Yields fiefs that a rotation makes equal to an earlier one; mirror images differ (R1.6)."""
    first: dict[Shape, Fief] = {}  # by each of its turned shapes
    for i, fief in enumerate(edition.fiefs):
        shapes = _turned_shapes(fief)
        equal = next((first[shape] for shape in shapes if shape in first), None)
        if equal is not None:
            yield _of_fief(
                edition, i, f"equals fief {equal.number}, turned; all 12 usually differ (R1.6)"
            )
        else:
            first |= dict.fromkeys(shapes, fief)


def coverage(edition: Edition) -> Iterator[Fault]:
    """Yields combinations of sites that a fief can cover against R4.7, with an example each."""
    cities = {site.at: site.name for site in edition.cities if site.at in edition.grid.index}
    harbors = {site.at: site.name for site in edition.harbors if site.at in edition.grid.index}
    sites = cities.keys() | harbors.keys()
    if len(edition.grid) > MAX_HEXES:
        return  # reported by `size`; the tables would be huge
    sound = ((i, fief) for i, fief in enumerate(edition.fiefs) if not list(_unsound(fief)))
    for i, fief in sound:
        examples: dict[tuple[int, int], list[frozenset[Cell]]] = {}
        for cells in _covering(edition, fief):
            pair = len(cells & cities.keys()), len(cells & harbors.keys())
            examples.setdefault(pair, []).append(cells)
        for pair in sorted(examples.keys() - POSSIBLE_COVERS):
            example = examples[pair][0]
            names = sorted((cities | harbors)[cell] for cell in example & sites)
            what = (
                f"can cover {pair[0]} cities and {pair[1]} harbors in {len(examples[pair])} ways, "
                f"such as {', '.join(names)}; at most 3 sites, with at most 2 harbors, are right "
                f"(R4.7)"
            )
            yield _of_fief(edition, i, what, tuple(sorted(example)))


def _covering(edition: Edition, fief: Fief) -> list[frozenset[Cell]]:
    """Returns the sets of hexes that a fief can cover on the empty map (R4.3 to R4.5)."""
    cells, fault = fief_placements(edition, fief)
    numbers = cells[fault == PlacementFault.NONE, : len(fief.cells)].tolist()
    return [frozenset(edition.grid.cells[i] for i in row) for row in numbers]


def _connected(fief: Fief) -> bool:
    reached: set[tuple[int, int]] = set()
    waiting = list(fief.cells[:1])
    while waiting:
        cell = waiting.pop()
        reached.add(cell)
        waiting += [c for c in axial_neighbors(*cell) if c in fief.cells and c not in reached]
    return reached == set(fief.cells)


def _turned_shapes(fief: Fief) -> set[Shape]:
    """Returns the cells with their castles in each rotation, moved to the same corner."""
    shapes = set()
    for rotation in range(NUM_ROTATIONS):
        cells = rotate(fief.cells, rotation)
        west, north = min((q for q, _ in cells), default=0), min((r for _, r in cells), default=0)
        shapes.add(
            frozenset((q - west, r - north, i in fief.castles) for i, (q, r) in enumerate(cells))
        )
    return shapes


def _of_fief(edition: Edition, index: int, what: str, cells: tuple[Cell, ...] = ()) -> Fault:
    return Fault("fiefs", f"fief {edition.fiefs[index].number}", what, cells, ("fief", index))
