"""States as structs of arrays: copies, choices of games, comparison and bytes.

A game's state is a dataclass of arrays [N, ...], hidden information included, and of its origin.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.arguments import Array, Integers
from gonzaga_env.kernel.bounded import STATE_HEADER, Json, array_of, parse_json
from gonzaga_env.kernel.config import BaseConfig, RuleOptions
from gonzaga_env.kernel.errors import OptionError, StateError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.rows import RowChoice, RowKey

_DTYPES = {np.dtype(kind).str for kind in ("u1", "u2", "u4", "u8", "i2", "?")}


@dataclass(frozen=True)
class Origin:
    """The edition and the options of a state, needed to interpret its arrays."""

    edition: str  #: the edition's digest
    rules: RuleOptions  #: the options

    @classmethod
    def of(cls, config: BaseConfig) -> Self:
        """Returns the origin of the states of a configuration."""
        return cls(config.edition.digest, config.rules)

    @classmethod
    def read(cls, written: Mapping[str, Json], options: type[RuleOptions]) -> Self:
        """Returns the origin that `to_bytes` wrote."""
        return cls(str(written["edition"]), options(**written["rules"]))

    def check(self, edition: str, rules: RuleOptions) -> None:
        """Raises StateError unless the state is of this edition and these options."""
        if self.edition != edition:
            raise StateError(
                f"the state is of another edition: its digest is {self.edition[:12]}…, the game's "
                f"{edition[:12]}…"
            )
        if self.rules != rules:
            raise StateError(f"the state is of {self.rules}; the game's options are {rules}")


class ArrayLayout(NamedTuple):
    """The dtype, shape and values of one array of a state."""

    dtype: np.dtype[np.generic]
    shape: tuple[int, ...]  #: without the game axis
    fill: object  #: the first value
    #: The lowest and highest value, then optionally one value outside that range that means
    #: "none". Empty if every value is valid.
    values: tuple[int, ...] = ()


def layout_of(
    kind: type[StateArrays],
    shapes: Mapping[str, tuple[int, ...]],
    fills: Mapping[str, object],
    values: Mapping[str, tuple[int, ...]] = MappingProxyType({}),
) -> dict[str, ArrayLayout]:
    """Returns the layout of every field by name, in their order; dtypes are those annotated.

    Args:
        kind: the class of the state, whose fields are `NDArray[...]`.
        shapes: without the game axis; () for fields that are missing.
        fills: first values; 0 for fields that are missing.
        values: see `ArrayLayout`.
    """
    last = {name: get_args(hint)[-1] for name, hint in get_type_hints(kind).items()}
    dtypes = {name: get_args(one) or (one,) for name, one in last.items()}  # numpy 2.5: no dtype[]
    return {
        name: ArrayLayout(
            np.dtype(dtypes[name][0]),
            shapes.get(name, ()),
            fills.get(name, 0),
            values.get(name, ()),
        )
        for name in kind.__match_args__[:-1]
    }


class StateArrays:
    """Base of dataclasses whose fields are arrays [N, ...] but for the last, `origin`.

    Subclasses are decorated with `@dataclass(eq=False, repr=False)` and hold at least the fields
    below.
    """

    __match_args__: ClassVar[tuple[str, ...]]  # the names of the fields, as dataclasses have them
    #: The first line of the bytes, which names the game and the version of the format.
    MAGIC: ClassVar[bytes]
    RULES: ClassVar[type[RuleOptions]]  #: the class of the options
    BY_PLAYER: ClassVar[str]  #: the name of an array [N, P, ...]

    seed: NDArray[np.uint64]  #: [N] uint64; with `episode` it decides all chance. Hidden
    episode: NDArray[np.uint32]  #: games played before in this row, [N] uint32
    round: NDArray[np.uint8]  #: from 1, [N] uint8
    finished: NDArray[np.bool_]  #: [N] bool
    scores: NDArray[np.int16]  #: points by source, [N, P, S] int16
    #: The edition and the options; None for a state that was put together by hand.
    origin: Origin | None

    if TYPE_CHECKING:  # fields, or properties

        @property
        def seat(self) -> NDArray[np.integer]:
            """The seat to act, [N]; any number where the game is over."""

        @property
        def kind(self) -> NDArray[np.uint8]:
            """What it decides, an index in `KINDS`, [N]; any number where the game is over."""

    @classmethod
    def empty(cls, layout: Mapping[str, ArrayLayout], num_games: int, origin: Origin) -> Self:
        """Returns games in which every array has its first value."""
        arrays = (np.empty((num_games, *f.shape), f.dtype) for f in layout.values())
        state = cls(*arrays, origin)  # type: ignore[call-arg]
        state.clear(slice(None), layout)
        return state

    @property
    def num_games(self) -> int:
        """N."""
        return len(self.seed)

    @property
    def num_players(self) -> int:
        """P."""
        return int(getattr(self, self.BY_PLAYER).shape[1])

    def arrays(self) -> dict[str, Array]:
        """Returns the arrays themselves by name, in the order of the fields."""
        return {name: getattr(self, name) for name in self.__match_args__[:-1]}

    def _with(self, arrays: Iterable[Array]) -> Self:
        """Returns a state of the same origin with other arrays, in the order of the fields."""
        return type(self)(*arrays, self.origin)  # type: ignore[call-arg]

    def copy(self) -> Self:
        """Returns a state that shares no memory with this one."""
        return self._with(array.copy() for array in self.arrays().values())

    def owned(self) -> Self:
        """Returns this state if an engine may write to its arrays in place, else a copy."""
        flags = (array.flags for array in self.arrays().values())
        return self if all(f.c_contiguous and f.writeable for f in flags) else self.copy()

    def take(self, rows: RowChoice) -> Self:
        """Returns a copy of some games, by indices, a mask or a slice.

        Raises:
            StateError: there is no such game.
        """
        if isinstance(rows, slice):  # indexing with an array copies by itself
            return self._with(array[rows].copy() for array in self.arrays().values())
        chosen = _rows(rows, self.num_games)
        return self._with(array[chosen] for array in self.arrays().values())

    def repeat(self, count: int) -> Self:
        """Returns each game `count` times in a row, [N * count]."""
        return self._with(np.repeat(array, count, axis=0) for array in self.arrays().values())

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

    def put(self, rows: RowChoice, games: Self) -> None:
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

    def clear(self, key: RowKey, layout: Mapping[str, ArrayLayout]) -> None:
        """Overwrites some games with the first value of every array."""
        for name, array_layout in layout.items():
            getattr(self, name)[key] = array_layout.fill

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

    def check_like(self, other: Self, what: str) -> None:
        """Checks what the state is of, and its arrays' dtypes and shapes.

        Args:
            other: a state that is as this one should be, of any number of games.
            what: what that is a state of, for messages.

        Raises:
            StateError: the state is of another edition, number of players or options, or an array
                has another dtype or shape.
        """
        if self.origin is not None and other.origin is not None:
            self.origin.check(other.origin.edition, other.origin.rules)
        self._check_axes()
        for name, right in other.arrays().items():
            array, shape = getattr(self, name), (self.num_games, *right.shape[1:])
            if not isinstance(array, np.ndarray):
                raise StateError(f"{name} is {type(array).__name__}; it takes an array")
            if array.dtype != right.dtype or array.shape != shape:
                raise StateError(
                    f"not a state of {what}: {name} is {array.dtype} {list(array.shape)}; "
                    f"it takes {right.dtype} {list(shape)}"
                )

    def _check_axes(self) -> None:
        """Raises StateError if the arrays do not say how many games and players there are."""
        if (found := np.ndim(self.seed)) != 1:
            raise StateError(f"not a state: seed has {found} axes; it takes 1")
        if (found := np.ndim(getattr(self, self.BY_PLAYER))) < 2:
            raise StateError(f"not a state: {self.BY_PLAYER} has {found} axes; it takes 2 or more")

    def check_values(self, layout: Mapping[str, ArrayLayout]) -> None:
        """Checks that values are in the ranges of their fields, so that indices exist.

        Whether the values agree with each other and with the rules is not checked: trust a state
        from elsewhere like a pickle.

        Raises:
            StateError: a value is out of range; the message names game and field.
        """
        for name, one in layout.items():
            values, right = getattr(self, name), one.values
            if one.dtype == np.bool_:  # bytes can hold other bools than 0 and 1
                values, right = values.view(np.uint8), (0, 1)
            if not right:
                continue
            wrong = (values < right[0]) | (values > right[1])
            for none in right[2:]:
                wrong &= values != none
            if wrong.any():
                game = int(wrong.reshape(len(wrong), -1).any(axis=1).argmax())
                beside = f" or {right[2]}" if right[2:] else ""
                raise StateError(f"game {game}: {name} takes {right[0]} to {right[1]}{beside}")

    def to_bytes(self) -> bytes:
        """Returns the state as bytes: a header line of JSON, then array after array."""
        arrays, origin = self.arrays(), self.origin
        of = origin and {"edition": origin.edition, "rules": origin.rules.as_dict()}
        described = {name: [array.dtype.str, array.shape] for name, array in arrays.items()}
        header = json.dumps({"origin": of, "arrays": described}).encode()
        content = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays.values())
        return self.MAGIC + header + b"\n" + content

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Returns the state that `to_bytes` wrote.

        An engine that takes it checks that values are in range, not that a game can reach it: trust
        bytes from elsewhere like a pickle.

        Raises:
            StateError: the bytes hold no state of this game, have another version or are cut short.
        """
        magic = cls.MAGIC
        if not isinstance(data, bytes | bytearray) or not data.startswith(magic):
            raise StateError(f"not a state: the bytes should start with {magic!r}")
        try:
            end = data.index(b"\n", len(magic), len(magic) + STATE_HEADER)
            header = parse_json(data[len(magic) : end])
            if tuple(header["arrays"]) != cls.__match_args__[:-1]:
                raise ValueError("its arrays are not those of a state")
            arrays, of = dict(_read_arrays(data[end + 1 :], header["arrays"])), header["origin"]
            origin = of if of is None else Origin.read(of, cls.RULES)
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            raise StateError(f"not a state: {error}") from error
        state = cls(*arrays.values(), origin)  # type: ignore[call-arg]
        state._check_axes()
        return state


class DealArrays:
    """Base of dataclasses of arrays [M, ...]: the random part of the setup of M games."""

    __match_args__: ClassVar[tuple[str, ...]]  # the names of the fields, as dataclasses have them

    def __repr__(self) -> str:
        arrays = [*vars(self).values()]
        return f"<Deal of {len(arrays[0])} games>" if arrays else "<Deal of nothing>"

    @classmethod
    def check_arrays(
        cls, deal: object, shapes: Mapping[str, tuple[int, ...]], kinds: str = "iu"
    ) -> None:
        """Raises OptionError unless a deal has arrays of these shapes and kinds, by name."""
        if not isinstance(deal, cls):
            game = ".".join(cls.__module__.split(".")[:2])
            raise OptionError(f"deal is {short_repr(deal)}; it takes a {game}.{cls.__name__}")
        for name, shape in shapes.items():
            array = getattr(deal, name)
            if not isinstance(array, np.ndarray) or array.dtype.kind not in kinds:
                raise OptionError(f"deal: {name} must be an array of integers")
            if array.shape != shape:
                raise OptionError(f"deal: {name} must have the shape {shape}")

    def take(self, rows: Sequence[int] | Integers) -> Self:
        """Returns the deals of some games."""
        return type(self)(*(np.asarray(array)[rows] for array in vars(self).values()))


def _rows(rows: RowChoice, num_games: int) -> NDArray[np.int64]:
    """Returns the numbers of rows [M] from indices, a mask or a slice; StateError if wrong."""
    try:
        chosen: NDArray[np.int64] = np.arange(num_games)[rows]
    except IndexError as error:
        raise StateError(
            f"rows are {short_repr(rows)}; the state holds 0 to {num_games - 1}"
        ) from error
    if chosen.ndim != 1:
        raise StateError(f"rows are {short_repr(rows)}; they take indices, a mask or a slice")
    return chosen


def _read_arrays(
    content: bytes, described: Mapping[str, tuple[str, list[int]]]
) -> Iterator[tuple[str, Array]]:
    """Yields arrays by name; ValueError if the content is not what the header describes."""
    start = 0
    for name, (dtype, shape) in described.items():
        if dtype not in _DTYPES or not all(type(size) is int and size >= 0 for size in shape):
            raise ValueError(f"{name} is {short_repr(dtype)} {short_repr(shape)}")
        stop = start + np.dtype(dtype).itemsize * math.prod(shape)
        if stop > len(content):
            raise ValueError(f"the bytes end within {name}")
        yield name, array_of(content[start:stop], np.dtype(dtype), shape).copy()
        start = stop
    if start != len(content):
        raise ValueError(f"{len(content) - start} bytes too many")
