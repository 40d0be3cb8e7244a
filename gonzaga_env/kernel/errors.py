"""The errors of this package, all derived from `GameError`.

Each message says what was wrong and what would be right. A call that raises one changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence


class GameError(Exception):
    """Base class of all errors of this package."""


class EditionError(GameError, ValueError):
    """An edition cannot be found or read, or has faults.

    Attributes:
        faults: every fault found, each as `file: place: what is wrong`.
    """

    def __init__(self, message: str, faults: Sequence[str] = ()) -> None:
        super().__init__("\n".join([message, *(f"  {fault}" for fault in faults)]))
        self.faults = tuple(faults)


class OptionError(GameError, ValueError):
    """An argument has an invalid value, such as a number of players that it does not take."""


class ArgumentError(OptionError, TypeError):
    """A call has an argument that does not exist, or lacks one."""


class MissingPackageError(GameError, ModuleNotFoundError):
    """An optional package is not installed; the message says what to install."""


class ActionError(GameError, ValueError):
    """Actions have the wrong shape or dtype, or are not in the action space."""


class IllegalActionError(ActionError):
    """An action of the space is illegal in this position.

    Attributes:
        game: row of the batch.
        seat: the seat to act.
        action: index in the action space.
        rule: number of the first rule broken, as the rules of the game have it.
    """

    def __init__(self, message: str, *, game: int, seat: int, action: int, rule: str) -> None:
        super().__init__(message)
        self.game, self.seat, self.action, self.rule = game, seat, action, rule


class StateError(GameError, ValueError):
    """Bytes or arrays are not a state of this edition and number of players."""


class RecordError(GameError, ValueError):
    """A record cannot be read or contradicts the rules."""
