"""How the engine's speed depends on the numbers of games, players and hexes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from benchmarks.players import EngineGames, rate
from benchmarks.rows import PLAYING, summary
from benchmarks.settings import Settings, tell
from gonzaga_env.core.edition import Barrier, Cell, Edition, Site
from gonzaga_env.core.editions.files import load_edition

NUM_GAMES = (1, 4, 16, 64, 256, 1024, 4096, 16384)
NUM_PLAYERS = (2, 3, 4)
MARGINS = (0, 1, 2, 4)
#: Games at once where players or hexes grow.
BATCH = 1024
#: Absolute figures of so many points need no more to show how they grow.
MAX_REPETITIONS = 3


def measure(settings: Settings) -> dict[str, Any]:
    """Returns agent steps a second at every point, with mask and observation and without."""
    tell("growth, building")
    batch = settings.games(BATCH)
    editions = [with_margin(load_edition("europe"), margin) for margin in MARGINS]
    points = {
        "games": [(n, _both(n)) for n in dict.fromkeys(map(settings.games, NUM_GAMES))],
        "players": [(players, _both(batch, players)) for players in NUM_PLAYERS],
        "hexes": [(len(e.grid), _both(batch, edition=e)) for e in editions],
    }
    samples: dict[tuple[str, int, bool], list[float]] = {}
    repetitions = min(settings.repetitions, MAX_REPETITIONS)
    for number in range(repetitions):
        tell(f"growth, repetition {number + 1} of {repetitions}")
        for axis, along in points.items():
            for value, both in along:
                for games in both:
                    speed = rate(games.play_round, settings.seconds / 2)
                    samples.setdefault((axis, value, games.observed), []).append(speed)
    return {"unit": PLAYING, "batch": batch, "repetitions": repetitions} | {
        axis: [
            {
                axis: value,
                "observed": summary(samples[axis, value, True]),
                "lean": summary(samples[axis, value, False]),
            }
            for value, _ in along
        ]
        for axis, along in points.items()
    }


def _both(*sizes: int, **options: Any) -> list[EngineGames]:
    """Returns games that are observed, and others that never are: views cost nothing there."""
    return [EngineGames(*sizes, **options, observed=observed) for observed in (True, False)]


def with_margin(edition: Edition, margin: int) -> Edition:
    """Returns an edition with rows and columns of sea around its map.

    Rows count from the north, and odd ones are shoved half a hex east: only an even number of rows
    may come before the first.

    Args:
        edition: any.
        margin: columns in the west and in the east and rows in the south; in the north one row
            more where it is odd. 0 returns the edition itself.
    """
    if not margin:
        return edition
    north = margin + margin % 2
    sea = next(iter(edition.seas))
    width = len(edition.marks[0]) + 2 * margin
    sides = (sea,) * margin
    rows = [(*sides, *marks, *sides) for marks in edition.marks]

    def moved(cell: Cell) -> Cell:
        return cell[0] + north, cell[1] + margin

    def moved_site(site: Site) -> Site:
        return replace(site, at=moved(site.at))

    def moved_barrier(barrier: Barrier) -> Barrier:
        edges = tuple((moved(one), moved(other)) for one, other in barrier.edges)
        return replace(barrier, edges=edges)

    return replace(
        edition,
        marks=((sea,) * width,) * north + tuple(rows) + ((sea,) * width,) * margin,
        cities=tuple(map(moved_site, edition.cities)),
        harbors=tuple(map(moved_site, edition.harbors)),
        barriers=tuple(map(moved_barrier, edition.barriers)),
        digest=f"{edition.digest} with a margin of {margin}",  # what tables are kept by
    )
