"""Random choices that are the same in every version of Python and on every machine."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """Draws from a text.

    Python promises that `random()` repeats for a seed that is a text, but not that `choice` and
    `shuffle` do, so these are made of it here.
    """

    def __init__(self, text: str) -> None:
        self._random = random.Random(text)

    def below(self, most: int) -> int:
        """Returns an integer from 0 to below `most`."""
        return int(self._random.random() * most)

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
