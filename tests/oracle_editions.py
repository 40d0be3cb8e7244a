"""The oracle's side of an edition: geometry, map and possible placements.

Like `tests.oracle` it shares no code and no table with the engine: it reads the edition's TOML
files itself and works with plain sets of ``(row, col)`` hexes.

The map is an odd-r offset grid: odd rows are shoved half a hex east. Seen from the hex ``x``::

      NW  NE          row - 1
    W   x   E         row
      SW  SE          row + 1
"""

import tomllib
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

Hex = tuple[int, int]  # (row, col): row 0 is the north
Axial = tuple[int, int]  # (q, r): q grows east, r grows south(-east)

E, SE, SW, W, NW, NE = (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)
DIRECTIONS: tuple[Axial, ...] = (E, SE, SW, W, NW, NE)


class Placement(NamedTuple):
    """A fief on the map, as castles, barriers and map allow."""

    text: str
    cells: frozenset[Hex]
    regions: frozenset[str]
    action: str


def to_axial(cell: Hex) -> Axial:
    """Return the axial coordinates of a hex given by row and column."""
    row, col = cell
    return col - (row - (row & 1)) // 2, row


def to_hex(axial: Axial) -> Hex:
    """Return row and column of a hex given by axial coordinates (inverse of `to_axial`)."""
    q, r = axial
    return r, q + (r - (r & 1)) // 2


def neighbour(cell: Hex, direction: Axial) -> Hex:
    """Return the hex next to ``cell`` in one of the `DIRECTIONS` (it may be off the map)."""
    q, r = to_axial(cell)
    return to_hex((q + direction[0], r + direction[1]))


@cache
def around(cell: Hex) -> frozenset[Hex]:
    """Return the six hexes around one (they may be off the map)."""
    return frozenset(neighbour(cell, direction) for direction in DIRECTIONS)


def share_side(first: Hex, second: Hex) -> bool:
    """Return whether two hexes share a side, barrier or not."""
    return second in around(first)


def rotate(cell: Axial, rotation: int) -> Axial:
    """Turn an axial offset by ``rotation`` x 60 degrees clockwise (R1.6)."""
    q, r = cell
    for _ in range(rotation):
        q, r = -r, q + r
    return q, r


def action_covering(num_cities: int, num_harbors: int) -> str:
    """Return the one action card under which a fief covering so many sites is legal (R4.2)."""
    if num_harbors == 0:
        return "B"  # cities or none
    return "A" if num_cities == 0 else "C"


def parse_hex(pair: list[Any]) -> Hex:
    """Return row and column as a hex, from a pair of numbers or of digits."""
    row, col = pair
    return int(row), int(col)


class OracleEdition:
    """An edition read from the four TOML files in ``folder``.

    Attributes:
        regions: names of the six regions, in the order of the region cards.
        region_of: every hex on the map, with its region's name, or None for a sea hex (R1.3).
        cities: hex of each city, with its symbol.
        harbors: hex of each harbor, with the name of its sea.
        barriers: the barred hex sides, each as the set of its two hexes.
        scenarios: scenario name, with the names of its flourishing regions.
        placements: fief number, with all its placements that R4.3 (map), R4.4 and R4.5 allow.
        size: what a small edition plays less of than is printed, by name.
        ring_pairs: all pairs of adjacent hexes, each once, the western/northern hex first.
    """

    def __init__(self, folder: Path) -> None:
        """Read the edition and list every placement that is possible on an empty map."""
        board = _read_toml(folder / "board.toml")
        fiefs = _read_toml(folder / "fiefs.toml")["fief"]
        scenarios = _read_toml(folder / "scenarios.toml")["scenario"]
        self.objectives: list[list[str]] = [
            entry["symbols"] for entry in _read_toml(folder / "objectives.toml")["objective"]
        ]
        self.size: dict[str, int] = board.get("size", {})
        self.regions: list[str] = list(board["regions"].values())
        self.region_of: dict[Hex, str | None] = _read_map(board)
        self.cities: dict[Hex, str] = {parse_hex(c["at"]): c["symbol"] for c in board["city"]}
        self.harbors: dict[Hex, str] = {parse_hex(h["at"]): h["sea"] for h in board["harbor"]}
        self.barriers: set[frozenset[Hex]] = {
            frozenset((parse_hex(one), parse_hex(other)))
            for barrier in board.get("barrier", [])
            for one, other in barrier["edges"]
        }
        self.scenarios: dict[str, list[str]] = {s["name"]: s["flourishing"] for s in scenarios}
        self.placements: dict[int, list[Placement]] = {
            fief["number"]: self._placements_of(fief) for fief in fiefs
        }
        self.ring_pairs: list[tuple[Hex, Hex]] = [
            (cell, neighbour(cell, direction))
            for cell in self.region_of
            for direction in (E, SE, SW)
            if neighbour(cell, direction) in self.region_of
        ]

    def _placements_of(self, fief: dict[str, Any]) -> list[Placement]:
        """List a fief's placements, one (the lowest possible rotation) for each set of hexes."""
        found: dict[frozenset[Hex], Placement] = {}
        for rotation in range(6):
            for anchor in self.region_of:
                cells = _laid_cells(fief["cells"], rotation, anchor)
                castles = [cells[index] for index in fief["castles"]]
                if frozenset(cells) not in found and self._fits(cells, castles):
                    text = f"fief {fief['number']} r{rotation} @ {anchor[0]},{anchor[1]}"
                    found[frozenset(cells)] = self._placement(text, frozenset(cells))
        return list(found.values())

    def _fits(self, cells: list[Hex], castles: list[Hex]) -> bool:
        """Return whether map, castles and barriers allow a fief to lie on ``cells``."""
        if any(cell not in self.region_of for cell in cells):  # R4.3: every hex on the map
            return False
        if any(self.region_of[cell] is None for cell in castles):  # R4.4: castles on land
            return False
        # R4.5: no barrier between any two hexes of the piece (a barrier is always a shared side)
        return not any(frozenset(pair) in self.barriers for pair in combinations(cells, 2))

    def _placement(self, text: str, cells: frozenset[Hex]) -> Placement:
        """Describe a fief lying on ``cells``: the regions it touches and the action it needs."""
        regions = frozenset(name for cell in cells if (name := self.region_of[cell]) is not None)
        action = action_covering(len(cells & self.cities.keys()), len(cells & self.harbors.keys()))
        return Placement(text, cells, regions, action)


def _laid_cells(offsets: list[list[int]], rotation: int, anchor: Hex) -> list[Hex]:
    """Return the hexes of a fief turned by ``rotation``, its first cell on ``anchor``."""
    first_q, first_r = offsets[0]
    anchor_q, anchor_r = to_axial(anchor)
    turned = [rotate((q - first_q, r - first_r), rotation) for q, r in offsets]
    return [to_hex((anchor_q + q, anchor_r + r)) for q, r in turned]


def _read_toml(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


def _read_map(board: dict[str, Any]) -> dict[Hex, str | None]:
    """Return every hex on the map with its region, or None for a sea hex (R1.2, R1.3)."""
    region_of: dict[Hex, str | None] = {}
    for row, line in enumerate(board["map"].strip().splitlines()):
        for col, mark in enumerate(line.split()):
            if mark in board["regions"]:
                region_of[row, col] = board["regions"][mark]
            elif mark in board["seas"]:
                region_of[row, col] = None
            elif mark != ".":
                raise ValueError(f"unknown mark {mark!r} at row {row}, column {col}")
    return region_of
