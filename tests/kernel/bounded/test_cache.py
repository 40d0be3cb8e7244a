"""Caches that are bounded by memory or by number."""

import sys

import numpy as np

from gonzaga_env.kernel.cache import LRUCache, memory_of


def test_the_values_used_last_are_kept() -> None:
    cache, made = LRUCache[str](2), list[str]()

    def get(key: str) -> str:
        def make() -> str:
            made.append(key)
            return key.upper()

        return cache.get(key, make)

    assert [get(key) for key in "abacab"] == [*"ABACAB"]
    assert made == [*"abcb"]  # a was used after b
    assert (len(cache), cache.cost) == (2, 2)


def test_the_last_value_is_kept_whatever_it_costs() -> None:
    cache = LRUCache[list[int]](10, len)
    first = cache.get("first", lambda: [0] * 100)
    assert cache.get("first", list) is first
    cache.get("second", lambda: [0] * 4)
    assert len(cache) == 1
    assert cache.get("first", list) == []


def test_values_that_grow_are_measured_again() -> None:
    cache = LRUCache[list[int]](10, len)
    grown = cache.get("grown", lambda: [0] * 4)
    cache.get("other", lambda: [0] * 4)
    grown += [0] * 4
    assert cache.cost == 12
    cache.get("third", lambda: [0])
    assert cache.get("other", list) == [0] * 4
    assert cache.get("grown", list) == []


class Measured:
    num_bytes = 10**6


class Holder:
    def __init__(self) -> None:
        self.array = np.zeros(1000)
        self.parts = {"same": self.array, "view": self.array[10:]}
        self.measured, self.owner = [Measured()], self


def test_memory_counts_everything_once() -> None:
    empty = memory_of(Holder.__new__(Holder))
    found = memory_of(Holder()) - empty
    assert 10**6 + 8000 < found < 10**6 + 9000
    assert memory_of([2**600]) == sys.getsizeof([1]) + sys.getsizeof(2**600)
    assert memory_of(np.zeros(1000)[:10]) > 8000  # a view holds all of its array
