"""Layers of an exported network in numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..common.arrays import Floats


class Layers:
    """The linear layers of an exported model, called by their names in the network."""

    def __init__(self, arrays: Mapping[str, Floats], transposed: Sequence[str]) -> None:
        """Takes the arrays of a model, in its order.

        Args:
            arrays: weights and biases.
            transposed: the layers whose weights the export transposed and renamed, in its order.

        Raises:
            ValueError: the model has another number of these.
        """
        self._arrays = dict(arrays)
        renamed = (a.T for name, a in arrays.items() if name.startswith("val_") and a.ndim == 2)
        for name, weights in zip(transposed, renamed, strict=True):
            self._arrays[f"{name}.weight"] = np.ascontiguousarray(weights)

    def __call__(self, name: str, inputs: Floats) -> Floats:
        """Returns what a layer makes of inputs [..., D]."""
        flat = inputs.reshape(-1, inputs.shape[-1])  # one product is faster than one a decision
        found: Floats = flat @ self._arrays[f"{name}.weight"].T
        found = found.reshape(*inputs.shape[:-1], found.shape[1])
        bias = self._arrays.get(f"{name}.bias")
        return found if bias is None else found + bias


def relu(inputs: Floats) -> Floats:
    """Returns inputs with 0 in place of what is negative."""
    return np.maximum(inputs, 0)
