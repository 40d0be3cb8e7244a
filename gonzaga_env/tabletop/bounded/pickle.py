"""Plain data in pickles: read opcode by opcode, so that nothing in them is ever called.

Each container and each object is used once, so what is built is a tree: it has no cycles, and no
more parts than the pickle has opcodes.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gonzaga_env.tabletop.bounded.limits import PICKLE_BYTES, PICKLE_DEPTH, PICKLE_OPCODES
from gonzaga_env.tabletop.bounded.text import short

_USED = object()  # in the memo: an object that may not be used again


@dataclass(frozen=True)
class Global:
    """The name of a class or function in a pickle, such as "collections OrderedDict"."""

    name: str


@dataclass
class PickleReader:
    """Reads pickles of one kind."""

    #: What makes an object of its arguments, by the name of its class or function.
    builders: Mapping[str, Callable[..., object]]
    globals: frozenset[str]  #: further names that may occur
    find: Callable[[object], object]  #: returns what a persistent id stands for
    _stack: list[Any] = field(default_factory=list)
    _outer: list[list[Any]] = field(default_factory=list)
    _memo: dict[int, Any] = field(default_factory=dict)

    def read(self, content: bytes) -> Any:
        """Returns what a pickle holds.

        Raises:
            ValueError: it is over a limit, or has other opcodes, names or references than data has.
        """
        if len(content) > PICKLE_BYTES:
            raise ValueError(f"a pickle of more than {PICKLE_BYTES:,} bytes")
        try:
            for number, (opcode, argument, _) in enumerate(pickletools.genops(content)):
                if number >= PICKLE_OPCODES:
                    raise ValueError(f"a pickle of more than {PICKLE_OPCODES:,} opcodes")
                self._follow(opcode.name, argument)
            (value,) = self._stack
        except (IndexError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"a broken pickle: {short(str(error))}") from error
        _check_depth(value)
        return value

    def _follow(self, name: str, argument: object) -> None:
        """Follows an opcode."""
        if name in _LITERALS:
            self._stack.append(argument)
        elif name in _CONSTANTS:
            self._stack.append(_CONSTANTS[name]())
        elif name in _TUPLES:
            size = _TUPLES[name]
            items = self._stack[-size:]
            del self._stack[-size:]
            self._stack.append(tuple(items))
        else:
            handler = getattr(self, f"_{name.lower()}", None)
            if handler is None:
                raise ValueError(f"a pickle with the opcode {name}, which plain data does not use")
            handler(argument)

    def _proto(self, version: int) -> None:
        if version != 2:
            raise ValueError(f"a pickle of protocol {version}")

    def _stop(self, _: None) -> None:
        if self._outer:
            raise ValueError("a pickle that ends within a list")

    def _mark(self, _: None) -> None:
        self._outer.append(self._stack)
        self._stack = []

    def _marked(self) -> list[Any]:
        """Pops and returns the objects pushed since the last mark."""
        items, self._stack = self._stack, self._outer.pop()
        return items

    def _tuple(self, _: None) -> None:
        items = self._marked()
        self._stack.append(tuple(items))

    def _append(self, _: None) -> None:
        self._add([self._stack.pop()])

    def _appends(self, _: None) -> None:
        self._add(self._marked())

    def _add(self, items: list[Any]) -> None:
        if type(self._stack[-1]) is not list:
            raise ValueError("a pickle that appends to something other than a list")
        self._stack[-1].extend(items)

    def _setitem(self, _: None) -> None:
        value = self._stack.pop()
        self._set([self._stack.pop(), value])

    def _setitems(self, _: None) -> None:
        self._set(self._marked())

    def _set(self, items: list[Any]) -> None:
        if type(self._stack[-1]) is not dict:
            raise ValueError("a pickle that sets items of something other than a dictionary")
        keys = items[::2]
        if len(items) % 2 or not all(map(_is_key, keys)):
            raise ValueError("a pickle with keys that are neither texts nor small integers")
        self._stack[-1].update(zip(keys, items[1::2], strict=True))

    def _binput(self, place: int) -> None:
        value = self._stack[-1]
        if place >= PICKLE_OPCODES:
            raise ValueError("a pickle with a place in its memo that is too large")
        self._memo[place] = value if isinstance(value, str | Global) else _USED

    _long_binput = _binput

    def _binget(self, place: int) -> None:
        if self._memo[place] is _USED:
            raise ValueError("a pickle that uses a value twice, or within itself")
        self._stack.append(self._memo[place])

    _long_binget = _binget

    def _global(self, name: str) -> None:
        if name not in self.builders and name not in self.globals:
            raise ValueError(f"a pickle that names {short(name)}")
        self._stack.append(Global(name))

    def _binpersid(self, _: None) -> None:
        self._stack.append(self.find(self._stack.pop()))

    def _reduce(self, _: None) -> None:
        arguments, function = self._stack.pop(), self._stack.pop()
        if not isinstance(function, Global) or type(arguments) is not tuple:
            raise ValueError("a pickle that calls something other than a function")
        self._stack.append(self.builders[function.name](*arguments))

    def _build(self, _: None) -> None:
        """Drops attributes: those of an OrderedDict of weights are the versions of its modules."""
        attributes = self._stack.pop()
        if type(attributes) is not dict or type(self._stack[-1]) is not dict:
            raise ValueError("a pickle that sets attributes of something other than a dictionary")


_LITERALS = {"BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "BINUNICODE"}
_CONSTANTS: Mapping[str, Callable[[], object]] = {
    "NONE": lambda: None,
    "NEWTRUE": lambda: True,
    "NEWFALSE": lambda: False,
    "EMPTY_TUPLE": tuple,
    "EMPTY_LIST": list,
    "EMPTY_DICT": dict,
}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


def _is_key(key: object) -> bool:
    """Returns whether a key can be looked up in constant time: large integers can share a hash."""
    return isinstance(key, str) or (type(key) is int and 0 <= key < PICKLE_OPCODES)


def _check_depth(value: object) -> None:
    """Raises ValueError if containers are nested too deeply."""
    level = [value]
    for _ in range(PICKLE_DEPTH):
        containers = [item for item in level if isinstance(item, dict | list | tuple)]
        level = [
            inner
            for item in containers
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
    if level:
        raise ValueError(f"a pickle of more than {PICKLE_DEPTH} containers within each other")
