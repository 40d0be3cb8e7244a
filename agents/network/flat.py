"""The plain network, in numpy: it sees observations as they are, and which actions are legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.spec import Config, Engine

from .. import arrays
from ..arrays import Floats, Indices, Masks, Observations
from .agent import Forward, Reader, TrainingDefaults
from .layers import PADDING, Layers, Shapes, check_weights, linear, relu


class FlatSizes(NamedTuple):
    """The sizes of a game's observations and actions."""

    scales: tuple[float, ...]  # what each byte of an observation is divided by, D numbers
    actions: int  # A


@dataclass(frozen=True)
class FlatInputs(arrays.Inputs):
    """M decisions whose choices are all legal actions, K at most."""

    observations: Observations  # [M, D] uint8
    actions: NDArray[np.int16]  # the legal actions in ascending order, [M, K] int16; -1 for padding

    @classmethod
    def of(cls, observations: Observations, rows: Indices, actions: Indices) -> Self:
        """Returns the inputs of M decisions, by rows (ascending) and legal actions, [L]."""
        place = np.arange(len(rows)) - np.searchsorted(rows, rows)
        listed = np.full((len(observations), int(place.max(initial=0)) + 1), -1, np.int16)
        listed[rows, place] = actions
        return cls(observations, listed)

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Returns one part or more as one, in their order, padded to the longest list."""
        most = max(part.actions.shape[1] for part in parts)
        padded = [
            np.pad(part.actions, ((0, 0), (0, most - part.actions.shape[1])), constant_values=-1)
            for part in parts
        ]
        observations = np.concatenate([part.observations for part in parts])
        return cls(observations, np.concatenate(padded))


class FlatForward:
    """Calls the network on inputs: what `NetworkAgent` takes (see `networks.FlatNetwork`)."""

    def __init__(self, weights: Mapping[str, Floats], sizes: FlatSizes) -> None:
        check_weights(weights, lambda width: _shapes(sizes, width), "body.layers.2.bias")
        self._layers = Layers(weights)
        self._scales = (1 / np.array(sizes.scales)).astype(np.float32)

    def __call__(self, inputs: FlatInputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        layers, actions = self._layers, inputs.actions.astype(np.int64)
        hidden = relu(layers("body.layers.0", inputs.observations * self._scales))
        hidden = relu(layers("body.layers.2", hidden))
        logits = np.take_along_axis(layers("policy", hidden), actions.clip(min=0), axis=1)
        logits[actions < 0] = PADDING
        return logits, layers("value", hidden)[:, 0]


def _shapes(sizes: FlatSizes, width: int) -> Shapes:
    return (
        linear("body.layers.0", len(sizes.scales), width)
        | linear("body.layers.2", width, width)
        | linear("policy", width, sizes.actions)
        | linear("value", width, 1)
    )


class FlatReader(Reader):
    """Reads inputs of any game, and knows nothing else of it."""

    inputs = FlatInputs
    training = TrainingDefaults(gae_lambda=0.95)
    reads_ahead = False  # a seat sees at its turn what an environment shows it

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.sizes = FlatSizes(tuple(config.features.scales.tolist()), config.actions.size)

    def numpy_forward(self, weights: Mapping[str, Floats]) -> Forward:
        """Returns the network in numpy (see `Reader.numpy_forward`)."""
        return FlatForward(weights, self.sizes)

    def zeros(self) -> FlatInputs:
        """Returns one decision whose inputs are all 0, to try a network with."""
        size = len(self.sizes.scales)
        return FlatInputs(np.zeros((1, size), np.uint8), np.zeros((1, 1), np.int16))

    def read_engine(self, engine: Engine, games: Indices, seats: Indices) -> FlatInputs:
        """Returns the inputs of M decisions (see `Reader.read_engine`)."""
        return FlatInputs.of(*legal_in(engine, games, seats))

    def read_observations(self, observations: Observations, masks: Masks) -> FlatInputs:
        """Returns the inputs of M decisions from observations [M, D] and masks [M, A]."""
        return FlatInputs.of(observations, *masks.nonzero())


def legal_in(
    engine: Engine, games: Indices, seats: Indices
) -> tuple[NDArray[np.uint8], Indices, Indices]:
    """Returns what M deciding seats observe, [M, D], and their legal actions: rows and actions."""
    if (engine.seats[games] == seats).all():
        return engine.observe(rows=games), *engine.legal_actions(games)
    seen = np.empty((len(games), engine.config.features.size), np.uint8)
    for seat in np.unique(seats):  # ahead of their turn, several of a game may be asked
        own = (seats == seat).nonzero()[0]
        seen[own] = engine.observe(int(seat), games[own])
    return seen, *_legal_ahead(engine, games, seats)


def _legal_ahead(engine: Engine, games: Indices, seats: Indices) -> tuple[Indices, Indices]:
    """Returns the legal actions of M sealed decisions: positions among them, and actions.

    A sealed decision changes nothing for the seats after, so any legal one leads to their turn.
    """
    ahead, left, found = engine.copy(), np.arange(len(games)), []
    ahead.autoreset = False
    while True:
        now = ahead.seats[games[left]] == seats[left]
        rows, actions = ahead.legal_actions(games[left[now]])
        found.append((left[now][rows], actions))
        left = left[~now]
        if not len(left):
            break
        waiting = np.unique(games[left])
        rows, actions = ahead.legal_actions(waiting)
        ahead.step(actions[np.searchsorted(rows, np.arange(len(waiting)))], waiting)
    rows, actions = map(np.concatenate, zip(*found, strict=True))
    order = rows.argsort(kind="stable")
    return rows[order], actions[order]
