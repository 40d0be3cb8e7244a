"""Random choices that are the same in every version of numpy and on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha512
from typing import TypeVar

import numpy as np

T = TypeVar("T")


class Draws:
    """Draws from a text.

    numpy promises that the numbers of a `RandomState` never change, unlike those of a `Generator`.
    The text is hashed as Python's `random.Random` does, so both draw the same.
    """

    def __init__(self, text: str) -> None:
        content = text.encode()
        number = int.from_bytes(content + sha512(content).digest(), "big")
        words = [number >> i & 0xFFFFFFFF for i in range(0, number.bit_length(), 32)]
        self._random = np.random.RandomState(words)

    def below(self, most: int) -> int:
        """Returns an integer from 0 to below `most`."""
        return int(self._random.random_sample() * most)

    def between(self, low: int, high: int) -> int:
        """Returns an integer from `low` to `high`."""
        return low + self.below(high - low + 1)

    def choice(self, given: Sequence[T]) -> T:
        """Returns one of some values."""
        return given[self.below(len(given))]

    def shuffled(self, given: Sequence[T]) -> list[T]:
        """Returns values in a random order."""
        left = list(given)
        for last in range(len(left) - 1, 0, -1):
            other = self.below(last + 1)
            left[last], left[other] = left[other], left[last]
        return left
