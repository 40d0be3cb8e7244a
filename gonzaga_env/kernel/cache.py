"""`LRUCache`: keeps what was used last, within a number of values or of bytes."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np

ValueT = TypeVar("ValueT")
_PLAIN = (int, float, bool, str, bytes, type(None))


def _unit_cost(value: object) -> int:
    return 1


def memory_of(value: object) -> int:
    """Returns the bytes that a value and all that it holds take; arrays and containers are opened.

    What an object inside says of itself, as `num_bytes`, is believed.
    """
    todo: list[Any] = [value]
    seen, total = set[int](), 0
    while todo:
        it = todo.pop()
        if type(it) in _PLAIN:
            total += sys.getsizeof(it)
            continue
        if id(it) in seen:
            continue
        seen.add(id(it))
        if isinstance(it, np.ndarray):
            total += it.nbytes if it.base is None else sys.getsizeof(it)
            todo += [] if it.base is None else [it.base]
        elif it is not value and hasattr(type(it), "num_bytes"):
            total += it.num_bytes
        else:
            total += sys.getsizeof(it)
            todo += _content(it)
    return total


def _content(it: object) -> Iterable[object]:
    if isinstance(it, dict):
        return list(it.values())
    if isinstance(it, list | tuple):
        return it
    return list(getattr(it, "__dict__", {}).values()) if not isinstance(it, type) else ()


class LRUCache(Generic[ValueT]):
    """Keeps the values that were used last, as long as their costs stay within a limit.

    The value asked for last is kept whatever it costs. Costs are computed again whenever a value is
    added, because tables may grow while they are used.

    Attributes:
        most: the limit of the sum of all costs: of bytes, where `memory_of` is the cost.
    """

    def __init__(self, most: int, cost: Callable[[ValueT], int] = _unit_cost) -> None:
        self.most, self._cost = most, cost
        self._kept: OrderedDict[Hashable, ValueT] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def cost(self) -> int:
        with self._lock:
            return sum(map(self._cost, self._kept.values()))

    def get(self, key: Hashable, make: Callable[[], ValueT]) -> ValueT:
        """Returns the value of a key, which is made if it is not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            value = self._kept.setdefault(key, made)  # another thread may have been faster
            self._kept.move_to_end(key)
            self._drop_old()
        return value

    def _drop_old(self) -> None:
        costs = {key: self._cost(value) for key, value in self._kept.items()}
        total = sum(costs.values())
        for key in [*costs][:-1]:
            if total <= self.most:
                return
            total -= costs[key]
            del self._kept[key]
