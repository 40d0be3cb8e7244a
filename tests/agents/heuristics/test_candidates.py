"""The tables of candidates list every placement that covers a site, with what it covers."""

import gc
import weakref
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from gonzaga_agents.heuristics import gonzaga_scores as module
from gonzaga_agents.heuristics.gonzaga_scores import Candidates, CandidateTables, candidate_tables

from gonzaga_env.core import Game, GameConfig
from gonzaga_env.core.board import tables as built_tables
from gonzaga_env.core.board.placements import PlacementFault
from gonzaga_env.core.board.tables import Tables, tables_for
from gonzaga_env.core.constants import ALLIANCE, CITIES, HARBORS, NUM_FIEFS, NUM_REGIONS, NUM_SEAS
from gonzaga_env.core.editions.loading import load_edition
from gonzaga_env.kernel.cache import LRUCache, memory_of


@pytest.fixture(scope="module")
def tables() -> Tables:
    return tables_for(load_edition("europe"))


@pytest.fixture(scope="module")
def table(tables: Tables) -> CandidateTables:
    return candidate_tables(tables)


def has_city(tables: Tables, cell: int) -> bool:
    return bool(tables.city_mask[cell])


def has_harbor(tables: Tables, cell: int) -> bool:
    return bool(tables.harbor_sea[cell] < NUM_SEAS)


def expected(tables: Tables, rows: range, is_wedding: bool) -> set[tuple[int, int, int]]:
    """Returns region, action card and row of every candidate, found one by one (R4.2, R5.1)."""
    found = set()
    for row in rows:
        if tables.placements.fault[row] != PlacementFault.NONE:
            continue
        cells = [cell for cell in tables.placements.cells[row] if cell < tables.num_hexes]
        cities = any(has_city(tables, cell) for cell in cells)
        harbors = any(has_harbor(tables, cell) for cell in cells)
        if not cities and not harbors:
            continue
        action = ALLIANCE if (cities and harbors) or is_wedding else CITIES if cities else HARBORS
        regions = {int(tables.region[cell]) for cell in cells}
        found |= {(region, action, row) for region in regions if region < NUM_REGIONS}  # no sea
    return found


def hexes(tables: Tables, cells: np.ndarray) -> tuple[int, ...]:
    """Returns hexes in ascending order, without unused entries."""
    return tuple(sorted(cell for cell in cells.tolist() if cell < tables.num_hexes))


def listed(tables: Tables, candidates: Candidates) -> list[tuple[int, int, tuple[int, ...]]]:
    """Returns region, action card and hexes of all candidates."""
    ends = [*candidates.starts[1:], candidates.cells.shape[1]]
    found = []
    for start, end, plan in zip(candidates.starts, ends, candidates.plans, strict=True):
        cells = candidates.cells[:, start:end].T
        found += [(int(plan) // 3, int(plan) % 3, hexes(tables, column)) for column in cells]
    return found


@pytest.mark.parametrize("fief", [*range(NUM_FIEFS), "weddings"])
def test_every_placement_on_a_site_is_listed_once_a_region(
    tables: Tables, table: CandidateTables, fief: int | str
) -> None:
    size = 6 * tables.num_hexes
    if isinstance(fief, int):
        candidates, rows = table.fiefs[fief], range(fief * size, (fief + 1) * size)
    else:
        candidates = table.weddings
        rows = range(NUM_FIEFS * size, len(tables.placements.cells) - 1)
    wanted = [
        (region, action, hexes(tables, table.cells[row]))
        for region, action, row in expected(tables, rows, fief == "weddings")
    ]
    assert sorted(listed(tables, candidates)) == sorted(wanted)
    assert len(wanted) > 50


@pytest.mark.parametrize("fief", [0, 7, "weddings"])
def test_sites_seas_and_rings_are_those_of_the_hexes(
    tables: Tables, table: CandidateTables, fief: int | str
) -> None:
    candidates = table.fiefs[fief] if isinstance(fief, int) else table.weddings
    cells_of_sites = [
        cell
        for cell in range(tables.num_hexes)
        if has_city(tables, cell) or has_harbor(tables, cell)
    ]
    assert table.num_sites == len(cells_of_sites)
    for column in range(0, candidates.cells.shape[1], 7):
        cells = [cell for cell in candidates.cells[:, column] if cell < tables.num_hexes]
        sites = [site for site in candidates.sites[:, column] if site < table.num_sites]
        assert [cells_of_sites[site] for site in sites] == [
            cell for cell in sorted(cells) if cell in cells_of_sites
        ]
        seas = [int(tables.harbor_sea[cell]) for cell in cells if has_harbor(tables, cell)]
        counts = {int(sea): seas.count(sea) for sea in set(seas)}
        found = [divmod(int(entry), 5) for entry in candidates.seas[:, column]]
        assert {sea: count for sea, count in found if count} == counts
        assert candidates.num_rings[column] == (len(cells) if fief == "weddings" else 0)


def test_all_seas_of_a_placement_count() -> None:
    """A map that is not Europe may have three next to each other."""
    harbors = np.array([[1, 0, 1, 0, 2, 0], [0, 4, 0, 0, 0, 0]])
    found = module._seas(SimpleNamespace(sea_harbors=harbors))  # type: ignore[arg-type]
    assert found.tolist() == [[4 * 5 + 2, 0 * 5 + 1, 2 * 5 + 1], [1 * 5 + 4, 0, 0]]


def test_tables_are_built_once_for_an_edition(tables: Tables, table: CandidateTables) -> None:
    assert candidate_tables(tables_for(load_edition("europe"))) is table


def test_neighbors_are_those_of_the_grid(tables: Tables, table: CandidateTables) -> None:
    grid = tables.edition.grid
    np.testing.assert_array_equal(table.neighbors[:-1], grid.neighbors)
    assert (table.neighbors[-1] == tables.num_hexes).all()


def test_tables_of_editions_that_are_no_longer_used_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """With all that was made of them, so that a server's memory does not grow with its maps."""
    kept = LRUCache[Tables](28 * 2**20, memory_of)  # of some 13 MiB each
    monkeypatch.setattr(built_tables, "KEPT", kept)
    europe, built = load_edition("europe"), []
    for number in range(4):
        config = GameConfig(2, edition=replace(europe, name=f"edition {number}"))
        table = candidate_tables(config.tables)
        built.append([weakref.ref(it) for it in (config.tables, table, table.weddings)])
        game = Game.from_config(config, 0)
        built[-1].append(weakref.ref(game.position.tables))
        assert len(table.fiefs) == 12
        del config, table, game
    gc.collect()
    alive = [[ref() is not None for ref in refs] for refs in built]
    assert alive == [[False] * 4] * 2 + [[True] * 4] * 2
    assert 20 * 2**20 < kept.cost < 28 * 2**20
