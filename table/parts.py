"""What a game brings to the table: what people read, and where they choose in another way.

Without it, people read the actions' texts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Reason = dict[str, Any]  # an event: `kind`, and what belongs to it, in plain values
HELP = """\
a number      of the list; Enter then plays it, undo takes it back
an action     as in the list; its first letters are enough
list          shows all choices, where they are many
show          shows the game again
hint          asks an agent; rules, help, quit"""


@dataclass(frozen=True)
class TableParts:
    """The parts of a game at the table, at the terminal and in the browser.

    Attributes:
        rules: a summary of the rules, on a screen.
        line: what the game is about, in a line, for people who choose one.
        help: what can be typed at the terminal.
        advice: what helps with a decision, by its kind.
        turn: `turn(game, actions)` returns the legal choices of the seat to act; None for a list of
            actions (`choices.Deciding`).
        warning: `warning(text, view)` says what an action, by its text, would lose a person who may
            not expect it; None for games that lose nothing so.
        continues: `continues(game)` returns whether the seat to act has begun its turn before, so
            that it may take all of it back; None where each decision is a turn of its own.
        reasons: `reasons(config, observation, seat, turn, actions)` returns for each of some
            actions what speaks for it, as events (`Reason`), for hints of any agent; None
            gives none.
    """

    rules: str = "The package that brings this game has its rules."
    line: str = ""
    help: str = HELP
    advice: Mapping[str, str] = field(default_factory=dict)
    turn: Callable[..., Any] | None = None
    warning: Callable[[str, Any], str] | None = None
    continues: Callable[[Any], bool] | None = None
    reasons: Callable[..., Any] | None = None
