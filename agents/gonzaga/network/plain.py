"""The network of Gonzaga in numpy, for play and searches without torch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ...common.arrays import Floats
from ...network.plain import PADDING, Layers, Shapes, check_weights, relu
from .choices import BEHIND, CHOICE_FEATURES
from .inputs import Inputs, InputSizes
from .sites import SITE_FEATURES

_PLACING = SITE_FEATURES.index("placing")


class PlainForward:
    """Calls the network on inputs: what `NetworkAgent` takes (see `network.Network`)."""

    def __init__(self, weights: Mapping[str, Floats], sizes: InputSizes) -> None:
        """Takes the weights of a network by their names in it.

        Raises:
            ValueError: they are of another network.
        """
        check_weights(weights, lambda width: _shapes(sizes, width))
        self._linear = Layers(weights)
        self._planning, self._placing = weights["planner_weight"]  # a weight for each phase

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
        logits = np.where(padding, np.float32(PADDING), logits)
        seen = np.hstack([context, best, embedding.mean(axis=1)])
        return logits, linear("value.2", relu(linear("value.0", seen)))[:, 0]


def _sum_spots(embedding: Floats, spots: NDArray[np.uint8]) -> Floats:
    """Sums the embeddings [M, S, E] of spots [M, K, 4], where S is none: [M, K, E]."""
    padded = np.pad(embedding, ((0, 0), (0, 1), (0, 0)))
    return padded[np.arange(len(spots))[:, None, None], spots].sum(axis=2)


def _shapes(sizes: InputSizes, width: int) -> Shapes:
    half, features = width // 2, len(CHOICE_FEATURES)
    return {
        "context.0.weight": (2 * width, sizes.numbers),
        "context.0.bias": (2 * width,),
        "context.2.weight": (width, 2 * width),
        "context.2.bias": (width,),
        "site_in.weight": (half, len(SITE_FEATURES)),
        "site_in.bias": (half,),
        "site_context.weight": (half, width),
        "site_out.weight": (half, half),
        "site_out.bias": (half,),
        "choice_in.weight": (width, features),
        "choice_in.bias": (width,),
        "choice_sites.weight": (width, half),
        "choice_context.weight": (width, width),
        "choice_hidden.weight": (width, width),
        "choice_hidden.bias": (width,),
        "choice_others.weight": (width, width),
        "choice_out.weight": (1, width),
        "choice_out.bias": (1,),
        "planner_weight": (2,),
        "value.0.weight": (width, 2 * width + half),
        "value.0.bias": (width,),
        "value.2.weight": (1, width),
        "value.2.bias": (1,),
    }
