"""How long and how large a run is."""

from __future__ import annotations

import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What holds for all measurements of a run.

    Attributes:
        repetitions: how often everything is measured.
        seconds: length of one measurement of a contestant that plays.
        shrink: numbers of games are divided by it; tests only.
    """

    repetitions: int = 7
    seconds: float = 0.6
    shrink: int = 1

    def games(self, number: int) -> int:
        """Returns how many games stand for a number of games."""
        return max(1, number // self.shrink)


def tell(progress: str) -> None:
    """Prints a line of progress to stderr, so that stdout holds the results only."""
    print(f"speed: {progress}", file=sys.stderr, flush=True)
