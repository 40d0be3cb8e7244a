"""What all states have in common: copies, choices of games and comparison."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.errors import StateError
from gonzaga_env.tuscany.options import Options


@dataclass(frozen=True)
class Origin:
    """What a state is a state of, for games that would read it otherwise.

    Attributes:
        edition: the edition's digest.
        rules: the options.
    """

    edition: str
    rules: Options

    def check(self, edition: str, rules: Options) -> None:
        """Raises StateError unless the state is of this edition and these options."""
        if self.edition != edition:
            raise StateError(
                f"the state is of another edition: its digest is {self.edition[:12]}…, the game's "
                f"{edition[:12]}…"
            )
        if self.rules != rules:
            raise StateError(f"the state is of {self.rules}; the game's options are {rules}")


class StateArrays:
    """Base of dataclasses whose fields are arrays [N, ...] but for the last, `origin`."""

    origin: Origin | None
    seed: NDArray[np.uint64]

    @property
    def num_games(self) -> int:
        """N."""
        return len(self.seed)

    @property
    def num_players(self) -> int:
        """P."""
        raise NotImplementedError

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the arrays themselves by name, in the order of the fields."""
        names = [field.name for field in fields(self)[:-1]]  # type: ignore[arg-type]
        return {name: getattr(self, name) for name in names}

    def _with(self, arrays: Iterable[NDArray[Any]]) -> Self:
        """Returns a state of the same origin with other arrays, in the order of the fields."""
        return type(self)(*arrays, self.origin)  # type: ignore[call-arg]

    def copy(self) -> Self:
        """Returns a state that shares no memory with this one."""
        return self._with(array.copy() for array in self.arrays().values())

    def take(self, rows: NDArray[Any] | slice) -> Self:
        """Returns a copy of some games, by indices, a mask or a slice.

        Raises:
            StateError: there is no such game.
        """
        chosen = _rows(rows, self.num_games)
        return self._with(array[chosen] for array in self.arrays().values())

    def repeat(self, count: int) -> Self:
        """Returns each game `count` times in a row, [N * count]."""
        return self._with(np.repeat(array, count, axis=0) for array in self.arrays().values())

    def owned(self) -> Self:
        """Returns this state if an engine may write to its arrays in place, else a copy."""
        flags = (array.flags for array in self.arrays().values())
        return self if all(f.c_contiguous and f.writeable for f in flags) else self.copy()

    @classmethod
    def concatenate(cls, states: Sequence[Self]) -> Self:
        """Returns the games of several states, one state after the other.

        Raises:
            StateError: no state, or states of different editions, options or numbers of players.
        """
        arrays = [state.arrays().values() for state in states]
        shapes = {tuple(array.shape[1:] for array in own) for own in arrays}
        if len(shapes) != 1:
            raise StateError(f"{len(arrays)} states of {len(shapes)} shapes; one shape is needed")
        if len({state.origin for state in states}) != 1:
            raise StateError("the states are of different editions or options; one is needed")
        return states[0]._with(map(np.concatenate, zip(*arrays, strict=True)))

    def put(self, rows: NDArray[Any] | slice, games: Self) -> None:
        """Overwrites some games with as many others, or with a single one repeated.

        Raises:
            StateError: there are other numbers of games, or they do not fit among these.
        """
        chosen = _rows(rows, self.num_games)
        if games.num_games not in (1, len(chosen)):
            raise StateError(
                f"{games.num_games} games for {len(chosen)} rows; as many, or one, fit"
            )
        self.concatenate([self.take(slice(0)), games.take(slice(0))])  # raises before any change
        for name, array in self.arrays().items():
            array[chosen] = getattr(games, name)

    def __eq__(self, other: object) -> bool:
        """Whether all arrays are equal in dtype, shape and content."""
        if not isinstance(other, type(self)):
            return NotImplemented
        theirs = other.arrays()
        return all(
            array.dtype == theirs[name].dtype and np.array_equal(array, theirs[name])
            for name, array in self.arrays().items()
        )

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __repr__(self) -> str:
        return f"<State, {self.num_games} games, {self.num_players} players>"


def _rows(rows: NDArray[Any] | slice, num_games: int) -> NDArray[np.int64]:
    """Returns the numbers of rows [M] from indices, a mask or a slice; StateError if wrong."""
    try:
        chosen: NDArray[np.int64] = np.arange(num_games)[rows]
    except IndexError as error:
        raise StateError(f"rows are {rows!r}; the state holds 0 to {num_games - 1}") from error
    if chosen.ndim != 1:
        raise StateError(f"rows are {rows!r}; they take indices, a mask or a slice")
    return chosen
