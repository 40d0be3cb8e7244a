"""How games rank their players, the scale of ratings, and the level of all intervals.

Nothing here needs SciPy.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

Seats = tuple[int, ...]
"""Indices of agents; one that sits on several seats occurs several times."""
Ranking = Sequence[tuple[int, int]]
"""The agent and the place of each seat of a game; seats that tie share a place."""
ANCHOR_RATING = 1000.0
POINTS = 400 / np.log(10)  # of a rating for each unit of log strength
CONFIDENCE = 0.95
TAILS = (1 - CONFIDENCE) / 2, 1 - (1 - CONFIDENCE) / 2
"""The probabilities that the ends of an interval cut off."""


def places_of(scores: Sequence[int], winners: Collection[int]) -> tuple[int, ...]:
    """Returns the place of each seat, [P], 0 for winners; seats that tie share a place.

    Winners come first, whom the rules determine; the others follow by score.
    """
    points = [(seat not in winners, -score) for seat, score in enumerate(scores)]
    keys = [key if key[0] else (False, 0) for key in points]
    order = sorted(set(keys))
    return tuple(order.index(key) for key in keys)


def choices_of(ranking: Ranking) -> list[tuple[Seats, Seats]]:
    """Returns the choices that a ranking consists of: (all that were left, those chosen)."""
    left, choices = sorted(ranking), []
    while len(left) > 1:
        best = min(place for _, place in left)
        chosen = tuple(agent for agent, place in left if place == best)
        choices.append((tuple(agent for agent, _ in left), chosen))
        left = [seat for seat in left if seat[1] != best]
    return choices
