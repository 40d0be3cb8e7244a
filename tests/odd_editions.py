"""Editions that differ from the shipped one in all that no rulebook says; they get warnings."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from gonzaga_env.core import load_edition
from gonzaga_env.core.edition import Barrier, Cell, Edition, Fief, Scenario, axial_neighbors
from gonzaga_env.core.editions.loading import edition_files
from gonzaga_env.core.editions.validate import LARGEST, coverage

TRIES = 40  # shapes, until one covers no more than R4.7 allows


def odd_edition(seed: int) -> Edition:
    """Returns a playable edition with odd fiefs, scenarios, objectives and barriers, by its seed.

    Seeds 0 to 3 are extreme: equal fiefs of one hex, fiefs of two, one flourishing region, and all.
    """
    rng, europe = np.random.default_rng(seed), load_edition("europe")
    sizes = {0: [1], 1: [2]}.get(seed, range(1, LARGEST + 1))
    flourish = {2: [1], 3: [6]}.get(seed, range(1, 7))
    edition = replace(
        europe,
        name=f"Odd {seed}",
        source=Path(f"odd_{seed}"),
        scenarios=tuple(
            _scenario(edition_scenario, europe, int(rng.choice(flourish)), rng)
            for edition_scenario in europe.scenarios
        ),
        objectives=_objectives(europe, rng),
        barriers=(*europe.barriers, Barrier("Inside", _inner_sides(europe, rng))),
    )
    fiefs = [_fief(edition, number, int(rng.choice(sizes)), rng) for number in range(1, 12)]
    twin = fiefs[int(rng.integers(11))]
    return replace(edition, fiefs=(*fiefs, replace(twin, number=12)))


def write_odd(edition: Edition, folder: Path) -> Path:
    """Writes an edition's files into a folder and returns it."""
    for name, text in edition_files(edition).items():
        (folder / name).write_text(text, "utf-8")
    return folder


def _scenario(
    scenario: Scenario, edition: Edition, number: int, rng: np.random.Generator
) -> Scenario:
    names = rng.choice([*edition.regions.values()], number, replace=False).tolist()
    return replace(scenario, flourishing=tuple(names))


def _objectives(edition: Edition, rng: np.random.Generator) -> tuple[tuple[str, str], ...]:
    symbols = edition.symbols
    pairs = [(one, other) for i, one in enumerate(symbols) for other in symbols[:i]]
    return tuple(pairs[i] for i in rng.permutation(len(pairs))[:16])


def _inner_sides(edition: Edition, rng: np.random.Generator) -> tuple[tuple[Cell, Cell], ...]:
    grid, sides = edition.grid, []
    for cell, near in zip(grid.cells, grid.neighbors.tolist(), strict=True):
        after = [grid.cells[i] for i in near if i < len(grid) and grid.cells[i] > cell]
        sides += [(cell, other) for other in after if edition.mark(cell) == edition.mark(other)]
    land = [side for side in sides if edition.mark(side[0]) in edition.regions]
    return tuple(land[i] for i in rng.permutation(len(land))[:5])


def _fief(edition: Edition, number: int, size: int, rng: np.random.Generator) -> Fief:
    """Returns a random piece of so many hexes, or fewer if these cover too many sites."""
    for _ in range(TRIES):
        cells = [(0, 0)]
        while len(cells) < size:
            near = {near for cell in cells for near in axial_neighbors(*cell)} - {*cells}
            cells.append(sorted(near)[rng.integers(len(near))])
        castles = rng.permutation(size)[: rng.integers(1, min(size, 2) + 1)]
        fief = Fief(number, tuple(cells), tuple(sorted(castles.tolist())))
        if not list(coverage(replace(edition, fiefs=(fief,)))):
            return fief
    return _fief(edition, number, size - 1, rng)
