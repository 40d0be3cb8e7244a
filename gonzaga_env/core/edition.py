"""An edition: map, fiefs, scenarios and objectives, as plain data (R9).

The hex grid: odd-r offset coordinates for maps, axial coordinates for pieces.

Odd rows of a map are shifted half a hex east::

    row 0:   (0,0) (0,1) (0,2)            NW  NE
    row 1:      (1,0) (1,1) (1,2)       W  hex  E
    row 2:   (2,0) (2,1) (2,2)            SW  SE

In axial coordinates (q, r) a step east is (1, 0) and a step south-east is (0, 1) in every row. So a
piece is a set of offsets, and a rotation by 60 degrees clockwise maps (q, r) to (-r, q + r).
See https://www.redblobgames.com/grids/hexagons/.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.kernel.editions import EditionBase

#: Axial steps, clockwise from east; the opposite of direction d is (d + 3) % 6.
DIRECTIONS: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
NUM_ROTATIONS = 6


def to_axial(row: int, col: int) -> tuple[int, int]:
    """Returns (q, r) of the hex at a row and column."""
    return col - (row - (row & 1)) // 2, row


def to_offset(q: int, r: int) -> tuple[int, int]:
    """Returns (row, col) of an axial hex; the inverse of `to_axial`."""
    return r, q + (r - (r & 1)) // 2


def rotate(cells: Iterable[tuple[int, int]], times: int) -> tuple[tuple[int, int], ...]:
    """Returns axial cells rotated clockwise about (0, 0) by `times` x 60 degrees, in order."""
    turned = tuple(cells)
    for _ in range(times % NUM_ROTATIONS):
        turned = tuple((-r, q + r) for q, r in turned)
    return turned


def axial_neighbors(q: int, r: int) -> tuple[tuple[int, int], ...]:
    """Returns the six axial hexes around one, in the order of `DIRECTIONS`."""
    return tuple((q + dq, r + dr) for dq, dr in DIRECTIONS)


def offset_neighbors(row: int, col: int) -> tuple[tuple[int, int], ...]:
    """Returns (row, col) of the six hexes around one, in the order of `DIRECTIONS`."""
    return tuple(to_offset(q, r) for q, r in axial_neighbors(*to_axial(row, col)))


class Grid:
    """The H hexes of a map, numbered row by row.

    Attributes:
        cells: (row, col) of every hex, in the order of the numbers.
        index: (row, col) -> number.
    """

    def __init__(self, cells: Iterable[tuple[int, int]]) -> None:
        self.cells: tuple[tuple[int, int], ...] = tuple(sorted(cells))
        self.index: Mapping[tuple[int, int], int] = {cell: i for i, cell in enumerate(self.cells)}
        self._shifted: dict[tuple[int, int], NDArray[np.int64]] = {}

    def __len__(self) -> int:
        return len(self.cells)

    def __repr__(self) -> str:
        return f"<Grid, {len(self)} hexes>"

    @cached_property
    def axial(self) -> NDArray[np.int64]:
        """Axial coordinates, [H, 2]."""
        return np.array([to_axial(*cell) for cell in self.cells], dtype=np.int64).reshape(-1, 2)

    @cached_property
    def neighbors(self) -> NDArray[np.int64]:
        """Number of each hex's neighbor in each direction, [H, 6]; H if it is off the map."""
        return np.stack([self.shifted(q, r) for q, r in DIRECTIONS], axis=1)

    def shifted(self, q: int, r: int) -> NDArray[np.int64]:
        """Returns the number of the hex at an axial offset from each hex, [H]; H if off the map."""
        if (q, r) not in self._shifted:
            around = (to_offset(a + q, b + r) for a, b in self.axial.tolist())
            numbers = [self.index.get(cell, len(self)) for cell in around]
            self._shifted[q, r] = np.array(numbers, dtype=np.int64)
        return self._shifted[q, r]


Cell = tuple[int, int]
GENERATED = "generated:"  #: before the names of generated editions
EDITIONS = Path(__file__).parents[1] / "data" / "editions"


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
class Edition(EditionBase):
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
    def is_generated(self) -> bool:
        """Whether it was made from a style and a seed."""
        return str(self.source).startswith(GENERATED)

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
