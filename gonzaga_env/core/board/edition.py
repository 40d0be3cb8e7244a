"""An edition: map, fiefs, scenarios and objectives, as plain data (R9)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

from gonzaga_env.core import constants as c
from gonzaga_env.core.board.geometry import Grid
from gonzaga_env.tabletop.editions.files import DigestedEdition

Cell = tuple[int, int]
EDITIONS = Path(__file__).parents[2] / "data" / "editions"


@dataclass(frozen=True)
class Site:
    """A city or a harbor (R1.2): `group` is a city's symbol or a harbor's sea."""

    kind: Literal["city", "harbor"]
    name: str
    at: Cell  # row, col
    group: str


@dataclass(frozen=True)
class Barrier:
    """Hex sides that no fief may cross (R1.2, R4.5)."""

    name: str
    edges: tuple[tuple[Cell, Cell], ...]


@dataclass(frozen=True)
class Fief:
    """A piece of one to six hexes, usually 3 or 4 (R1.6)."""

    number: int
    cells: tuple[tuple[int, int], ...]  # axial (q, r)
    castles: tuple[int, ...]  # indices into cells


@dataclass(frozen=True)
class Scenario:
    """The flourishing regions of a game (R1.5)."""

    name: str
    players: int
    flourishing: tuple[str, ...]


@dataclass(frozen=True)
class Size:
    """How much of the game an edition plays; by default all of it."""

    rounds: int = c.NUM_FIEFS  #: rounds at most (R7.2)
    fiefs: int = c.NUM_FIEFS  #: fiefs of each player, numbered from 1 (R1.1)
    rings: int = c.NUM_RINGS  #: rings of each player (R1.1)
    open_sites_at_end: int = c.OPEN_SITES_AT_END  #: as few bring the last round (R7.1)
    objectives: bool = True  #: whether each player has an objective (R2.2)


@dataclass(frozen=True, eq=False)
class Edition(DigestedEdition):
    """Everything that is printed on the game's components."""

    game: ClassVar[str] = "gonzaga"

    name: str  #: the map's name
    reconstruction: bool  #: whether the data are a reconstruction of the printed game (R9.1)
    marks: tuple[tuple[str, ...], ...]  #: the map's rows of marks, "." off the map
    regions: dict[str, str]  #: mark -> name, in the order of the region cards
    seas: dict[str, str]  #: mark -> name
    cities: tuple[Site, ...]
    harbors: tuple[Site, ...]
    barriers: tuple[Barrier, ...]
    fiefs: tuple[Fief, ...]
    scenarios: tuple[Scenario, ...]
    objectives: tuple[tuple[str, str], ...]  #: pairs of symbols
    source: Path  #: the folder that it was read from
    size: Size = Size()  #: smaller than the printed game for a small edition

    def __repr__(self) -> str:
        return f"<Edition {self.name!r}, {len(self.grid)} hexes, digest {self.digest[:8]}>"

    @cached_property
    def digest(self) -> str:  # type: ignore[override]  # worked out when it is asked for
        """SHA-256 of the content, which does not depend on the layout of the files.

        It depends on the order of regions and seas.
        """
        content = {
            "name": self.name,
            "reconstruction": self.reconstruction,
            "map": self.marks,
            "regions": list(self.regions.items()),
            "seas": list(self.seas.items()),
            "cities": [(site.name, site.at, site.group) for site in self.cities],
            "harbors": [(site.name, site.at, site.group) for site in self.harbors],
            "barriers": [(barrier.name, barrier.edges) for barrier in self.barriers],
            "fiefs": [(fief.number, fief.cells, fief.castles) for fief in self.fiefs],
            "scenarios": [(s.name, s.players, s.flourishing) for s in self.scenarios],
            "objectives": self.objectives,
            **({"size": asdict(self.size)} if self.is_small else {}),
        }
        canonical = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    @cached_property
    def grid(self) -> Grid:
        """The hexes on the map."""
        return Grid(
            (row, col)
            for row, marks in enumerate(self.marks)
            for col, mark in enumerate(marks)
            if mark != "."
        )

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The cities' symbols, in alphabetical order (R1.2)."""
        return tuple(sorted({city.group for city in self.cities}))

    @property
    def is_small(self) -> bool:
        """Whether it plays a part of the game only (see docs/edition.md)."""
        return self.size != Size()

    @property
    def label(self) -> str:
        """A shipped edition's name, else its folder; `load_edition` takes both."""
        return self.source.name if self.source.parent == EDITIONS else str(self.source)

    def mark(self, cell: Cell) -> str:
        """Returns the mark of a hex on the map."""
        return self.marks[cell[0]][cell[1]]
