"""The network in numpy: it needs neither torch nor onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ...common.arrays import Floats
from ...network.plain import Layers, relu
from .choices import BEHIND
from .inputs import Inputs
from .sites import SITE_FEATURES

# Layers of all sites or choices, in the network's order.
_TRANSPOSED = "site_in", "site_out", "choice_in", "choice_sites", "choice_hidden", "choice_out"
_WEIGHTS = "select_1", "select_2"  # of the planner's scores: as a round is planned, and placed
_PLACING = SITE_FEATURES.index("placing")
_PADDING = -1e9


class PlainForward:
    """Calls the network on inputs: what `NetworkAgent` takes (see `network.Network`)."""

    def __init__(self, arrays: Mapping[str, Floats]) -> None:
        """Takes the arrays of an exported model, in its order.

        Weights have their names in the network, but for those that the export renamed.
        """
        self._linear = Layers(arrays, _TRANSPOSED)
        self._planning, self._placing = (arrays[name] for name in _WEIGHTS)

    def __call__(self, inputs: Inputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        linear, padding = self._linear, inputs.actions < 0
        context = relu(linear("context.2", relu(linear("context.0", inputs.numbers))))
        hidden = linear("site_in", inputs.sites) + linear("site_context", context)[:, None]
        embedding = linear("site_out", relu(hidden))
        covered = _sum_spots(embedding, inputs.spots)
        hidden = linear("choice_in", inputs.choices) + linear("choice_sites", covered)
        hidden = relu(hidden + linear("choice_context", context)[:, None])
        hidden = linear("choice_hidden", hidden)
        best = relu(np.where(padding[..., None], np.float32(0), hidden).max(axis=1))
        scored = relu(hidden + linear("choice_others", best)[:, None])
        placing = inputs.sites[:, :1, _PLACING]
        planner = self._planning * (1 - placing) + self._placing * placing
        logits = linear("choice_out", scored)[..., 0] + inputs.choices[..., BEHIND] * planner
        logits = np.where(padding, np.float32(_PADDING), logits)
        seen = np.hstack([context, best, embedding.mean(axis=1)])
        return logits, linear("value.2", relu(linear("value.0", seen)))[:, 0]


def _sum_spots(embedding: Floats, spots: NDArray[np.uint8]) -> Floats:
    """Sums the embeddings [M, S, E] of spots [M, K, 4], where S is none: [M, K, E]."""
    padded = np.pad(embedding, ((0, 0), (0, 1), (0, 0)))
    return padded[np.arange(len(spots))[:, None, None], spots].sum(axis=2)
