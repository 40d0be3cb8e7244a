"""The errors that the core raises, all derived from `GonzagaError`.

Each message names what was wrong and what would be right; whoever raises one has changed nothing.
"""

from __future__ import annotations

from collections.abc import Sequence


class GonzagaError(Exception):
    """Base of every error of this package, for one `except` at the border of a program."""


class EditionError(GonzagaError, ValueError):
    """An edition can't be found, read or used (R9.2).

    Attributes:
        faults: every fault found, each as `file: place: what is wrong`.
    """

    def __init__(self, message: str, faults: Sequence[str] = ()) -> None:
        super().__init__("\n".join([message, *(f"  {fault}" for fault in faults)]))
        self.faults = tuple(faults)


class OptionError(GonzagaError, ValueError):
    """An option, scenario, seed or number of players that does not exist."""


class ActionError(GonzagaError, ValueError):
    """Actions of the wrong shape or dtype, an index or a text outside the action space."""


class IllegalActionError(ActionError):
    """An action of the space that the rules forbid here.

    Attributes:
        game: row of the batch.
        seat: the seat that wanted to act.
        action: index in the action space.
        rule: number of the first rule broken, such as "R4.3".
    """

    def __init__(self, message: str, *, game: int, seat: int, action: int, rule: str) -> None:
        super().__init__(message)
        self.game, self.seat, self.action, self.rule = game, seat, action, rule


class StateError(GonzagaError, ValueError):
    """Bytes or arrays that are no state of this edition and number of players."""


class RecordError(GonzagaError, ValueError):
    """A record that can't be read, or that the rules contradict."""
