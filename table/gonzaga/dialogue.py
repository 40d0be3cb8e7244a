"""What a player of Gonzaga reads and types at the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gonzaga_env.core.board.geometry import NUM_ROTATIONS, rotate

from ..terminal.screen import choice_list
from .choices import FiefShape, PlacementChoice, Placing, PlanChoice, Planning, Turn
from .typed import read_placement, read_plan

_LISTED = 9  # placements in the numbered list

Choice = PlanChoice | PlacementChoice


def listed(turn: Turn) -> list[PlacementChoice]:
    """Returns the choices that have numbers: placements, the best first."""
    return _best_first(turn.placements) if isinstance(turn, Placing) else []


lines_of = choice_list


def shown(turn: Turn, numbered: list[PlacementChoice]) -> str:
    """Returns what is to be chosen from."""
    if isinstance(turn, Placing):
        return choice_list(numbered[:_LISTED])
    return _plan_choices(turn)


def question(turn: Turn) -> str:
    """Returns what is asked."""
    return f"place fief {turn.fief.number}" if isinstance(turn, Placing) else "plan"


def command(text: str, turn: Turn) -> str | None:
    """Returns the answer to a command of this game; None for anything else."""
    return _fief_text(turn.fief) if text == "fief" and isinstance(turn, Placing) else None


def read(text: str, turn: Turn, numbered: list[PlacementChoice]) -> Choice:
    """Returns the choice that was typed.

    Raises:
        InputError: it is not a choice, or not a legal one.
    """
    if isinstance(turn, Placing):
        return read_placement(text, turn, tuple(numbered))
    return read_plan(text, turn)


def _plan_choices(turn: Planning) -> str:
    """Returns the cards in hand."""
    regions = ", ".join(dict.fromkeys(plan.region for plan in turn.plans))
    cards = ", ".join(dict.fromkeys(plan.card for plan in turn.plans))
    privilege = any(plan.privilege for plan in turn.plans)
    more = "; King's Privilege (+)" if privilege else ""
    return f"In your hand: {regions}; {cards}{more}"


def _best_first(placements: Iterable[PlacementChoice]) -> list[PlacementChoice]:
    """Returns placements by the points that they score immediately, the highest first."""
    return sorted(placements, key=lambda choice: -choice.points)


def _fief_text(shape: FiefShape) -> str:
    """Returns a fief in its six rotations, side by side: @ its first hex, # castles, o the others.

    An underlined letter is not to be had in plain text, so a first hex with a castle is &.
    """
    drawn = [_rotation(shape, rotation) for rotation in range(NUM_ROTATIONS)]
    height = max(map(len, drawn))
    blocks = []
    for rotation, rows in enumerate(drawn):
        lines = [f"r{rotation}", *rows, *[""] * (height - len(rows))]
        width = max(map(len, lines)) + 3
        blocks.append([line.ljust(width) for line in lines])
    rows = ["".join(parts).rstrip() for parts in zip(*blocks, strict=True)]
    return "\n".join([*rows, "@ first hex, # castle, & first hex with a castle"])


def _rotation(shape: FiefShape, rotation: int) -> list[str]:
    """Returns the rows of a fief; a column is two characters wide, a row shifts by one."""
    marks = dict(zip(rotate(list(shape.cells), rotation), _marks(shape), strict=True))
    places = {(r, 2 * q + r): mark for (q, r), mark in marks.items()}
    top, left = min(r for r, _ in places), min(x for _, x in places)
    rows = [""] * (max(r for r, _ in places) - top + 1)
    for (r, x), mark in sorted(places.items()):
        rows[r - top] = rows[r - top].ljust(x - left) + mark
    return rows


def _marks(shape: FiefShape) -> Iterator[str]:
    for i, cell in enumerate(shape.cells):
        castle = cell in shape.castles
        yield ("&" if castle else "@") if i == 0 else "#" if castle else "o"
