"""The choices of people at a table, and the parts of a game that tables need.

Choices follow from what the seat to act knows, so they hold nothing that is hidden from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.single import AnyGame

Reason = dict[str, Json]  # an event: `kind`, and what belongs to it

HELP = """\
a number      of the list; Enter then plays it, undo takes it back
an action     as in the list; its first letters are enough
list          shows all choices, where they are many
show          shows the game again
hint          asks an agent; rules, help, quit"""


class Choice(Protocol):
    """A legal choice."""

    @property
    def action(self) -> int: ...

    @property
    def words(self) -> str: ...


class Turn(Protocol):
    """The turn of a seat."""

    @property
    def stage(self) -> str:
        """The kind of turn, such as "deciding"; pages choose their layout by it."""
        ...

    @property
    def choices(self) -> Sequence[Choice]:
        """The legal choices, in the order of the action space."""
        ...


@dataclass(frozen=True)
class ActionChoice:
    """A legal action of a game whose decisions take one action each."""

    action: int  # index in the action space
    text: str  # the action as in records, such as "tile L4"
    words: str  # the action in words, such as "tile on L4 (monastery)"
    warning: str = ""  # what is lost by it, so that a person is asked first; "" for nothing


@dataclass(frozen=True)
class Deciding:
    """The turn of a seat that chooses an action."""

    kind: str  # what it decides, one of `GameSpec.kinds`
    choices: tuple[ActionChoice, ...]  # the legal actions, in the order of the action space
    continues: bool = False  # whether it belongs to what the seat has begun
    obvious: int | None = None  # the action that can only help, where there is one
    stage: Literal["deciding"] = "deciding"


@dataclass(frozen=True)
class TableSpec:
    """A game at the table: its texts, and functions that tables call.

    A game of another package names it as `GameSpec.table`. Without it, people read the actions'
    texts alone.

    Attributes:
        rules: a summary of the rules, on a screen.
        line: what the game is about, in a line, for people who choose one.
        help: what can be typed at the terminal.
        advice: what helps with a decision, by its kind.
        turn: `turn(game, actions)` returns the legal choices of the seat to act; None for a list of
            actions (`Deciding`).
        warning: `warning(text, view)` says what an action, by its text, would lose a person who may
            not expect it; None for games that lose nothing so.
        continues: `continues(game)` returns whether the seat to act has begun its turn before, so
            that it may take all of it back; None where each decision is a turn of its own.
        obvious: `obvious(view)` returns the text of the action that can only help; "" for none.
        reasons: `reasons(config, observation, seat, turn, actions)` returns for each of some
            actions what speaks for it, as events (`Reason`), for hints of any agent; None gives
            none.
    """

    rules: str = "The package that brings this game has its rules."
    line: str = ""
    help: str = HELP
    advice: Mapping[str, str] = field(default_factory=dict)
    turn: Callable[[Any, list[int]], Turn] | None = None
    warning: Callable[[str, Any], str] | None = None
    continues: Callable[[AnyGame], bool] | None = None
    obvious: Callable[[Any], str] | None = None
    reasons: Callable[..., Sequence[tuple[Reason, ...]]] | None = None
