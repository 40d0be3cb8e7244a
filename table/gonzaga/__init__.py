"""Gonzaga at the table: its choices, why they are good, its page and its dialogue."""

from __future__ import annotations

from ..choices import TableSpec
from .choices import turn
from .reasons import reasons_for

_HELP = """\
plan          a region and an action card: Francia B, or fra b; "fra b +" adds King's Privilege
placement     a number of the list; or rotation, row and column of the fief's first hex: r2 12,7
              ring 12,7 or rings 12,7 12,8 (with action C); donate
Enter / undo  confirms your choice, or takes it back
list          shows all placements; fief shows your fief in its six rotations
hint          asks an agent; rules, help, quit"""
_RULES = """\
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
All rules: gonzaga_env/data/rules/gonzaga.md"""

TABLE = TableSpec(rules=_RULES, help=_HELP, turn=turn, reasons=reasons_for)
