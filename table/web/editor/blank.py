"""The edition that one starts from: an empty map, with what the rulebooks say about the game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gonzaga_env.core.board.edition import Edition, Scenario
from gonzaga_env.core.editions.loading import EMPTY, build_edition
from gonzaga_env.tabletop.bounded import short_repr

from ..requests import RefusedError
from .model import LIMITS, MAX_COLUMNS

_REGIONS = {
    "H": "Hispania",
    "F": "Francia",
    "B": "Britannia",
    "I": "Italia",
    "G": "Germania",
    "E": "Europa Orientalis",
}  # R1.2
_COLOMBO = Scenario("Colombo", 3, ("Hispania", "Francia", "Britannia", "Italia"))  # R1.5


def blank_edition(rows: object, columns: object) -> Edition:
    """Returns an edition with nothing but R1.2's names and the scenario of R1.5.

    Args:
        rows: the map's height in hexes, 1 to 60.
        columns: its width, 1 to 60.

    Raises:
        RefusedError: a size is not an integer in that range.
    """
    height, width = _size("rows", rows, LIMITS["map"]), _size("columns", columns, MAX_COLUMNS)
    return replace(
        build_edition(Path("edition"), EMPTY),
        name="New edition",
        marks=((".",) * width,) * height,
        regions=dict(_REGIONS),
        seas={"1": "Mare Germanicum", **{str(i): f"Sea {i}" for i in range(2, 7)}},
        scenarios=(_COLOMBO,),
    )


def _size(what: str, value: object, limit: int) -> int:
    if not isinstance(value, int) or not 1 <= value <= limit:
        raise RefusedError(f"{what}: {short_repr(value)}; 1 to {limit} are right")
    return value
