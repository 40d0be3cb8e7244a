"""The base of readers: a game's own one says how positions and choices look to the network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import arrays
from ..arrays import Floats, Indices, Masks, Observations, best_of_rows
from .agent import Forward, Reader, TrainingDefaults
from .layers import PADDING, Layers, Shapes, check_weights, relu

NUM_CHOICES = 16  # K
BEHIND = 0
"""Place among the features of a choice: the planner's score less that of the best choice."""


class InputSizes(NamedTuple):
    """The sizes that depend on the game and the number of players."""

    numbers: int  # C
    features: int  # of a choice, G
    tokens: int  # numbers that tell what a choice is, from 0


@dataclass(frozen=True)
class Inputs(arrays.Inputs):
    """M decisions with at most K choices each."""

    numbers: Floats  # the position, [M, C]
    choices: Floats  # features of the choices, [M, K, G]
    tokens: NDArray[np.uint8]  # what each choice is, [M, K] uint8
    # action of each choice, best first by the planner's scores, [M, K] int16; -1 for padding
    actions: NDArray[np.int16]

    @classmethod
    def zeros(cls, sizes: InputSizes) -> Inputs:
        """Returns one decision whose inputs are all 0."""
        shape = 1, NUM_CHOICES
        return cls(
            numbers=np.zeros((1, sizes.numbers), np.float32),
            choices=np.zeros((*shape, sizes.features), np.float32),
            tokens=np.zeros(shape, np.uint8),
            actions=np.zeros(shape, np.int16),
        )


POINTS = np.float32(10)  # the unit in which points are given to the network


class Judged(NamedTuple):
    """M positions as the planner judges them."""

    scores: Floats  # of all actions in points, [M, A]; those of illegal ones say nothing
    numbers: Floats  # the positions, apart from what is read as it is, [M, F]
    # of listed actions: a function of rows and actions, both [L], which returns their features [L,
    # G - 2] and their tokens [L]
    features: Any


class ChoiceReader(Reader):
    """Reads inputs for a game. A game's reader sets the attributes of the class and adds `judge`.

    Attributes:
        version: of what the inputs mean; checkpoints and policies of another one are refused.
        seen: features of observations that the network sees as they are.
        num_features: G - 2, features of a choice besides its score.
        num_tokens: what choices can be.
        config: what is played.
        sizes: sizes of the inputs.
    """

    inputs = Inputs
    # A seat takes some 70 decisions, and what one is worth often shows many decisions later.
    training = TrainingDefaults(decisions=32, gae_lambda=0.97, entropy=0.0, epochs=4, chunk=256)
    seen: ClassVar[tuple[str, ...]]
    num_features: ClassVar[int]
    num_tokens: ClassVar[int]

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        features = config.features
        slices = [features[name].slice for name in self.seen]
        self._columns = np.concatenate([np.arange(part.start, part.stop) for part in slices])
        self._scales = (1 / features.scales[self._columns]).astype(np.float32)
        nothing = np.zeros((1, features.size), np.uint8)
        numbers = self.read_observations(nothing, np.ones((1, config.actions.size), np.bool_))
        self.sizes = InputSizes(numbers.numbers.shape[1], 2 + self.num_features, self.num_tokens)

    def plain(self, weights: Mapping[str, Floats]) -> Forward:
        """Returns the network in numpy (see `Reader.plain`)."""
        return PlainForward(weights, self.sizes)

    def judge(self, observations: Observations) -> Judged:
        """Returns how the planner judges what M seats to act see, [M, D]."""
        raise NotImplementedError

    def zeros(self) -> Inputs:
        """Returns one decision whose inputs are all 0, to try a network with."""
        return Inputs.zeros(self.sizes)

    def read_engine(self, engine: Any, games: Indices, seats: Indices) -> Inputs:
        """Returns the inputs of M decisions (see `Reader.read_engine`); seats are those to act."""
        return self.read_observations(engine.observe(rows=games), engine.legal_action_mask(games))

    def read_observations(self, observations: Observations, masks: Masks) -> Inputs:
        """Returns the inputs of M decisions from observations [M, D] and masks [M, A]."""
        judged, shape = self.judge(observations), (len(masks), NUM_CHOICES)
        rows, actions = masks.nonzero()
        scores = judged.scores[rows, actions] / POINTS
        top, rank = best_of_rows(rows, scores, NUM_CHOICES)
        rows, actions, scores = rows[top], actions[top], scores[top]
        behind = scores - scores[rank == 0][rows]
        features, tokens = judged.features(rows, actions)
        choices = np.zeros((*shape, 2 + self.num_features), np.float32)
        choices[rows, rank] = np.column_stack([behind, scores, features])
        what, listed = np.zeros(shape, np.uint8), np.full(shape, -1, np.int16)
        what[rows, rank], listed[rows, rank] = tokens, actions
        numbers = np.hstack([observations[:, self._columns] * self._scales, judged.numbers])
        return Inputs(numbers.astype(np.float32), choices, what, listed)


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
