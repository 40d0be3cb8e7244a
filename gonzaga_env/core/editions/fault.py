"""A fault of an edition, or a warning: where it is and what is wrong or unusual."""

from __future__ import annotations

from dataclasses import dataclass

from gonzaga_env.core.board.edition import Cell


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
