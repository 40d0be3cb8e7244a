"""What a player at the terminal reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gonzaga_env.core.board.geometry import NUM_ROTATIONS, rotate
from gonzaga_env.core.view.game_view import GameView
from gonzaga_env.tabletop.records.log import LogLine

from ..choices import FiefShape, PlacementChoice, Planning
from ..hints import Hint

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, and what was scrolled off it
LISTED = 9  # placements in the numbered list
HELP = """\
plan          a region and an action card: Francia B, or fra b; "fra b +" adds King's Privilege
placement     a number of the list; or rotation, row and column of the fief's first hex: r2 12,7
              ring 12,7 or rings 12,7 12,8 (with action C); donate
Enter / undo  confirms your choice, or takes it back
list          shows all placements; fief shows your fief in its six rotations
hint          asks an agent; rules, help, quit"""
RULES = """\
Each round everybody turns over a fief, then plans in secret: one region card and one action card.
  A  the fief covers harbors and no city       B  no harbor      C  cities and harbors, or a wedding
King's Privilege costs a ring and moves you first; then come A, B and C, ties by lower fief card.
Cards of the round before are locked. In turn order everybody places the fief with one hex at least
in the planned region ("inactive": any region that does not flourish), or donates it for 3 points.
No hex may hold a fief or your own ring; castles lie on land; no fief crosses a barrier.
A wedding (action C) places one ring, or two side by side, the first in the planned region; rings
may lie on others' fiefs, and count like fiefs of one hex.
Points: 3 for each city or harbor in a flourishing region, 1 elsewhere; 10 for three harbors of one
sea. After round 6, once 3 flourishing sites or fewer are open, one last round is played.
At the end: 15 for the largest connected group; the cities of your objective: 2, 5, 10, 15, 25, 35.
All rules: docs/rules.md"""


def story(lines: Iterable[LogLine], view: GameView) -> str:
    """Returns lines of the log with the players' names."""
    return "\n".join(
        f"  {line.text}" if line.seat is None else f"  {called(view, line.seat)} {line.text}"
        for line in lines
    )


def called(view: GameView, seat: int) -> str:
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


def placement_list(choices: Iterable[PlacementChoice]) -> str:
    """Returns a numbered list of placements."""
    return "\n".join(f"{i:>3}  {choice.words}" for i, choice in enumerate(choices, start=1))


def hint_text(hint: Hint) -> str:
    """Returns the best choices of an agent with their values."""
    lines = [f"{hint.agent} considers ({hint.unit}):"]
    lines += [f"  {choice.value:>7.2f}  {choice.words}" for choice in hint.choices[:5]]
    return "\n".join(lines)


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
