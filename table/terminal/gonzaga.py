"""What a player of Gonzaga reads and types."""

from __future__ import annotations

from ..choices import PlacementChoice, Placing, PlanChoice, Planning
from . import screen
from .parse import read_placement, read_plan

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


Turn = Planning | Placing
Choice = PlanChoice | PlacementChoice


def listed(turn: Turn) -> list[PlacementChoice]:
    """Returns the choices that have numbers: placements, the best first."""
    return screen.best_first(turn.placements) if isinstance(turn, Placing) else []


lines_of = screen.choice_list


def shown(turn: Turn, numbered: list[PlacementChoice]) -> str:
    """Returns what is to be chosen from."""
    if isinstance(turn, Placing):
        return screen.choice_list(numbered[: screen.LISTED])
    return screen.plan_choices(turn)


def question(turn: Turn) -> str:
    """Returns what is asked."""
    return f"place fief {turn.fief.number}" if isinstance(turn, Placing) else "plan"


def command(text: str, turn: Turn) -> str | None:
    """Returns the answer to a command of this game; None for anything else."""
    return screen.fief_text(turn.fief) if text == "fief" and isinstance(turn, Placing) else None


def read(text: str, turn: Turn, numbered: list[PlacementChoice]) -> Choice:
    """Returns the choice that was typed.

    Raises:
        InputError: it is not a choice, or not a legal one.
    """
    if isinstance(turn, Placing):
        return read_placement(text, turn, tuple(numbered))
    return read_plan(text, turn)
