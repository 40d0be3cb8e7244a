"""What a player at the terminal reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gonzaga_env.core.board.geometry import NUM_ROTATIONS, rotate
from gonzaga_env.tabletop.records.log import LogLine

from ..choices import ActionChoice, FiefShape, PlacementChoice, Planning
from ..hints import Hint, HintChoice

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, and what was scrolled off it
WIDTH = 100  # of a line of words
LISTED = 9  # placements in the numbered list
Choice = PlacementChoice | ActionChoice


def story(lines: Iterable[LogLine], view: Any) -> str:
    """Returns lines of the log with the players' names."""
    return "\n".join(
        f"  {line.text}" if line.seat is None else f"  {called(view, line.seat)} {line.text}"
        for line in lines
    )


def called(view: Any, seat: int) -> str:
    """Returns what a player is called: "player 0", or "greedy (1)" for an agent."""
    name = view.players[seat].name
    return name if name == f"player {seat}" else f"{name} ({seat})"


def plan_choices(turn: Planning) -> str:
    """Returns the cards in hand."""
    regions = ", ".join(dict.fromkeys(plan.region for plan in turn.plans))
    cards = ", ".join(dict.fromkeys(plan.card for plan in turn.plans))
    privilege = any(plan.privilege for plan in turn.plans)
    more = "; King's Privilege (+)" if privilege else ""
    return f"In your hand: {regions}; {cards}{more}"


def best_first(placements: Iterable[PlacementChoice]) -> list[PlacementChoice]:
    """Returns placements by the points that they score immediately, the highest first."""
    return sorted(placements, key=lambda choice: -choice.points)


def choice_list(choices: Iterable[Choice]) -> str:
    """Returns a numbered list of choices."""
    return "\n".join(f"{i:>3}  {choice.words}" for i, choice in enumerate(choices, start=1))


def hint_text(hint: Hint) -> str:
    """Returns the best choices of an agent with their values."""
    lines = [f"{hint.agent} considers ({hint.unit}):"]
    lines += [f"  {_value(hint, choice):>7}  {choice.words}" for choice in hint.choices[:5]]
    return "\n".join(lines)


def _value(hint: Hint, choice: HintChoice) -> str:
    """Returns what a choice is worth to an agent, a chance in percent."""
    if choice.value is None:
        return ""
    return f"{choice.value:.2f}" if hint.measure == "points" else f"{choice.value:.0%}"


def fief_text(shape: FiefShape) -> str:
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
