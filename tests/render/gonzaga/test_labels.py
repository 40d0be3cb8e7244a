"""The places of names: the best there are, found without trying everything to the end."""

import math
from typing import Any

import numpy as np

from gonzaga_env.render.gonzaga import labels
from gonzaga_env.render.gonzaga import map as scene
from gonzaga_env.render.gonzaga.labels import LabelPlacer
from gonzaga_env.render.gonzaga.map import board_layout


def best_of_all(
    home: Any, samples: np.ndarray, bonus: float, limit: float
) -> tuple[float, tuple[int, int]] | None:
    """Returns what `_Home.best_place` returns, from all costs at all positions."""
    steps = np.rint(samples / labels.STEP).astype(int).clip(-home._pad, home._pad)
    cost = home._cost.reshape(-1, home._width)
    height, width = home._shape
    top, left = divmod(int(home._places[0]), home._width)
    total = np.zeros((height, width))
    for x, y in steps:
        total += cost[top + y : top + y + height, left + x : left + x + width]
    penalty = total / len(samples) + home._away.reshape(height, width) + bonus
    row, col = divmod(int(penalty.argmin()), width)
    if penalty[row, col] >= limit:
        return None
    return float(penalty[row, col]), (top + row - home._pad, left + col - home._pad)


def test_the_places_are_the_best_of_all(europe, monkeypatch) -> None:
    found = scene._map_labels.__wrapped__(europe)
    monkeypatch.setattr(labels._Home, "best_place", best_of_all)
    assert scene._map_labels.__wrapped__(europe) == found


def test_names_avoid_what_is_taken(europe) -> None:
    layout = board_layout(europe)
    placer = LabelPlacer(europe, layout, [])
    (first,) = placer.place("I", "Italia", scene._REGION_STYLE)
    (second,) = placer.place("I", "Italia", scene._REGION_STYLE)
    assert first.at != second.at
    x, y = first.at
    placer.take((x - 60, y - 60, x + 60, y + 60))
    (third,) = placer.place("I", "Italia", scene._REGION_STYLE)
    assert math.dist(first.at, third.at) > 60
    assert (placer.place("I", "two words", scene._SEA_STYLE)[0]).text in ("TWO WORDS", "TWO")
