"""Checks an edition against what R1, R4.7 and geometry fix, and lists every fault (R9.2).

The checks require what R1 fixes and what play needs, and nothing specific to a shipped edition:
regions, seas, symbols and scenarios may have any names. Where the rulebooks are silent, an edition
that differs from the shipped one's customs gets warnings. A small edition may have fewer regions,
seas, sites, scenarios, objectives (or none) and fiefs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter

from gonzaga_env.core.board.placements import PlacementFault, fief_placements
from gonzaga_env.core.constants import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    NUM_FIEFS,
    NUM_REGIONS,
    NUM_RINGS,
    NUM_SEAS,
    NUM_SYMBOLS,
)
from gonzaga_env.core.edition import (
    NUM_ROTATIONS,
    Cell,
    Edition,
    Fief,
    Scenario,
    Site,
    axial_neighbors,
    offset_neighbors,
    rotate,
)
from gonzaga_env.kernel.editions import Found

MOST_SITES = 2 * 4 * NUM_REGIONS  # of all regions (R1.2)
SITES_PER_REGION = 4  # R1.2: of cities and of harbors
HARBORS_PER_SEA = 4  # R1.2
CITIES_PER_SYMBOL = 3  # R1.2
MAX_HEXES = 800  # tables grow with the square of this: about 300 MB here
OFF_MAP = "."
RESERVED_NAMES = ("inactive", "donate")  # words with a meaning in action texts


def names(edition: Edition) -> Iterator[Found]:
    """Yields faults of names: each must be one line of text and unique among its kind."""
    sites = (*edition.cities, *edition.harbors)
    for kind, given in (
        ("name", [edition.name]),
        ("regions", list(edition.regions.values())),
        ("seas", list(edition.seas.values())),
        ("cities and harbors", [site.name for site in sites]),
        ("symbols", list(edition.symbols)),
        ("barriers", [barrier.name for barrier in edition.barriers]),
    ):
        nameless = [name for name in sorted(set(given)) if not is_name(name)]
        wrong = [(name, "is not a name; one line of text is required") for name in nameless]
        for name, what in (*wrong, *((name, "occurs twice") for name in repeated(given))):
            yield kind, f'"{name}" {what}'


def region_names(edition: Edition) -> Iterator[Found]:
    """Yields region names that would make action texts ambiguous ("Francia B + privilege")."""
    for name in edition.regions.values():
        if " + " in name or name in RESERVED_NAMES:
            what = (
                f'"{name}" cannot be part of an action\'s text; a name without " + " that is not '
                f"{' or '.join(RESERVED_NAMES)} is required"
            )
            yield "regions", what


def marks(edition: Edition) -> Iterator[Found]:
    """Yields faults of the map's marks: six regions and six seas, all defined and used (R1.2)."""
    if len(edition.grid) > MAX_HEXES:
        return  # reported by `size`
    on_map = {mark for row in edition.marks for mark in row} - {OFF_MAP}
    for table, defined, number in (
        ("regions", edition.regions, NUM_REGIONS),
        ("seas", edition.seas, NUM_SEAS),
    ):
        if len(defined) != number:
            yield table, f"{len(defined)} are given; {number} are required (R1.2)"
        for mark, name in defined.items():
            if mark not in on_map and not edition.is_small:
                yield table, f'the map has no hex of "{name}" (mark {mark}) (R1.2)'
    for mark in sorted(set(edition.regions) & set(edition.seas)):
        yield "seas", f"mark {mark} is also a region's; each has its own mark (R1.3)"
    for mark in sorted(on_map - set(edition.regions) - set(edition.seas)):
        first = next(cell for cell in edition.grid.cells if edition.mark(cell) == mark)
        yield "map", f"mark {mark}, first on {list(first)}, is neither a region nor a sea (R1.2)"


def size(edition: Edition) -> Iterator[Found]:
    """Yields a fault if the map has too many hexes for the tables of placements."""
    if len(edition.grid) > MAX_HEXES:
        yield "map", f"has {len(edition.grid)} hexes; at most {MAX_HEXES} are allowed"


def play_size(edition: Edition) -> Iterator[Found]:
    """Yields sizes out of range: a small edition has at most what is printed (R1.1, R7)."""
    given = edition.size
    for name, low, high in (
        ("fiefs", 1, NUM_FIEFS),
        ("rounds", 1, min(given.fiefs, NUM_FIEFS)),
        ("rings", 0, NUM_RINGS),
        ("open_sites_at_end", 0, MOST_SITES),
    ):
        value = getattr(given, name)
        if not low <= value <= high:
            yield "size", f"{name} is {value}; {low} to {high} are allowed"


def places(edition: Edition) -> Iterator[Found]:
    """Yields sites that are not on land of a region, or share a hex with another site (R1.3)."""
    taken: dict[Cell, Site] = {}
    for site in (*edition.cities, *edition.harbors):
        wrong = []
        if site.at not in edition.grid.index:
            wrong.append("there is no such hex on the map; a land hex is required (R1.3)")
        elif edition.mark(site.at) not in edition.regions:
            wrong.append("this is not land; a land hex of a region is required (R1.3)")
        if site.at in taken:
            wrong.append(f"{taken[site.at].name} is already on this hex (R1.3)")
        taken[site.at] = site
        yield from ((place(site), what) for what in wrong)


def coasts(edition: Edition) -> Iterator[Found]:
    """Yields harbors whose sea does not exist or is not next to them (R1.2)."""
    for harbor in edition.harbors:
        if harbor.group not in edition.seas.values():
            what = f'there is no sea "{harbor.group}" (R1.2)'
        elif harbor.at in edition.grid.index and harbor.group not in _around(edition, harbor.at):
            what = f"no hex of its sea, {harbor.group}, is next to it (R1.2)"
        else:
            continue
        yield place(harbor), what


def counts(edition: Edition) -> Iterator[Found]:
    """Yields regions, seas and symbols with too few or too many cities or harbors (R1.2)."""
    regions, cities, harbors = edition.regions.values(), edition.cities, edition.harbors
    symbols = edition.symbols
    fewer = edition.is_small
    if not _right(len(symbols), NUM_SYMBOLS, fewer):
        shown, demand = ", ".join(symbols) or "none", _demand(NUM_SYMBOLS, fewer)
        yield "cities", f"{len(symbols)} symbols ({shown}); {demand} (R1.2)"

    by_region, by_group = partial(region_of, edition), attrgetter("group")
    yield from _miscounts("cities", cities, regions, by_region, SITES_PER_REGION, fewer)
    yield from _miscounts("harbors", harbors, regions, by_region, SITES_PER_REGION, fewer)
    yield from _miscounts("cities", cities, symbols, by_group, CITIES_PER_SYMBOL, fewer)
    seas = edition.seas.values()
    yield from _miscounts("harbors", harbors, seas, by_group, HARBORS_PER_SEA, fewer)


def barriers(edition: Edition) -> Iterator[Found]:
    """Yields barrier edges that are not sides between two hexes of the map (R1.2)."""
    if not edition.barriers and not edition.is_small:
        yield "barrier", "there are none; some borders are barriers (R1.2)"
    seen: set[frozenset[Cell]] = set()
    for barrier in edition.barriers:
        called = f'barrier "{barrier.name}"'
        if not barrier.edges:
            yield called, "has no edges; one or more are required"
        for one, other in barrier.edges:
            wrong = []
            if not {one, other} <= set(edition.grid.index):
                wrong.append("not both hexes are on the map (R1.2)")
            if other not in offset_neighbors(*one):
                wrong.append("the hexes share no side; two neighbours are required (R1.2)")
            if frozenset({one, other}) in seen:
                wrong.append("this side is given twice")
            seen.add(frozenset({one, other}))
            side = f"{called} [{list(one)}, {list(other)}]"
            yield from ((side, what) for what in wrong)


def inner_barriers(edition: Edition) -> Iterator[Found]:
    """Yields sides of barriers that are inside a region; the printed ones are on borders (R1.2)."""
    for barrier in edition.barriers:
        for one, other in barrier.edges:
            if not {one, other} <= edition.grid.index.keys():
                continue
            mark = edition.mark(one)
            if mark == edition.mark(other) and mark in edition.regions:
                place = f'barrier "{barrier.name}" [{list(one)}, {list(other)}]'
                what = f"is inside {edition.regions[mark]}; the printed ones are on borders (R1.2)"
                yield place, what


def is_name(text: str) -> bool:
    """Returns whether a text is one printable line without surrounding blanks."""
    return bool(text) and text == text.strip() and text.isprintable()


def place(site: Site) -> str:
    return f'{site.kind} "{site.name}" at {list(site.at)}'


def repeated(given: Iterable[str]) -> list[str]:
    return sorted(name for name, number in Counter(given).items() if number > 1)


def region_of(edition: Edition, site: Site) -> str:
    """Returns the name of the region that a site is in; "" off the land."""
    on_map = site.at in edition.grid.index
    return edition.regions.get(edition.mark(site.at), "") if on_map else ""


def _around(edition: Edition, cell: Cell) -> set[str]:
    on_map = (other for other in offset_neighbors(*cell) if other in edition.grid.index)
    return {edition.seas.get(edition.mark(other), "") for other in on_map}


def _right(number: int, right: int, fewer: bool) -> bool:
    return number == right or (fewer and number < right)


def _demand(right: int, fewer: bool) -> str:
    return f"at most {right} are allowed" if fewer else f"{right} are required"


def _miscounts(
    kind: str,
    sites: Iterable[Site],
    groups: Iterable[str],
    group_of: Callable[[Site], str],
    right: int,
    fewer: bool,
) -> Iterator[Found]:
    found = Counter(map(group_of, sites))
    for group in groups:
        if not _right(found[group], right, fewer):
            yield f"{kind} of {group}", f"{found[group]}; {_demand(right, fewer)} (R1.2)"


NUM_SCENARIOS = 16  # R1.5
NUM_OBJECTIVES = 16  # R1.4


def scenarios(edition: Edition) -> Iterator[Found]:
    """Yields faults of the scenarios' number, names and numbers of players (R1.5)."""
    given = edition.scenarios
    small = edition.is_small
    right = f"1 to {NUM_SCENARIOS} are allowed" if small else f"{NUM_SCENARIOS} are required"
    if not (1 if edition.is_small else NUM_SCENARIOS) <= len(given) <= NUM_SCENARIOS:
        yield "", f"{len(given)} scenarios; {right} (R1.5)"
    for name in repeated(scenario.name for scenario in given):
        yield f'scenario "{name}"', "the name occurs twice"
    for scenario in given:
        if not is_name(scenario.name):
            yield _named(scenario), "this is not a name; one line of text is required"
        if not MIN_PLAYERS <= scenario.players <= MAX_PLAYERS:
            right = f"{MIN_PLAYERS} to {MAX_PLAYERS} are allowed (R1.1)"
            yield _named(scenario), f"is for {scenario.players} players; {right}"
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        if not edition.is_small and players not in {scenario.players for scenario in given}:
            yield "", f"none for {players} players; at least one is required (R2.1)"


def flourishing(edition: Edition) -> Iterator[Found]:
    """Yields scenarios with no flourishing region, with an unknown one, or with one twice (R1.5).

    One is enough: it and the inactive card are used in turn (R3.3).
    """
    for scenario in edition.scenarios:
        if not scenario.flourishing:
            yield _named(scenario), "no region flourishes; one or more are required (R1.5)"
        for name in repeated(scenario.flourishing):
            yield _named(scenario), f'"{name}" flourishes twice'
        for name in sorted(set(scenario.flourishing) - set(edition.regions.values())):
            yield _named(scenario), f'the board has no region "{name}" (R1.5)'


def usual_flourishing(edition: Edition) -> Iterator[Found]:
    """Yields scenarios in which not one region more flourishes than there are players (R1.5)."""
    for scenario in edition.scenarios:
        number, usual = len(scenario.flourishing), scenario.players + 1
        if number != usual:
            flourish = "1 region flourishes" if number == 1 else f"{number} regions flourish"
            what = f"{flourish}; {usual} are usual for {scenario.players} players (R1.5)"
            yield _named(scenario), what


def objectives(edition: Edition) -> Iterator[Found]:
    """Yields a wrong number of objectives, and objectives that are equal (R1.4)."""
    given = [" and ".join(sorted(pair)) for pair in edition.objectives]
    least = most = NUM_OBJECTIVES
    if edition.is_small:  # R2.2: one for each player at least
        least = max((scenario.players for scenario in edition.scenarios), default=MIN_PLAYERS)
    if not edition.size.objectives:
        least = most = 0
    if not least <= len(given) <= most:
        right = f"{most} are required" if least == most else f"{least} to {most} are allowed"
        yield "", f"{len(given)} objectives; {right} (R1.4)"
    for pair in repeated(given):
        yield pair, "this objective occurs twice; all 16 differ (R1.4)"


def objective_symbols(edition: Edition) -> Iterator[Found]:
    """Yields objectives that do not show two symbols of cities (R1.4)."""
    for i, pair in enumerate(edition.objectives):
        place = _place(i, pair)
        for symbol in sorted(set(pair) - set(edition.symbols)):
            yield place, f'no city bears the symbol "{symbol}" (R1.4)'
        if pair[0] == pair[1]:
            yield place, "shows one symbol twice; two different ones are required (R1.4)"


def objective_cities(edition: Edition) -> Iterator[Found]:
    """Yields objectives whose six cities are not one in each region (R1.4)."""
    for i, pair in enumerate(edition.objectives):
        cities = [city for city in edition.cities if city.group in pair]
        number = Counter(region_of(edition, city) for city in cities)
        if any(number[region] != 1 for region in edition.regions.values()):
            shown = ", ".join(f"{number[name]} in {name}" for name in edition.regions.values())
            yield _place(i, pair), f"its cities are {shown}; one in each region is usual (R1.4)"


def _place(index: int, pair: tuple[str, str]) -> str:
    return f"objective {index + 1} ({' and '.join(pair)})"


def _named(scenario: Scenario) -> str:
    return f'scenario "{scenario.name}"'


SIZES = (3, 4)  # R1.6
LARGEST = 6  # hexes of a fief; larger ones would hardly find a place, and tables grow with them
#: (cities, harbors) that one fief may cover (R4.7).
POSSIBLE_COVERS = frozenset(
    {(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (1, 1), (2, 1), (1, 2)}
)
Shape = frozenset[tuple[int, int, bool]]  # q, r and castle of each cell


def numbers(edition: Edition) -> Iterator[Found]:
    """Yields a fault unless the fiefs have the numbers from 1 on, once each (R1.7)."""
    given = [fief.number for fief in edition.fiefs]
    number = edition.size.fiefs
    if sorted(given) != list(range(1, number + 1)):
        shown = ", ".join(map(str, given)) or "none"
        yield "", f"numbers {shown}; 1 to {number}, once each, are required (R1.1, R1.7)"


def pieces(edition: Edition) -> Iterator[Found]:
    """Yields fiefs that are not a few connected hexes with at least one castle (R1.6)."""
    for fief in edition.fiefs:
        yield from ((f"fief {fief.number}", f"{fault} (R1.6)") for fault in _unsound(fief))


def _unsound(fief: Fief) -> Iterator[str]:
    if not 1 <= len(fief.cells) <= LARGEST:
        yield f"{len(fief.cells)} cells; 1 to {LARGEST} are allowed"
    if len(set(fief.cells)) < len(fief.cells):
        yield "a cell is given twice; different ones are required"
    if not _connected(fief):
        yield "the cells are not connected by their sides"
    if not fief.castles:
        yield "no castle; one or more are required"
    if len(set(fief.castles)) < len(fief.castles):
        yield "a castle is given twice; different ones are required"
    for castle in fief.castles:
        if not 0 <= castle < len(fief.cells):
            yield f"castle {castle} is not on a cell; 0 to {len(fief.cells) - 1} are allowed"


def sizes(edition: Edition) -> Iterator[Found]:
    """Yields fiefs of other sizes than 3 and 4 hexes (R1.6)."""
    for fief in edition.fiefs:
        if len(fief.cells) not in SIZES:
            yield f"fief {fief.number}", f"{len(fief.cells)} cells; 3 or 4 are usual (R1.6)"


def differences(edition: Edition) -> Iterator[Found]:
    """Yields fiefs that a rotation makes equal to an earlier one; mirror images differ (R1.6)."""
    first: dict[Shape, Fief] = {}  # by each of its turned shapes
    for fief in edition.fiefs:
        shapes = _turned_shapes(fief)
        equal = next((first[shape] for shape in shapes if shape in first), None)
        if equal is not None:
            what = f"equals fief {equal.number}, turned; all 12 usually differ (R1.6)"
            yield f"fief {fief.number}", what
        else:
            first |= dict.fromkeys(shapes, fief)


def coverage(edition: Edition) -> Iterator[Found]:
    """Yields combinations of sites that a fief can cover against R4.7, with an example each."""
    cities = {site.at: site.name for site in edition.cities if site.at in edition.grid.index}
    harbors = {site.at: site.name for site in edition.harbors if site.at in edition.grid.index}
    sites = cities.keys() | harbors.keys()
    if len(edition.grid) > MAX_HEXES:
        return  # reported by `size`; the tables would be huge
    for fief in (fief for fief in edition.fiefs if not list(_unsound(fief))):
        examples: dict[tuple[int, int], list[frozenset[Cell]]] = {}
        for cells in _covering(edition, fief):
            pair = len(cells & cities.keys()), len(cells & harbors.keys())
            examples.setdefault(pair, []).append(cells)
        for pair in sorted(examples.keys() - POSSIBLE_COVERS):
            example = examples[pair][0]
            names = sorted((cities | harbors)[cell] for cell in example & sites)
            what = (
                f"can cover {pair[0]} cities and {pair[1]} harbors in {len(examples[pair])} ways, "
                f"such as {', '.join(names)}; at most 3 sites, with at most 2 harbors, are allowed "
                f"(R4.7)"
            )
            yield f"fief {fief.number}", what


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


#: Every check, with the file of its faults and the other files that it reads.
CHECKS: tuple[tuple[tuple[str, ...], Callable[[Edition], Iterator[Found]]], ...] = (
    (("board",), names),
    (("board",), region_names),
    (("board",), marks),
    (("board",), size),
    (("board",), play_size),
    (("board",), places),
    (("board",), coasts),
    (("board",), counts),
    (("board",), barriers),
    (("fiefs", "board"), numbers),
    (("fiefs",), pieces),
    (("fiefs", "board"), coverage),
    (("scenarios", "board"), scenarios),
    (("scenarios", "board"), flourishing),
    (("objectives", "board", "scenarios"), objectives),
    (("objectives", "board"), objective_symbols),
)
#: Customs of the printed game that no rule demands (see docs/edition.md): an edition that differs
#: gets a warning, but for a small one.
CUSTOMS: tuple[tuple[tuple[str, ...], Callable[[Edition], Iterator[Found]]], ...] = (
    (("board",), inner_barriers),
    (("fiefs",), sizes),
    (("fiefs",), differences),
    (("scenarios", "board"), usual_flourishing),
    (("objectives", "board"), objective_cities),
)
FILES = ("board", "fiefs", "scenarios", "objectives")


def find_faults(edition: Edition, readable: Sequence[str] = FILES) -> list[str]:
    """Returns every fault of an edition: "file: place: what is wrong; what is right"."""
    checks = [(files[0], check) for files, check in CHECKS if {*files} <= {*readable}]
    return [fault_text(file, *found) for file, check in checks for found in check(edition)]


def find_warnings(edition: Edition) -> list[str]:
    """Returns every warning of an edition; where it has faults, these come first."""
    checks = () if edition.is_small else CUSTOMS
    return [fault_text(files[0], *found) for files, check in checks for found in check(edition)]


def fault_text(file: str, place: str, what: str) -> str:
    """Returns a fault of one of the files, such as "board", in a line."""
    return ": ".join(filter(None, (f"{file}.toml", place, what)))
