"""The time of day, checked before anything is deleted by it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

HOUR, DAY = 3600.0, 86400.0
SECONDS_BETWEEN = 300.0  # two readings; closer ones count as one


class DoubtfulClock:
    """A clock that people and programs may set, combined with a steady one.

    Every reading says what time it is now, by the seconds that have gone by since. Tables are
    deleted by the earliest of these times: one wrong reading, however far ahead, deletes nothing.
    """

    def __init__(self, clock: Callable[[], float], steady: Callable[[], float]) -> None:
        """Takes both clocks, in seconds, and reads them."""
        self._clock, self._steady = clock, steady
        self._readings: deque[tuple[float, float]] = deque()  # steady, and how far the clock is off
        self.read()

    def read(self) -> None:
        """Takes a reading. Those of the last day count, and the last one before."""
        steady = self._steady()
        offset = self._clock() - steady
        if self._readings and steady - self._readings[-1][0] < SECONDS_BETWEEN:
            last, lowest = self._readings.pop()
            self._readings.append((last, min(lowest, offset)))
            return
        self._readings.append((steady, offset))
        while len(self._readings) > 1 and self._readings[1][0] <= steady - DAY:
            self._readings.popleft()

    def agreed(self) -> float | None:
        """Returns the time, in seconds, that has come by all readings and the clock now.

        None if the readings do not reach an hour back.
        """
        steady = self._steady()
        if steady - self._readings[0][0] < HOUR:
            return None
        lowest = min(offset for _, offset in self._readings)
        return steady + min(lowest, self._clock() - steady)
