"""The network in numpy, for searches: it needs neither torch nor onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...common.arrays import Floats
from .inputs import BEHIND, Inputs

_TRANSPOSED = "choice_in", "choice_hidden", "choice_out"  # layers of all choices, as they follow
_PADDING = -1e9


class PlainForward:
    """Calls the network on inputs: what `NetworkAgent` takes (see `network.Network`)."""

    def __init__(self, arrays: Mapping[str, Floats]) -> None:
        """Takes the arrays of an exported model, in its order.

        Weights have their names in the network, but for those that the export transposed.
        """
        self._weights = dict(arrays)
        transposed = (a.T for name, a in arrays.items() if name.startswith("val_") and a.ndim == 2)
        for name, weights in zip(_TRANSPOSED, transposed, strict=True):
            self._weights[f"{name}.weight"] = np.ascontiguousarray(weights)

    def _linear(self, name: str, inputs: Floats) -> Floats:
        flat = inputs.reshape(-1, inputs.shape[-1])  # one product is faster than one a decision
        found: Floats = flat @ self._weights[f"{name}.weight"].T
        found = found.reshape(*inputs.shape[:-1], found.shape[1])
        bias = self._weights.get(f"{name}.bias")
        return found if bias is None else found + bias

    def __call__(self, inputs: Inputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        linear, padding = self._linear, inputs.actions < 0
        context = _relu(linear("context.2", _relu(linear("context.0", inputs.numbers))))
        hidden = linear("choice_in", inputs.choices) + self._weights["token.weight"][inputs.tokens]
        hidden = _relu(hidden + linear("choice_context", context)[:, None])
        hidden = linear("choice_hidden", hidden)
        best = _relu(np.where(padding[..., None], np.float32(0), hidden).max(axis=1))
        scored = _relu(hidden + linear("choice_others", best)[:, None])
        planner = inputs.choices[..., BEHIND] * self._weights["planner_weight"] * 10
        logits = np.where(padding, _PADDING, linear("choice_out", scored)[..., 0] + planner)
        value = linear("value.2", _relu(linear("value.0", np.hstack([context, best]))))
        return logits.astype(np.float32), value[:, 0]


def _relu(inputs: Floats) -> Floats:
    found: Floats = np.maximum(inputs, 0)
    return found
