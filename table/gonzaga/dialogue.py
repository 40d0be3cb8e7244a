"""Gonzaga at the terminal: texts for the player, and parsing of answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gonzaga_env.core.board.actions import DONATE
from gonzaga_env.core.edition import NUM_ROTATIONS, rotate

from ..session import SessionError
from .choices import FiefShape, PlacementChoice, Placing, PlanChoice, Planning, Turn

_LISTED = 9  # placements in the numbered list
_PLAN = re.compile(r"(.*?)\s*\b([abc])(\s*\+.*|\s+p\w*)?", re.IGNORECASE)
_FIEF = re.compile(r"(?:fief\s+)?(?:\d+\s+)?r?([0-5])\s*(?:@|\s)\s*(\d+)\s*[,\s]\s*(\d+)")
_RINGS = re.compile(r"rings?\s+(\d+)\s*[,\s]\s*(\d+)(?:\s+(\d+)\s*[,\s]\s*(\d+))?")

Choice = PlanChoice | PlacementChoice


def listed(turn: Turn) -> list[PlacementChoice]:
    """Returns the choices that have numbers: placements, the best first."""
    placements = turn.placements if isinstance(turn, Placing) else ()
    return sorted(placements, key=lambda choice: -choice.points)


def lines_of(numbered: Iterable[PlacementChoice]) -> str:
    return "\n".join(f"{i:>3}  {choice.words}" for i, choice in enumerate(numbered, start=1))


def choice_list(turn: Turn, numbered: list[PlacementChoice]) -> str:
    if isinstance(turn, Placing):
        return lines_of(numbered[:_LISTED])
    regions = ", ".join(dict.fromkeys(plan.region for plan in turn.plans))
    cards = ", ".join(dict.fromkeys(plan.card for plan in turn.plans))
    privilege = "; King's Privilege (+)" * any(plan.privilege for plan in turn.plans)
    return f"In your hand: {regions}; {cards}{privilege}"


def question(turn: Turn) -> str:
    return f"place fief {turn.fief.number}" if isinstance(turn, Placing) else "plan"


def command(text: str, turn: Turn) -> str | None:
    """Returns the answer to a command of this game; None for anything else."""
    return _fief_text(turn.fief) if text == "fief" and isinstance(turn, Placing) else None


def read(text: str, turn: Turn, numbered: list[PlacementChoice]) -> Choice:
    if isinstance(turn, Placing):
        return _read_placement(text, turn, numbered)
    return _read_plan(text, turn)


def _read_plan(text: str, turn: Planning) -> PlanChoice:
    """Returns the plan that was typed, such as "francia b", "fra B" or "inactive c + privilege"."""
    match = _PLAN.fullmatch(text.strip())
    if match is None or not match[1]:
        raise SessionError("a plan is a region and A, B or C, such as: Francia B")
    start, card, privilege = match[1].lower(), match[2].upper(), bool(match[3])
    regions = dict.fromkeys(plan.region for plan in turn.plans)
    fitting = [name for name in regions if name.lower().startswith(start)]
    if len(fitting) != 1:
        known = ", ".join(fitting or regions)
        raise SessionError(f"the region {match[1]!r} is not in your hand; there are {known}")
    for plan in turn.plans:
        if (plan.region, plan.card, plan.privilege) == (fitting[0], card, privilege):
            return plan
    cards = dict.fromkeys(plan.card for plan in turn.plans if plan.privilege == privilege)
    if not cards:
        raise SessionError("King's Privilege is not available: it was played last, or takes a ring")
    raise SessionError(f"the action card {card} is not in your hand; there are {', '.join(cards)}")


def _read_placement(text: str, turn: Placing, listed: list[PlacementChoice]) -> PlacementChoice:
    text = text.strip().lower()
    if text.isdigit():
        if not 1 <= int(text) <= len(listed):
            raise SessionError(f"the list has numbers 1 to {len(listed)}")
        return listed[int(text) - 1]
    if text == DONATE:
        return next(choice for choice in turn.placements if choice.kind == "donation")  # R3.7
    if match := _FIEF.fullmatch(text):
        rotation, row, col = map(int, match.groups())
        return _find_fief(turn, rotation, (row, col))
    if match := _RINGS.fullmatch(text):
        numbers = [int(part) for part in match.groups() if part is not None]
        cells = set(zip(numbers[::2], numbers[1::2], strict=True))
        for choice in turn.placements:
            if choice.kind == "wedding" and set(choice.cells) == cells:
                return choice
        raise SessionError("rings cannot be placed there now")
    raise SessionError('type a number of the list, "r2 12,7", "ring 12,7" or "donate"; or "help"')


def _find_fief(turn: Placing, rotation: int, at: tuple[int, int]) -> PlacementChoice:
    fiefs = [choice for choice in turn.placements if choice.kind == "fief"]
    for choice in fiefs:
        if (choice.rotation, choice.at) == (rotation, at):
            return choice
    row, col = at
    near = [f"r{choice.rotation}" for choice in fiefs if choice.at == at]
    other = f"; legal there: {', '.join(near)}" if near else ""
    raise SessionError(
        f"the fief cannot lie with its first hex at {row},{col} in r{rotation}{other}"
    )


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
