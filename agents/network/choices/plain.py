"""The network of choices in numpy, for play and searches without torch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...common.arrays import Floats
from ..plain import PADDING, Layers, Shapes, check_weights, relu
from .inputs import BEHIND, Inputs, InputSizes


class PlainForward:
    """Calls the network on inputs: what `NetworkAgent` takes (see `network.Network`)."""

    def __init__(self, weights: Mapping[str, Floats], sizes: InputSizes) -> None:
        """Takes the weights of a network by their names in it.

        Raises:
            ValueError: they are of another network.
        """
        check_weights(weights, lambda width: _shapes(sizes, width))
        self._linear, self._weights = Layers(weights), weights

    def __call__(self, inputs: Inputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        linear, padding = self._linear, inputs.actions < 0
        context = relu(linear("context.2", relu(linear("context.0", inputs.numbers))))
        hidden = linear("choice_in", inputs.choices) + self._weights["token.weight"][inputs.tokens]
        hidden = relu(hidden + linear("choice_context", context)[:, None])
        hidden = linear("choice_hidden", hidden)
        best = relu(np.where(padding[..., None], np.float32(0), hidden).max(axis=1))
        scored = relu(hidden + linear("choice_others", best)[:, None])
        planner = inputs.choices[..., BEHIND] * self._weights["planner_weight"] * 10
        logits = np.where(padding, PADDING, linear("choice_out", scored)[..., 0] + planner)
        value = linear("value.2", relu(linear("value.0", np.hstack([context, best]))))
        return logits.astype(np.float32), value[:, 0]


def _shapes(sizes: InputSizes, width: int) -> Shapes:
    return {
        "context.0.weight": (2 * width, sizes.numbers),
        "context.0.bias": (2 * width,),
        "context.2.weight": (width, 2 * width),
        "context.2.bias": (width,),
        "token.weight": (sizes.tokens, width),
        "choice_in.weight": (width, sizes.features),
        "choice_in.bias": (width,),
        "choice_context.weight": (width, width),
        "choice_hidden.weight": (width, width),
        "choice_hidden.bias": (width,),
        "choice_others.weight": (width, width),
        "choice_out.weight": (1, width),
        "choice_out.bias": (1,),
        "planner_weight": (1,),
        "value.0.weight": (width, 2 * width),
        "value.0.bias": (width,),
        "value.2.weight": (1, width),
        "value.2.bias": (1,),
    }
