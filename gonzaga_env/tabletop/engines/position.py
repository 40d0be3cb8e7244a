"""The position of one game in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from gonzaga_env.tabletop.config import BaseConfig
from gonzaga_env.tabletop.state import ArrayLayout, Origin, StateArrays


class BasePosition:
    """A state of one game; a game derives its `Position` from this.

    Every field of the state is here under its name, as integers, truths and (nested) lists.

    Attributes:
        config: what is played.
        num_players: P.
        STATE: the class of the state.
        LAYOUT: takes a configuration and returns the layout of the state's fields.
    """

    STATE: ClassVar[type]
    LAYOUT: ClassVar[Callable[[Any], Mapping[str, ArrayLayout]]]

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Returns a field of the state."""

        def __setattr__(self, name: str, value: Any) -> None:
            """Changes a field of the state."""

    def __init__(self, config: BaseConfig, state: StateArrays) -> None:
        """Reads a state of one game."""
        self.config, self.num_players = config, config.num_players
        for name, array in state.arrays().items():
            setattr(self, name, array[0].tolist())

    def to_state(self) -> Any:
        """Returns the position as a state [1]."""
        arrays = {
            name: np.array(getattr(self, name), field.dtype).reshape(1, *field.shape)
            for name, field in type(self).LAYOUT(self.config).items()
        }
        return self.STATE(**arrays, origin=Origin.of(self.config))

    def copy(self) -> Self:
        """Returns an independent copy; what never changes is shared."""
        twin = object.__new__(type(self))
        twin.__dict__ = {
            name: value if type(value) is not list else _copied(value)
            for name, value in self.__dict__.items()
        }
        return twin


def _copied(value: list[object]) -> list[object]:
    return [v.copy() if type(v) is list else v for v in value]
