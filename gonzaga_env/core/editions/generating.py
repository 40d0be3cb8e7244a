"""Generated editions: a new map for each style and seed, with the fiefs and cards of "europe".

| style | map |
|---|---|
| grow | areas grow from twelve hexes far apart; names are invented |
| perturb | coasts, borders and sites of Europe are moved and barriers drawn anew; names are kept |

Their names are such as "generated:grow-17". A map has the hexes of "europe", so that actions and
observations keep their layout. Where a map can't be completed, the next one of the same seed is
drawn, so each seed gives a valid edition, the same everywhere.

The frozen sets "train" and "test" have a hundred maps each. Their digests are in a file, so that a
change of the generator can't go unseen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, cast, get_args

from gonzaga_env.core.constants import NUM_REGIONS, NUM_SEAS
from gonzaga_env.core.edition import GENERATED, Barrier, Edition, Scenario, Site
from gonzaga_env.core.editions import land
from gonzaga_env.core.editions.land import Neighbors, SiteSearch, Wanted
from gonzaga_env.core.editions.validate import (
    MOST_SITES,
    SITES_PER_REGION,
    find_faults,
    find_warnings,
)
from gonzaga_env.kernel.chance import Draws
from gonzaga_env.kernel.errors import EditionError
from gonzaga_env.kernel.messages import short_repr

REGIONS = (
    *("Alvaria", "Borenia", "Caldora", "Delmaria", "Estoria", "Falcona", "Grisonia", "Harvenia"),
    *("Ilmaria", "Jovenia", "Lorvania", "Mirandia", "Nerovia", "Ombrona", "Pelagonia", "Quintana"),
    *("Rosmaria", "Selvania", "Torgovia", "Valdonia"),
)
SEAS = (
    *("Mare Album", "Mare Aureum", "Mare Argenteum", "Mare Caeruleum", "Mare Fulvum"),
    *("Mare Glaciale", "Mare Lunae", "Mare Nigrum", "Mare Quietum", "Mare Rubidum"),
    *("Mare Serenum", "Mare Turbidum", "Mare Viride", "Mare Vitreum"),
)
BARRIERS = (
    *("Montes Albi", "Montes Ferrei", "Montes Nigri", "Iuga Alta", "Iuga Lupina", "Saxa Magna"),
    *("Saxa Rubra", "Silva Profunda", "Clivus Longus", "Rupes Aquilae"),
)
_STEMS = (
    *("Alb", "Bel", "Cor", "Dal", "Ern", "Fal", "Gar", "Hel", "Ist", "Lar", "Mor", "Nov", "Ost"),
    *("Pal", "Ros", "Sal", "Tar", "Ulm", "Val", "Zan"),
)
_ENDINGS = ("ano", "enza", "ino", "onte", "ara", "igo", "essa", "etta", "urno", "isco")


def drawn(names: tuple[str, ...], number: int, draws: Draws) -> list[str]:
    return draws.shuffled(names)[:number]


def site_names(number: int, draws: Draws) -> list[str]:
    """Returns names of cities and harbors, which are all different."""
    return drawn(tuple(stem + ending for stem in _STEMS for ending in _ENDINGS), number, draws)


Style = Literal["grow", "perturb"]
STYLES: tuple[Style, ...] = get_args(Style)
#: Version of the maps: each gives other ones for the same seeds.
VERSION = 1
_MOST_DRAWS = 1000
_NUM_BARRIERS = 4
_MARKS = (*"ABCDEF", *"123456")  # of the areas of a map that grew


def generate(europe: Edition, style: Style, seed: int, source: Path) -> Edition:
    """Returns the edition of a style (`STYLES`) and a seed, without faults and warnings."""
    make: Callable[[Edition, Draws], Edition | None] = _grown if style == "grow" else _perturbed
    for number in range(_MOST_DRAWS):
        edition = make(europe, Draws(f"gonzaga {VERSION} {style} {seed} {number}"))
        if edition is not None and not (find_faults(edition) or find_warnings(edition)):
            return replace(edition, name=f"Map {style}-{seed}", source=source)
    raise EditionError(f"style {style}, seed {seed}: no map was found in {_MOST_DRAWS} draws")


def permuted(edition: Edition, draws: Draws) -> Edition:
    """Returns an edition whose regions and seas have other numbers; the map is the same."""
    return replace(
        edition,
        regions=dict(draws.shuffled([*edition.regions.items()])),
        seas=dict(draws.shuffled([*edition.seas.items()])),
    )


def _grown(europe: Edition, draws: Draws) -> Edition | None:
    neighbors = Neighbors(europe.grid)
    areas = land.with_coasts(neighbors, land.grow(neighbors, draws), draws)
    quota = None if areas is None else land.harbor_quota(neighbors, areas, draws)
    if areas is None or quota is None:
        return None
    regions = drawn(REGIONS, NUM_REGIONS, draws)
    seas = drawn(SEAS, NUM_SEAS, draws)
    wanted = [Wanted(r, None) for r in range(NUM_REGIONS) for _ in range(SITES_PER_REGION)]
    wanted += [
        Wanted(region, sea)
        for region, row in enumerate(quota)
        for sea, number in enumerate(row)
        for _ in range(number)
    ]
    symbols = _symbols(europe, draws)
    called = site_names(MOST_SITES, draws)
    sites = [
        Site("city", name, (0, 0), symbols[site.region].pop())
        if site.sea is None
        else Site("harbor", name, (0, 0), seas[site.sea])
        for name, site in zip(called, wanted, strict=True)
    ]
    edition = replace(
        europe,
        regions=dict(zip(_MARKS[:NUM_REGIONS], regions, strict=True)),
        seas=dict(zip(_MARKS[NUM_REGIONS:], seas, strict=True)),
        scenarios=tuple(_scenarios(europe, regions, draws)),
    )
    return _placed(edition, areas, sites, wanted, [None] * MOST_SITES, draws)


def _perturbed(europe: Edition, draws: Draws) -> Edition | None:
    marks, seas = [*europe.regions, *europe.seas], [*europe.seas.values()]
    start = [marks.index(europe.mark(cell)) for cell in europe.grid.cells]
    sites = (*europe.cities, *europe.harbors)
    at = [europe.grid.index[site.at] for site in sites]
    wanted = [
        Wanted(start[hex_], None if site.kind == "city" else seas.index(site.group))
        for site, hex_ in zip(sites, at, strict=True)
    ]
    kept = [draws.choice([None, hex_]) for hex_ in at]  # about half of the sites move
    areas = land.perturb(Neighbors(europe.grid), start, draws)
    return _placed(europe, areas, sites, wanted, kept, draws)


def _placed(
    edition: Edition,
    areas: Sequence[int],
    sites: Sequence[Site],
    wanted: Sequence[Wanted],
    start: Sequence[int | None],
    draws: Draws,
) -> Edition | None:
    """Returns an edition with areas, new barriers and its sites on hexes that R4.7 allows."""
    neighbors, cells = Neighbors(edition.grid), edition.grid.cells
    runs = land.barriers(neighbors, areas, draws, _NUM_BARRIERS)
    called = drawn(BARRIERS, len(runs), draws)
    bare = replace(
        edition,
        marks=_map(edition, areas),
        barriers=tuple(
            Barrier(name, tuple((cells[one], cells[other]) for one, other in run))
            for name, run in zip(called, runs, strict=True)
        ),
    )
    found = SiteSearch(bare, areas, neighbors, draws).find(wanted, start)
    if found is None:
        return None
    placed = [replace(site, at=cells[hex_]) for site, hex_ in zip(sites, found, strict=True)]
    return replace(
        bare,
        cities=tuple(site for site in placed if site.kind == "city"),
        harbors=tuple(site for site in placed if site.kind == "harbor"),
    )


def _map(edition: Edition, areas: Iterable[int]) -> tuple[tuple[str, ...], ...]:
    marks = [*edition.regions, *edition.seas]
    on_map = {cell: marks[area] for cell, area in zip(edition.grid.cells, areas, strict=True)}
    return tuple(
        tuple(on_map.get((row, col), ".") for col in range(len(line)))
        for row, line in enumerate(edition.marks)
    )


def _symbols(europe: Edition, draws: Draws) -> list[list[str]]:
    """Returns the symbols of each region's cities: three regions have four, the others the rest.

    So each objective, which pairs them, has a city in every region (R1.4).
    """
    halves = [sorted({pair[i] for pair in europe.objectives}) for i in (0, 1)]
    return [draws.shuffled(half) for half in draws.shuffled(halves * (NUM_REGIONS // 2))]


def _scenarios(europe: Edition, regions: Sequence[str], draws: Draws) -> Iterable[Scenario]:
    """Yields the scenarios of Europe with other regions in place of its own."""
    other = dict(zip(europe.regions.values(), draws.shuffled(regions), strict=True))
    for number, scenario in enumerate(europe.scenarios, start=1):
        flourishing = {other[name] for name in scenario.flourishing}
        ordered = tuple(name for name in regions if name in flourishing)
        yield Scenario(f"Scenario {number}", scenario.players, ordered)


#: The seeds of the frozen sets, with which each style is in them.
SETS = {"train": range(50), "test": range(50, 100)}
#: The digests of the frozen sets' editions, by set and name.
FROZEN = Path(__file__).parents[2] / "data" / "generated.json"
_NAME = re.compile(rf"({'|'.join(STYLES)})-(0|[1-9]\d{{0,17}})", re.ASCII)
#: Seeds of editions are below it.
MOST_SEED = 10**18
_KEPT = 256  # editions that are not made again; one takes about 300 KiB


def is_generated(name: object) -> bool:
    return isinstance(name, str | Path) and str(name).startswith(GENERATED)


def edition_set(name: object) -> dict[str, str]:
    """Returns the editions of "generated:train" or "generated:test", with digests; else none."""
    return dict(_frozen().get(str(name).removeprefix(GENERATED), {})) if is_generated(name) else {}


def generated_name(style: str, seed: int) -> str:
    """Returns the name of a generated edition, such as "generated:grow-17"."""
    return f"{GENERATED}{style}-{seed}"


def generated(name: str, europe: Edition) -> Edition:
    """Returns the edition of a name such as "generated:grow-17"; EditionError for another name."""
    what = name.removeprefix(GENERATED)
    if (found := _NAME.fullmatch(what)) is None:
        which = "a set; it takes one map by" if what in SETS else "none; it takes"
        raise EditionError(
            f"edition is {short_repr(name)}, which names {which} a style and a seed, such as "
            f"{GENERATED}grow-17 or {GENERATED}perturb-17"
        )
    return _made(europe, cast(Style, found[1]), int(found[2]))


@lru_cache(maxsize=_KEPT)
def _made(europe: Edition, style: Style, seed: int) -> Edition:
    return generate(europe, style, seed, Path(generated_name(style, seed)))


def frozen_set(name: str) -> tuple[str, ...]:
    """Returns the names of the editions of the frozen set "train" or "test" (`load_edition`)."""
    if name not in SETS:
        raise EditionError(f"set is {short_repr(name)}; known: {', '.join(SETS)}")
    return tuple(_frozen()[name])


@cache
def _frozen() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(FROZEN.read_text("utf-8"))
    return found
