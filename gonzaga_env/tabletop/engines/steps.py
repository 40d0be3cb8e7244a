"""Steps of the rules: each runs once, for all games that wait for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.arguments import Indices, Integers

#: Takes the games of an engine, the steps still to run, rows [M], and a number for each.
Step = Callable[[Any, "Todo", Indices, Any], None]


class Todo:
    """The games that wait for each step."""

    def __init__(self) -> None:
        self._added: dict[Step, list[tuple[Indices, Integers]]] = {}

    def start(
        self, order: Sequence[Step], first: NDArray[np.integer], rows: Indices, numbers: Indices
    ) -> None:
        """Adds games [M], each to its own first step: an index in `order`, [M]."""
        places, start = first.argsort(kind="stable"), 0
        rows, numbers = rows.take(places), numbers.take(places)
        for step, count in zip(order, np.bincount(first).tolist(), strict=False):
            if count:
                some = slice(start, start + count)
                self.add(step, rows[some], numbers[some])
                start += count

    def add(self, step: Step, rows: Indices, numbers: Integers | None = None) -> None:
        """Adds games [M] to a step, with a number for each if the step takes numbers."""
        if len(rows):
            self._added.setdefault(step, []).append((rows, rows if numbers is None else numbers))

    def run(self, games: object, order: Sequence[Step]) -> Indices:
        """Runs steps in order; returns the games of the last step that had any."""
        rows: Indices = np.empty(0, np.int64)
        for step in order:
            if added := self._added.pop(step, None):
                rows, numbers = added[0] if len(added) == 1 else _joined(added)
                step(games, self, rows, numbers)
        return rows


def _joined(added: list[tuple[Indices, Integers]]) -> tuple[Indices, Integers]:
    rows, numbers = zip(*added, strict=True)
    joined = np.concatenate(rows)
    return joined, joined if numbers[0] is rows[0] else np.concatenate(numbers)
