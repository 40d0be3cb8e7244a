"""The network in numpy, for searches: it needs neither torch nor onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...common.arrays import Floats
from ..plain import Layers, relu
from .inputs import BEHIND, Inputs

_TRANSPOSED = "choice_in", "choice_hidden", "choice_out"  # layers of all choices, as they follow
_PADDING = -1e9


class PlainForward:
    """Calls the network on inputs: what `NetworkAgent` takes (see `network.Network`)."""

    def __init__(self, arrays: Mapping[str, Floats]) -> None:
        """Takes the arrays of an exported model, in its order.

        Weights have their names in the network, but for those that the export transposed.
        """
        self._linear, self._arrays = Layers(arrays, _TRANSPOSED), arrays

    def __call__(self, inputs: Inputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        linear, padding = self._linear, inputs.actions < 0
        context = relu(linear("context.2", relu(linear("context.0", inputs.numbers))))
        hidden = linear("choice_in", inputs.choices) + self._arrays["token.weight"][inputs.tokens]
        hidden = relu(hidden + linear("choice_context", context)[:, None])
        hidden = linear("choice_hidden", hidden)
        best = relu(np.where(padding[..., None], np.float32(0), hidden).max(axis=1))
        scored = relu(hidden + linear("choice_others", best)[:, None])
        planner = inputs.choices[..., BEHIND] * self._arrays["planner_weight"] * 10
        logits = np.where(padding, _PADDING, linear("choice_out", scored)[..., 0] + planner)
        value = linear("value.2", relu(linear("value.0", np.hstack([context, best]))))
        return logits.astype(np.float32), value[:, 0]
