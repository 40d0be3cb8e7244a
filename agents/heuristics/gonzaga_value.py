"""The learned value: what each player's share of the victory is expected to be."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.state import State, winners
from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.bounded import VALUE_BYTES
from gonzaga_env.kernel.result import win_shares

from ..arrays import read_arrays
from .gonzaga_features import NUM_OWN, NUM_SHARED, FeatureReader, highest_of_others

Floats = NDArray[np.float32]
HIDDEN = (64, 32)  # units of the hidden layers
_FOLDER = Path(__file__).parents[1] / "values"


class Value:
    """A small network over `FeatureReader`'s features; every seat is seen by the same weights."""

    def __init__(self, config: GameConfig, arrays: Mapping[str, NDArray[np.floating]]) -> None:
        """Takes the weights: "w0", "w1", ... of the layers and "b0", "b1", ..., their biases."""
        self._tables, self._reader = config.tables, FeatureReader(config.tables, config.rules)
        self._layers = [
            (arrays[f"w{i}"].astype(np.float32), arrays[f"b{i}"].astype(np.float32))
            for i in range(len(HIDDEN) + 1)
        ]

    @classmethod
    def load(cls, config: GameConfig, path: Path) -> Self:
        """Returns the value of a file (see `save_arrays`).

        Raises:
            AgentError: it cannot be read, or an array is missing, or has another shape or numbers
                that are not finite.
        """
        sizes = [3 * NUM_OWN + NUM_SHARED, *HIDDEN, 1]
        shapes: dict[str, tuple[int, ...]] = {}
        for i, (size, after) in enumerate(pairwise(sizes)):
            shapes |= {f"w{i}": (size, after), f"b{i}": (after,)}
        arrays = read_arrays(path, VALUE_BYTES)
        for name, shape in shapes.items():
            if name not in arrays:
                raise AgentError(f"{path}: {name} is missing")
            if arrays[name].shape != shape:
                raise AgentError(f"{path}: {name} has the shape {arrays[name].shape}, not {shape}")
        return cls(config, arrays)

    @classmethod
    def shipped(cls, config: GameConfig) -> Self:
        """Returns the value that comes with this package, by the number of players."""
        return cls.load(config, _FOLDER / f"gonzaga_players_{config.num_players}.npz")

    def shares(self, state: State) -> Floats:
        """Returns the share of the victory that each player may expect, [N, P].

        Args:
            state: games between rounds; of finished games the shares are those of the winners.
        """
        own, shared = self._reader.read(state)
        logits = self._forward(own, shared)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        over = state.finished.nonzero()[0]
        if len(over):
            shares[over] = win_shares(winners(self._tables, state.take(over)))
        return shares

    def _forward(self, own: Floats, shared: Floats) -> Floats:
        """Returns logits [N, P]."""
        size = own.shape[2]
        (weights, bias), *layers = self._layers
        parts = np.split(weights, [size, 2 * size, 3 * size])
        mean = (own.sum(axis=1, keepdims=True) - own) / np.float32(own.shape[1] - 1)
        hidden: Floats = own @ parts[0] + mean @ parts[1] + highest_of_others(own) @ parts[2]
        hidden += (shared @ parts[3])[:, None] + bias
        for weights, bias in layers:
            hidden = np.maximum(hidden, 0) @ weights + bias
        return hidden[..., 0]
