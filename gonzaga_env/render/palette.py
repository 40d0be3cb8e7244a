"""The colours of a drawing."""

from __future__ import annotations

PAPER = "#f4ecd8"
FRAME = "#6b4f3a"
INK = "#33271f"
COAST = "#4d3f36"
SURF = "#d9ebf0"
ROUTE = "#c22f2a"
RIDGE = "#4a382b"
SNOW = "#f7f3ea"

#: In the order of the region cards; neighbouring regions differ clearly.
REGIONS = ("#e6b980", "#b9bfe0", "#df9f8e", "#a8cb8c", "#efdd98", "#cfa8c6")
SEAS = ("#93bdd2", "#7fadc9", "#9fc6d8", "#86b6c6", "#77a6bf", "#abcddb")
#: One per symbol, in alphabetical order; dark enough for white icons.
SYMBOLS = (
    "#8c2f39",
    "#2f4b7c",
    "#5f4b8b",
    "#a3541c",
    "#a83a6b",
    "#27666b",
    "#8a6d00",
    "#3f6b35",
)
PLAYERS = ("#b3261e", "#1f5aa8", "#2c7a3a", "#d08a00")


def nth(colors: tuple[str, ...], index: int) -> str:
    """Returns a colour by index, starting over after the last one."""
    return colors[index % len(colors)]
