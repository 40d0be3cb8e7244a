"""Checks of the board (R1.2, R1.3): marks, names, sites and barriers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from gonzaga_env.core.constants import NUM_REGIONS, NUM_SEAS, NUM_SYMBOLS
from gonzaga_env.core.edition import Cell, Edition, Site
from gonzaga_env.core.geometry import offset_neighbors

SITES_PER_REGION = 4  # R1.2: of cities and of harbors
HARBORS_PER_SEA = 4  # R1.2
CITIES_PER_SYMBOL = 3  # R1.2
MAX_HEXES = 800  # tables grow with the square of this: about 300 MB here
OFF_MAP = "."
RESERVED_NAMES = ("inactive", "donate")  # words with a meaning in action texts


def names(edition: Edition) -> Iterator[str]:
    """Yields faults of names: each must be one line of text and unique among its kind."""
    sites = [site.name for site in (*edition.cities, *edition.harbors)]
    for kind, given in (
        ("name", [edition.name]),
        ("regions", list(edition.regions.values())),
        ("seas", list(edition.seas.values())),
        ("cities and harbors", sites),
        ("symbols", list(edition.symbols)),
        ("barriers", [barrier.name for barrier in edition.barriers]),
    ):
        for name in sorted(set(given)):
            if not is_name(name):
                yield f'board.toml: {kind}: "{name}" is not a name; one line of text is right'
        yield from (f'board.toml: {kind}: "{name}" occurs twice' for name in repeated(given))


def region_names(edition: Edition) -> Iterator[str]:
    """Yields region names that would make action texts ambiguous ("Francia B + privilege")."""
    for name in edition.regions.values():
        if " + " in name or name in RESERVED_NAMES:
            yield (
                f'board.toml: regions: "{name}" cannot be part of an action\'s text; a name '
                f'without " + " that is not {" or ".join(RESERVED_NAMES)} is right'
            )


def marks(edition: Edition) -> Iterator[str]:
    """Yields faults of the map's marks: six regions and six seas, all defined and used (R1.2)."""
    on_map = {mark for row in edition.marks for mark in row} - {OFF_MAP}
    for table, defined, number in (
        ("regions", edition.regions, NUM_REGIONS),
        ("seas", edition.seas, NUM_SEAS),
    ):
        if len(defined) != number:
            yield f"board.toml: {table}: {len(defined)} are given; {number} are right (R1.2)"
        for mark, name in defined.items():
            if mark not in on_map:
                yield f'board.toml: {table}: the map has no hex of "{name}" (mark {mark}) (R1.2)'
    for mark in sorted(set(edition.regions) & set(edition.seas)):
        yield f"board.toml: seas: mark {mark} is also a region's; each has its own mark (R1.3)"
    for mark in sorted(on_map - set(edition.regions) - set(edition.seas)):
        row, col = next(iter(_cells_of(edition, mark)))
        yield (
            f"board.toml: map: mark {mark}, first on [{row}, {col}], is neither a region nor a sea "
            f"(R1.2)"
        )


def size(edition: Edition) -> Iterator[str]:
    """Yields a fault if the map has too many hexes for the tables of placements."""
    if len(edition.grid) > MAX_HEXES:
        yield f"board.toml: map: has {len(edition.grid)} hexes; at most {MAX_HEXES} are right"


def places(edition: Edition) -> Iterator[str]:
    """Yields sites that are not on land of a region, or share a hex with another site (R1.3)."""
    taken: dict[Cell, Site] = {}
    for site in (*edition.cities, *edition.harbors):
        if site.at not in edition.grid.index:
            yield f"{place(site)}: there is no such hex on the map; a land hex is right (R1.3)"
        elif edition.mark(site.at) not in edition.regions:
            yield f"{place(site)}: this is not land; a land hex of a region is right (R1.3)"
        if site.at in taken:
            yield f"{place(site)}: {taken[site.at].name} is already on this hex (R1.3)"
        taken[site.at] = site


def coasts(edition: Edition) -> Iterator[str]:
    """Yields harbors whose sea does not exist or is not next to them (R1.2)."""
    for harbor in edition.harbors:
        if harbor.group not in edition.seas.values():
            yield f'{place(harbor)}: there is no sea "{harbor.group}" (R1.2)'
        elif harbor.at in edition.grid.index and harbor.group not in _around(edition, harbor.at):
            yield f"{place(harbor)}: no hex of its sea, {harbor.group}, is next to it (R1.2)"


def counts(edition: Edition) -> Iterator[str]:
    """Yields regions, seas and symbols with too few or too many cities or harbors (R1.2)."""
    regions, cities, harbors = edition.regions.values(), edition.cities, edition.harbors
    symbols = edition.symbols
    if len(symbols) != NUM_SYMBOLS:
        shown = ", ".join(symbols) or "none"
        number = f"{len(symbols)} symbols ({shown})"
        yield f"board.toml: cities: {number}; {NUM_SYMBOLS} are right (R1.2)"
    by_region = _by_region(edition)
    yield from _miscounts("cities", cities, regions, by_region, SITES_PER_REGION)
    yield from _miscounts("harbors", harbors, regions, by_region, SITES_PER_REGION)
    yield from _miscounts("cities", cities, symbols, _by_group, CITIES_PER_SYMBOL)
    yield from _miscounts("harbors", harbors, edition.seas.values(), _by_group, HARBORS_PER_SEA)


def barriers(edition: Edition) -> Iterator[str]:
    """Yields barrier edges that are not sides between two hexes of the map (R1.2)."""
    if not edition.barriers:
        yield "board.toml: barrier: there are none; some borders are barriers (R1.2)"
    seen: set[frozenset[Cell]] = set()
    for barrier in edition.barriers:
        if not barrier.edges:
            yield f'board.toml: barrier "{barrier.name}": has no edges; one or more are right'
        for one, other in barrier.edges:
            side = f'board.toml: barrier "{barrier.name}" [{list(one)}, {list(other)}]'
            if not {one, other} <= set(edition.grid.index):
                yield f"{side}: not both hexes are on the map (R1.2)"
            if other not in offset_neighbors(*one):
                yield f"{side}: the hexes share no side; two neighbours are right (R1.2)"
            if {one, other} in seen:
                yield f"{side}: this side is given twice"
            seen.add(frozenset({one, other}))


def is_name(text: str) -> bool:
    """Returns whether a text is one printable line without surrounding blanks."""
    return bool(text) and text == text.strip() and text.isprintable()


def place(site: Site) -> str:
    """Returns the place of a site in the files."""
    return f'board.toml: {site.kind} "{site.name}" at {list(site.at)}'


def repeated(given: Iterable[str]) -> list[str]:
    """Returns the names that occur more than once."""
    return sorted(name for name, number in Counter(given).items() if number > 1)


def _cells_of(edition: Edition, mark: str) -> list[Cell]:
    return [cell for cell in edition.grid.cells if edition.mark(cell) == mark]


def _around(edition: Edition, cell: Cell) -> set[str]:
    """Returns the seas next to a hex."""
    on_map = (other for other in offset_neighbors(*cell) if other in edition.grid.index)
    return {edition.seas.get(edition.mark(other), "") for other in on_map}


def _by_group(site: Site) -> str:
    return site.group


def _by_region(edition: Edition) -> Callable[[Site], str]:
    def region(site: Site) -> str:
        on_map = site.at in edition.grid.index
        return edition.regions.get(edition.mark(site.at), "") if on_map else ""

    return region


def _miscounts(
    kind: str,
    sites: Iterable[Site],
    groups: Iterable[str],
    group_of: Callable[[Site], str],
    right: int,
) -> Iterator[str]:
    number = Counter(map(group_of, sites))
    for group in groups:
        if number[group] != right:
            yield f"board.toml: {kind} of {group}: {number[group]}; {right} are right (R1.2)"
