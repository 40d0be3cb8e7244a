"""Converts callers' arguments to integers and arrays; errors say what would be right."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from inspect import Signature, signature
from typing import ParamSpec, SupportsIndex, TypeGuard, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gonzaga_env.kernel.errors import ActionError, ArgumentError, OptionError
from gonzaga_env.kernel.messages import short_repr

_P = ParamSpec("_P")
_R = TypeVar("_R")

Array = NDArray[np.generic]  # of any dtype
Integers = NDArray[np.integer]  # indices as callers pass them, of any integer dtype
Indices = NDArray[np.int64]  # indices as this package computes them


_INTEGERS = int, np.integer


def is_integer(value: object) -> TypeGuard[int]:
    """Returns whether a value is an integer of Python or numpy; booleans are not."""
    return isinstance(value, _INTEGERS) and not isinstance(value, bool)


def checks_names(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorates what users call with many arguments: a wrong name raises ArgumentError.

    Its message has the nearest name. Calls with right names are as fast as before.
    """

    @wraps(function)
    def checked(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return function(*args, **kwargs)
        except TypeError:
            checked_arguments(signature(function), args, kwargs)
            raise

    return checked


def checked_arguments(
    takes: Signature, args: Sequence[object], given: Mapping[str, object]
) -> dict[str, object]:
    """Returns the arguments of a call by name; ArgumentError if they do not fit the signature."""
    try:
        return takes.bind(*args, **given).arguments
    except TypeError as error:
        names = [name for name in takes.parameters if name != "self"]
        unknown = [name for name in given if name not in names]
        if not unknown:
            raise ArgumentError(f"wrong arguments: {error}") from None
        raise ArgumentError(
            f"got an unexpected keyword argument {short_repr(unknown[0])}"
            f"{nearest(unknown[0], names)}; there are: {', '.join(names)}"
        ) from None


def nearest(name: object, names: Collection[str]) -> str:
    """Returns " (did you mean ...?)" with the name most like a wrong one; empty if none is."""
    close = get_close_matches(name, names, n=1) if isinstance(name, str) else []
    return f" (did you mean {close[0]}?)" if close else ""


MOST_GAMES = 2**22  # of an engine, which takes some 4 kB for each: 16 GiB


def as_num_games(num_games: object, name: str = "num_games") -> int:
    """Returns a number of games; OptionError unless it is an integer that an engine can hold."""
    if not is_integer(num_games) or num_games < 1:
        raise OptionError(f"{name} is {short_repr(num_games)}; it takes an integer of 1 or more")
    if num_games > MOST_GAMES:
        raise OptionError(
            f"{name} is {num_games:,}, which would need {num_games / 2**18:,.0f} GiB; "
            f"it takes {MOST_GAMES:,} or less"
        )
    return int(num_games)


def as_array(values: ArrayLike) -> NDArray[np.integer]:
    """Returns values as an array; ragged ones as an empty array of objects, which checks refuse."""
    try:
        return np.asarray(values)
    except ValueError:
        return np.empty((0, 0), dtype=object)


def as_rows(rows: Integers | None, num_games: int) -> NDArray[np.int64]:
    """Returns distinct indices of games [M]; all of them for None."""
    if rows is None:
        return np.arange(num_games)
    given = as_array(rows)
    if given.ndim != 1 or (given.dtype.kind not in "iu" and len(given)):
        raise OptionError(
            f"rows are {short_repr(rows)}; they take a one-dimensional array of integers"
        )
    chosen = given.astype(np.int64)
    outside = ((chosen < 0) | (chosen >= num_games)).nonzero()[0]
    if len(outside):
        row = chosen[outside[0]]
        raise OptionError(f"row {row} does not exist; rows are 0 to {num_games - 1}")
    counts = np.bincount(chosen, minlength=1)
    if counts[counts.argmax()] > 1:  # a quarter of max
        raise OptionError(f"rows are {short_repr(rows)}; they take each game once at most")
    return chosen


def as_seats(seat: int | Integers, num_rows: int, num_players: int) -> NDArray[np.int64]:
    """Returns seats [M] from one seat for all games, or one per game."""
    seats = as_array(seat)
    if seats.dtype.kind not in "iu" or seats.shape not in ((), (num_rows,)):
        raise OptionError(f"seat is {short_repr(seat)}; it takes one seat, or one per game")
    if ((seats < 0) | (seats >= num_players)).any():
        raise OptionError(f"seat is {short_repr(seat)}; seats are 0 to {num_players - 1}")
    return np.broadcast_to(seats, num_rows).astype(np.int64)


def check_rng(rng: object) -> None:
    """Raises OptionError unless `rng` is a generator of numpy."""
    if not isinstance(rng, np.random.Generator):
        raise OptionError(f"rng is {rng!r}; it takes a generator, such as np.random.default_rng(0)")


def check_out(out: Array | None, shape: tuple[int, int]) -> None:
    """Raises OptionError unless `out` is None or has this shape."""
    if out is not None and not isinstance(out, np.ndarray):
        raise OptionError(f"out is a {type(out).__name__}; it takes an array of shape {shape}")
    if out is not None and out.shape != shape:
        raise OptionError(f"out has shape {out.shape}; it takes {shape}")


def as_actions(
    actions: Integers | Sequence[int], rows: NDArray[np.int64], over: NDArray[np.bool_], size: int
) -> NDArray[np.int64]:
    """Returns actions [M] as integers; 0 where the game is over, whatever was passed."""
    chosen = as_array(actions)
    if chosen.shape != rows.shape or (chosen.dtype.kind not in "iu" and len(rows)):
        raise ActionError(
            f"actions have shape {chosen.shape} and dtype {chosen.dtype}; "
            f"they take {len(rows)} integers, one per game"
        )
    chosen = np.where(over, 0, chosen)
    outside = ((chosen < 0) | (chosen >= size)).nonzero()[0]
    if len(outside):
        raise ActionError(
            f"game {rows[outside[0]]}: action {chosen[outside[0]]} is not in the space; "
            f"it holds 0 to {size - 1}"
        )
    return chosen.astype(np.int64)


def as_action(action: SupportsIndex, size: int) -> int:
    """Returns one action as an integer; ActionError if it is none of a space of this size."""
    try:
        index = operator.index(action)
    except TypeError:
        index = -1
    if not 0 <= index < size or isinstance(action, bool):
        raise ActionError(
            f"action is {short_repr(action)}; it takes one integer from 0 to {size - 1}"
        )
    return index
