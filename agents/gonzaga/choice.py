"""Chooses among scored actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .candidates import Indices

_TIE = 1e-4  # scores that differ by less are equal but for rounding


def best_of_each(
    scores: NDArray[np.float32], rows: Indices, num_rows: int, rng: np.random.Generator
) -> Indices:
    """Returns the place of the highest score of each row, [M]; ties are broken at random.

    Args:
        scores: [L].
        rows: the row of each score, [L], ascending; each of the M rows has one or more.
        num_rows: M.
        rng: breaks ties.
    """
    best = np.maximum.reduceat(scores, np.searchsorted(rows, np.arange(num_rows)))
    places = (scores >= best[rows] - _TIE).nonzero()[0]
    first = np.searchsorted(rows[places], np.arange(num_rows + 1))
    drawn = (rng.random(num_rows) * np.diff(first)).astype(np.int64)
    return places[first[:-1] + drawn]
