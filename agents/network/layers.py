"""Networks in numpy: their layers, and the check of their weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.errors import OptionError

from ..arrays import Floats

LEAST_WIDTH, MOST_WIDTH = 8, 1024
"""The widths that a network takes; Gonzaga's widest one has some 15 million weights."""
PADDING = -1e9
"""The logit of a choice that does not exist."""
Shapes = dict[str, tuple[int, ...]]
"""The shapes of all weights of a network, by their names."""


class Layers:
    """The linear layers of a network, called by their names in it."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights

    def __call__(self, name: str, inputs: Floats) -> Floats:
        """Returns the outputs of a layer for inputs [..., D]."""
        flat = inputs.reshape(-1, inputs.shape[-1])  # one product is faster than one a decision
        found: Floats = flat @ self._weights[f"{name}.weight"].T
        found = found.reshape(*inputs.shape[:-1], found.shape[1])
        bias = self._weights.get(f"{name}.bias")
        return found if bias is None else found + bias


def linear(name: str, num_inputs: int, num_outputs: int, bias: bool = True) -> Shapes:
    """Returns the shapes of the weights of a linear layer."""
    weight: Shapes = {f"{name}.weight": (num_outputs, num_inputs)}
    return weight | {f"{name}.bias": (num_outputs,)} if bias else weight


def relu(inputs: Floats) -> Floats:
    """Returns inputs with 0 in place of what is negative."""
    return np.maximum(inputs, 0)


def check_weights(
    weights: Mapping[str, Floats],
    shapes: Callable[[int], Shapes],
    hidden: str = "context.2.bias",
) -> None:
    """Raises ValueError unless weights are float32 and have the names and shapes of a network.

    The bias `hidden` has as many numbers as the network is wide.
    """
    width = weights[hidden].size if hidden in weights else 0
    found = {name: array.shape for name, array in weights.items()}
    kinds = {array.dtype.name for array in weights.values()}
    fits = LEAST_WIDTH <= width <= MOST_WIDTH and found == shapes(width)
    if not fits or kinds != {"float32"}:
        raise ValueError("holds weights of another network than this game's")


def is_width(value: object) -> bool:
    """Returns whether a network may be this wide."""
    return is_integer(value) and LEAST_WIDTH <= value <= MOST_WIDTH


def check_width(width: object) -> None:
    """Raises OptionError for a width that no network takes."""
    if not is_width(width):
        raise OptionError(f"width is {width!r}; it takes {LEAST_WIDTH} to {MOST_WIDTH}")
