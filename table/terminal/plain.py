"""What a player of another package's game reads: help; the rules are that package's."""

from __future__ import annotations

HELP = """\
a number      of the list; Enter then plays it, undo takes it back
an action     as in the list; its first letters are enough
list          shows all choices, where they are many
show          shows the game again
hint          asks an agent; help, quit"""
RULES = "The package that brings this game has its rules."
