"""Chi-square tests: whether values were drawn with the chances that they should have."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

Value = tuple[int, ...]
_FEWEST = 5  # expected of a value; rarer ones count together
_RARE: Value = ()


def limit_of(degrees: int) -> float:
    """Returns the chi-square value that one true sample in a million passes.

    It is Wilson and Hilferty's approximation; 4.753 is the normal quantile.
    """
    return degrees * (1 - 2 / (9 * degrees) + 4.753 * (2 / (9 * degrees)) ** 0.5) ** 3


def assert_chances(drawn: np.ndarray, chances: Mapping[Value, float], what: str) -> None:
    """Tests values [M, n] against the chances of all possible ones, which may be weights."""
    counts, total = Counter(map(tuple, drawn.tolist())), sum(chances.values())
    possible = {value for value, chance in chances.items() if chance}
    assert counts.keys() <= possible, what
    if len(possible) == 1:
        return
    expected = {value: len(drawn) * chances[value] / total for value in possible}
    means: dict[Value, float] = defaultdict(float)
    found: dict[Value, int] = defaultdict(int)
    for value, mean in expected.items():
        group = value if mean >= _FEWEST else _RARE
        means[group] += mean
        found[group] += counts[value]
    if means[_RARE] < _FEWEST:
        del means[_RARE]
    assert means.keys() - {_RARE}, "too few samples for the test"
    chi_square = sum((found[group] - mean) ** 2 / mean for group, mean in means.items())
    assert chi_square < limit_of(len(means) - 1 or 1), what


def assert_uniform(drawn: np.ndarray, possible: Iterable[Any], what: str) -> None:
    """Tests values [M, n] against a uniform distribution over the possible ones."""
    assert_chances(drawn, dict.fromkeys(possible, 1.0), what)
