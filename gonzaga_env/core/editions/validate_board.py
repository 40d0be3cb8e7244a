"""Faults, and checks of the board (R1.2, R1.3): marks, names, sites and barriers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from gonzaga_env.core.board.edition import Cell, Edition, Site, offset_neighbors
from gonzaga_env.core.constants import NUM_FIEFS, NUM_REGIONS, NUM_RINGS, NUM_SEAS, NUM_SYMBOLS


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
