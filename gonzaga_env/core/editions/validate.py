"""Checks an edition against what R1, R4.7 and geometry fix, and lists every fault (R9.2).

The checks require what R1 fixes and what play needs, and nothing specific to a shipped edition:
regions, seas, symbols and scenarios may have any names. Where the rulebooks are silent, an edition
that differs from the shipped one's customs gets warnings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from gonzaga_env.core.board.edition import (
    NUM_ROTATIONS,
    Cell,
    Edition,
    Fief,
    axial_neighbors,
    rotate,
)
from gonzaga_env.core.board.placements import PlacementFault, fief_placements
from gonzaga_env.core.constants import MAX_PLAYERS, MIN_PLAYERS
from gonzaga_env.core.editions import validate_board
from gonzaga_env.core.editions.validate_board import MAX_HEXES, Fault, is_name, region_of, repeated

NUM_SCENARIOS = 16  # R1.5
NUM_OBJECTIVES = 16  # R1.4


def scenarios(edition: Edition) -> Iterator[Fault]:
    """Yields faults of the scenarios' number, names and numbers of players (R1.5).

    A small edition may have fewer, and none for some numbers of players.
    """
    given = edition.scenarios
    right = f"{'1 to ' * edition.is_small}{NUM_SCENARIOS}"
    if not (1 if edition.is_small else NUM_SCENARIOS) <= len(given) <= NUM_SCENARIOS:
        yield Fault("scenarios", "", f"{len(given)} scenarios; {right} are right (R1.5)")
    for name in repeated(scenario.name for scenario in given):
        first = [scenario.name for scenario in given].index(name)
        yield _of_scenario(edition, first, "the name occurs twice")
    for i, scenario in enumerate(given):
        if not is_name(scenario.name):
            yield _of_scenario(edition, i, "this is not a name; one line of text is right")
        if not MIN_PLAYERS <= scenario.players <= MAX_PLAYERS:
            right = f"{MIN_PLAYERS} to {MAX_PLAYERS} are right (R1.1)"
            yield _of_scenario(edition, i, f"is for {scenario.players} players; {right}")
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        if not edition.is_small and players not in {scenario.players for scenario in given}:
            what = f"none for {players} players; at least one is right (R2.1)"
            yield Fault("scenarios", "", what)


def flourishing(edition: Edition) -> Iterator[Fault]:
    """Yields scenarios with no flourishing region, with an unknown one, or with one twice (R1.5).

    One is enough: it and the inactive card are used in turn (R3.3).
    """
    for i, scenario in enumerate(edition.scenarios):
        if not scenario.flourishing:
            yield _of_scenario(edition, i, "no region flourishes; one or more are right (R1.5)")
        for name in repeated(scenario.flourishing):
            yield _of_scenario(edition, i, f'"{name}" flourishes twice')
        for name in sorted(set(scenario.flourishing) - set(edition.regions.values())):
            yield _of_scenario(edition, i, f'the board has no region "{name}" (R1.5)')


def usual_flourishing(edition: Edition) -> Iterator[Fault]:
    """Yields scenarios in which not one region more flourishes than there are players (R1.5)."""
    for i, scenario in enumerate(edition.scenarios):
        number, usual = len(scenario.flourishing), scenario.players + 1
        if number != usual:
            flourish = "1 region flourishes" if number == 1 else f"{number} regions flourish"
            what = f"{flourish}; {usual} are usual for {scenario.players} players (R1.5)"
            yield _of_scenario(edition, i, what)


def objectives(edition: Edition) -> Iterator[Fault]:
    """Yields a wrong number of objectives, and objectives that are equal (R1.4).

    A small edition may have fewer, or play without them.
    """
    given = [" and ".join(sorted(pair)) for pair in edition.objectives]
    least = most = NUM_OBJECTIVES
    if edition.is_small:  # R2.2: one for each player at least
        least = max((scenario.players for scenario in edition.scenarios), default=MIN_PLAYERS)
    if not edition.size.objectives:
        least = most = 0
    if not least <= len(given) <= most:
        right = f"{least}" if least == most else f"{least} to {most}"
        what = f"{len(given)} objectives; {right} are right (R1.4)"
        yield Fault("objectives", "", what)
    for pair in repeated(given):
        what = "this objective occurs twice; all 16 differ (R1.4)"
        yield Fault("objectives", pair, what, entry=("objective", given.index(pair)))


def objective_symbols(edition: Edition) -> Iterator[Fault]:
    """Yields objectives that do not show two symbols of cities (R1.4)."""
    for i, pair in enumerate(edition.objectives):
        place, entry = _place(i, pair), ("objective", i)
        for symbol in sorted(set(pair) - set(edition.symbols)):
            what = f'no city bears the symbol "{symbol}" (R1.4)'
            yield Fault("objectives", place, what, entry=entry)
        if pair[0] == pair[1]:
            what = "shows one symbol twice; two different ones are right (R1.4)"
            yield Fault("objectives", place, what, entry=entry)


def objective_cities(edition: Edition) -> Iterator[Fault]:
    """Yields objectives whose six cities are not one in each region (R1.4)."""
    for i, pair in enumerate(edition.objectives):
        cities = [city for city in edition.cities if city.group in pair]
        number = Counter(region_of(edition, city) for city in cities)
        if any(number[region] != 1 for region in edition.regions.values()):
            shown = ", ".join(f"{number[name]} in {name}" for name in edition.regions.values())
            what = f"its cities are {shown}; one in each region is usual (R1.4)"
            cells = tuple(city.at for city in cities)
            yield Fault("objectives", _place(i, pair), what, cells, ("objective", i))


def _place(index: int, pair: tuple[str, str]) -> str:
    return f"objective {index + 1} ({' and '.join(pair)})"


def _of_scenario(edition: Edition, index: int, what: str) -> Fault:
    name = edition.scenarios[index].name
    return Fault("scenarios", f'scenario "{name}"', what, entry=("scenario", index))


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


#: Every check, with the files that it reads.
CHECKS: tuple[tuple[frozenset[str], Callable[[Edition], Iterator[Fault]]], ...] = (
    (frozenset({"board"}), validate_board.names),
    (frozenset({"board"}), validate_board.region_names),
    (frozenset({"board"}), validate_board.marks),
    (frozenset({"board"}), validate_board.size),
    (frozenset({"board"}), validate_board.play_size),
    (frozenset({"board"}), validate_board.places),
    (frozenset({"board"}), validate_board.coasts),
    (frozenset({"board"}), validate_board.counts),
    (frozenset({"board"}), validate_board.barriers),
    (frozenset({"board", "fiefs"}), numbers),
    (frozenset({"fiefs"}), pieces),
    (frozenset({"board", "fiefs"}), coverage),
    (frozenset({"board", "scenarios"}), scenarios),
    (frozenset({"board", "scenarios"}), flourishing),
    (frozenset({"board", "scenarios", "objectives"}), objectives),
    (frozenset({"board", "objectives"}), objective_symbols),
)
#: What no rulebook says (see docs/edition.md): an edition that differs gets a warning, but for a
#: small one.
CUSTOMS: tuple[tuple[frozenset[str], Callable[[Edition], Iterator[Fault]]], ...] = (
    (frozenset({"board"}), validate_board.inner_barriers),
    (frozenset({"fiefs"}), sizes),
    (frozenset({"fiefs"}), differences),
    (frozenset({"board", "scenarios"}), usual_flourishing),
    (frozenset({"board", "objectives"}), objective_cities),
)
FILES = ("board", "fiefs", "scenarios", "objectives")


def find_faults(edition: Edition, readable: Sequence[str] = FILES) -> list[Fault]:
    """Returns every fault of an edition."""
    return [fault for files, check in CHECKS if files <= set(readable) for fault in check(edition)]


def find_warnings(edition: Edition) -> list[Fault]:
    """Returns every warning of an edition; where it has faults, these come first."""
    checks = () if edition.is_small else CUSTOMS
    return [warning for _, check in checks for warning in check(edition)]
