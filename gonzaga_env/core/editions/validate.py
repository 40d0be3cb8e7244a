"""Checks an edition against what R1, R4.7 and geometry fix, and lists every fault (R9.2).

The checks require what R1 fixes and what play needs, and nothing specific to a shipped edition:
regions, seas, symbols and scenarios may have any names. Where the rulebooks are silent, an edition
that differs from the shipped one's customs gets warnings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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
    Site,
    axial_neighbors,
    offset_neighbors,
    rotate,
)


@dataclass(frozen=True)
class Fault:
    """A fault of an edition, in words and with the places that an editor marks.

    Its text, `str(fault)`, is "file: place: what is wrong; what is right". A warning has the same
    members: it says where an edition differs from what this project chose or ruled, and such an
    edition can be played.
    """

    file: str  # the file, such as "board"
    place: str  # the place in the file, in words; empty for the file as a whole
    what: str  # what is wrong, and what is right
    cells: tuple[Cell, ...] = ()  # the hexes concerned (row, col), which may be off the map
    # The table and the position in it, such as ("city", 3): a city, harbor, barrier, fief, scenario
    # or objective in the order of the `Edition`, or an entry of the tables regions and seas; None
    # if the fault concerns no single entry.
    entry: tuple[str, int] | None = None

    def __str__(self) -> str:
        return ": ".join(filter(None, (f"{self.file}.toml", self.place, self.what)))


MOST_SITES = 2 * 4 * NUM_REGIONS  # of all regions (R1.2)
SITES_PER_REGION = 4  # R1.2: of cities and of harbors
HARBORS_PER_SEA = 4  # R1.2
CITIES_PER_SYMBOL = 3  # R1.2
MAX_HEXES = 800  # tables grow with the square of this: about 300 MB here
OFF_MAP = "."
RESERVED_NAMES = ("inactive", "donate")  # words with a meaning in action texts


def names(edition: Edition) -> Iterator[Fault]:
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
        wrong = [(name, "is not a name; one line of text is right") for name in nameless]
        for name, what in (*wrong, *((name, "occurs twice") for name in repeated(given))):
            yield Fault("board", kind, f'"{name}" {what}', _named(sites, kind, name))


def region_names(edition: Edition) -> Iterator[Fault]:
    """Yields region names that would make action texts ambiguous ("Francia B + privilege")."""
    for i, name in enumerate(edition.regions.values()):
        if " + " in name or name in RESERVED_NAMES:
            what = (
                f'"{name}" cannot be part of an action\'s text; a name without " + " that is not '
                f"{' or '.join(RESERVED_NAMES)} is right"
            )
            yield Fault("board", "regions", what, entry=("regions", i))


def marks(edition: Edition) -> Iterator[Fault]:
    """Yields faults of the map's marks: six regions and six seas, all defined and used (R1.2).

    A small edition's map may leave regions and seas out.
    """
    on_map = {mark for row in edition.marks for mark in row} - {OFF_MAP}
    for table, defined, number in (
        ("regions", edition.regions, NUM_REGIONS),
        ("seas", edition.seas, NUM_SEAS),
    ):
        if len(defined) != number:
            yield Fault("board", table, f"{len(defined)} are given; {number} are right (R1.2)")
        for i, (mark, name) in enumerate(defined.items()):
            if mark not in on_map and not edition.is_small:
                what = f'the map has no hex of "{name}" (mark {mark}) (R1.2)'
                yield Fault("board", table, what, entry=(table, i))
    for mark in sorted(set(edition.regions) & set(edition.seas)):
        what = f"mark {mark} is also a region's; each has its own mark (R1.3)"
        yield Fault("board", "seas", what, entry=("seas", list(edition.seas).index(mark)))
    for mark in sorted(on_map - set(edition.regions) - set(edition.seas)):
        cells = tuple(cell for cell in edition.grid.cells if edition.mark(cell) == mark)
        what = f"mark {mark}, first on {list(cells[0])}, is neither a region nor a sea (R1.2)"
        yield Fault("board", "map", what, cells)


def size(edition: Edition) -> Iterator[Fault]:
    """Yields a fault if the map has too many hexes for the tables of placements."""
    if len(edition.grid) > MAX_HEXES:
        what = f"has {len(edition.grid)} hexes; at most {MAX_HEXES} are right"
        yield Fault("board", "map", what)


def play_size(edition: Edition) -> Iterator[Fault]:
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
            yield Fault("board", "size", f"{name} is {value}; {low} to {high} are right")


def places(edition: Edition) -> Iterator[Fault]:
    """Yields sites that are not on land of a region, or share a hex with another site (R1.3)."""
    taken: dict[Cell, Site] = {}
    for entry, site in _sites(edition):
        wrong = []
        if site.at not in edition.grid.index:
            wrong.append("there is no such hex on the map; a land hex is right (R1.3)")
        elif edition.mark(site.at) not in edition.regions:
            wrong.append("this is not land; a land hex of a region is right (R1.3)")
        if site.at in taken:
            wrong.append(f"{taken[site.at].name} is already on this hex (R1.3)")
        taken[site.at] = site
        yield from (Fault("board", place(site), what, (site.at,), entry) for what in wrong)


def coasts(edition: Edition) -> Iterator[Fault]:
    """Yields harbors whose sea does not exist or is not next to them (R1.2)."""
    for entry, harbor in _sites(edition):
        if harbor.kind == "city":
            continue
        if harbor.group not in edition.seas.values():
            what = f'there is no sea "{harbor.group}" (R1.2)'
        elif harbor.at in edition.grid.index and harbor.group not in _around(edition, harbor.at):
            what = f"no hex of its sea, {harbor.group}, is next to it (R1.2)"
        else:
            continue
        yield Fault("board", place(harbor), what, (harbor.at,), entry)


def counts(edition: Edition) -> Iterator[Fault]:
    """Yields regions, seas and symbols with too few or too many cities or harbors (R1.2).

    A small edition may have fewer.
    """
    regions, cities, harbors = edition.regions.values(), edition.cities, edition.harbors
    symbols = edition.symbols
    fewer = edition.is_small
    if not _right(len(symbols), NUM_SYMBOLS, fewer):
        shown, most = ", ".join(symbols) or "none", "at most " * fewer
        what = f"{len(symbols)} symbols ({shown}); {most}{NUM_SYMBOLS} are right (R1.2)"
        yield Fault("board", "cities", what)

    by_region, by_group = partial(region_of, edition), attrgetter("group")
    yield from _miscounts("cities", cities, regions, by_region, SITES_PER_REGION, fewer)
    yield from _miscounts("harbors", harbors, regions, by_region, SITES_PER_REGION, fewer)
    yield from _miscounts("cities", cities, symbols, by_group, CITIES_PER_SYMBOL, fewer)
    seas = edition.seas.values()
    yield from _miscounts("harbors", harbors, seas, by_group, HARBORS_PER_SEA, fewer)


def barriers(edition: Edition) -> Iterator[Fault]:
    """Yields barrier edges that are not sides between two hexes of the map (R1.2)."""
    if not edition.barriers and not edition.is_small:
        yield Fault("board", "barrier", "there are none; some borders are barriers (R1.2)")
    seen: set[frozenset[Cell]] = set()
    for i, barrier in enumerate(edition.barriers):
        called, entry = f'barrier "{barrier.name}"', ("barrier", i)
        if not barrier.edges:
            yield Fault("board", called, "has no edges; one or more are right", entry=entry)
        for one, other in barrier.edges:
            wrong = []
            if not {one, other} <= set(edition.grid.index):
                wrong.append("not both hexes are on the map (R1.2)")
            if other not in offset_neighbors(*one):
                wrong.append("the hexes share no side; two neighbours are right (R1.2)")
            if frozenset({one, other}) in seen:
                wrong.append("this side is given twice")
            seen.add(frozenset({one, other}))
            side = f"{called} [{list(one)}, {list(other)}]"
            yield from (Fault("board", side, what, (one, other), entry) for what in wrong)


def inner_barriers(edition: Edition) -> Iterator[Fault]:
    """Yields sides of barriers that are inside a region; the printed ones are on borders (R1.2)."""
    for i, barrier in enumerate(edition.barriers):
        for one, other in barrier.edges:
            if not {one, other} <= edition.grid.index.keys():
                continue
            mark = edition.mark(one)
            if mark == edition.mark(other) and mark in edition.regions:
                place = f'barrier "{barrier.name}" [{list(one)}, {list(other)}]'
                what = f"is inside {edition.regions[mark]}; the printed ones are on borders (R1.2)"
                yield Fault("board", place, what, (one, other), ("barrier", i))


def is_name(text: str) -> bool:
    """Returns whether a text is one printable line without surrounding blanks."""
    return bool(text) and text == text.strip() and text.isprintable()


def place(site: Site) -> str:
    """Returns the place of a site in the files."""
    return f'{site.kind} "{site.name}" at {list(site.at)}'


def repeated(given: Iterable[str]) -> list[str]:
    """Returns the names that occur more than once."""
    return sorted(name for name, number in Counter(given).items() if number > 1)


def region_of(edition: Edition, site: Site) -> str:
    """Returns the name of the region that a site is in; "" off the land."""
    on_map = site.at in edition.grid.index
    return edition.regions.get(edition.mark(site.at), "") if on_map else ""


def _sites(edition: Edition) -> Iterator[tuple[tuple[str, int], Site]]:
    """Yields every city and harbor with its entry."""
    for sites in (edition.cities, edition.harbors):
        yield from (((site.kind, i), site) for i, site in enumerate(sites))


def _named(sites: Iterable[Site], kind: str, name: str) -> tuple[Cell, ...]:
    """Returns the hexes of the sites with a name, or of the cities with a symbol."""
    if kind == "cities and harbors":
        return tuple(site.at for site in sites if site.name == name)
    return tuple(site.at for site in sites if (kind, site.group) == ("symbols", name))


def _around(edition: Edition, cell: Cell) -> set[str]:
    """Returns the seas next to a hex."""
    on_map = (other for other in offset_neighbors(*cell) if other in edition.grid.index)
    return {edition.seas.get(edition.mark(other), "") for other in on_map}


def _right(number: int, right: int, fewer: bool) -> bool:
    return number == right or (fewer and number < right)


def _miscounts(
    kind: str,
    sites: Iterable[Site],
    groups: Iterable[str],
    group_of: Callable[[Site], str],
    right: int,
    fewer: bool,
) -> Iterator[Fault]:
    cells: dict[str, list[Cell]] = {}
    for site in sites:
        cells.setdefault(group_of(site), []).append(site.at)
    for group in groups:
        found = tuple(cells.get(group, ()))
        if not _right(len(found), right, fewer):
            what = f"{len(found)}; {'at most ' * fewer}{right} are right (R1.2)"
            yield Fault("board", f"{kind} of {group}", what, found)


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
    (frozenset({"board"}), names),
    (frozenset({"board"}), region_names),
    (frozenset({"board"}), marks),
    (frozenset({"board"}), size),
    (frozenset({"board"}), play_size),
    (frozenset({"board"}), places),
    (frozenset({"board"}), coasts),
    (frozenset({"board"}), counts),
    (frozenset({"board"}), barriers),
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
    (frozenset({"board"}), inner_barriers),
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
