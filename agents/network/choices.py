"""The base of readers: a game's own one says how positions and choices look to the network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.spec import Config, Engine

from .. import arrays
from ..arrays import Floats, Indices, Masks, Observations, best_of_rows
from .agent import Forward, Reader, TrainingDefaults
from .layers import PADDING, Layers, Shapes, check_weights, linear, relu

NUM_CHOICES = 16  # K
BEHIND = 0
"""Place among the features of a choice: the planner's score less that of the best choice."""


class ChoiceSizes(NamedTuple):
    """The sizes that depend on the game and the number of players."""

    numbers: int  # C
    features: int  # of a choice, G
    tokens: int  # numbers that tell what a choice is, from 0


@dataclass(frozen=True)
class ChoiceInputs(arrays.Inputs):
    """M decisions with at most K choices each."""

    numbers: Floats  # the position, [M, C]
    choices: Floats  # features of the choices, [M, K, G]
    tokens: NDArray[np.uint8]  # what each choice is, [M, K] uint8
    # action of each choice, best first by the planner's scores, [M, K] int16; -1 for padding
    actions: NDArray[np.int16]

    @classmethod
    def zeros(cls, sizes: ChoiceSizes) -> ChoiceInputs:
        """Returns one decision whose inputs are all 0."""
        shape = 1, NUM_CHOICES
        return cls(
            numbers=np.zeros((1, sizes.numbers), np.float32),
            choices=np.zeros((*shape, sizes.features), np.float32),
            tokens=np.zeros(shape, np.uint8),
            actions=np.zeros(shape, np.int16),
        )


POINTS = np.float32(10)  # the unit in which points are given to the network


class PlannerView(NamedTuple):
    """M positions as the planner judges them."""

    scores: Floats  # of all actions in points, [M, A]; those of illegal ones say nothing
    numbers: Floats  # the positions, apart from what is read as it is, [M, F]
    #: Returns features [L, G - 2] and tokens [L] of rows and actions, both [L].
    features: Callable[[Indices, Indices], tuple[Floats, NDArray[np.integer]]]


class ChoiceReader(Reader):
    """Reads inputs for a game.

    A game's reader sets the attributes of the class and adds `planner_view`.

    Attributes:
        seen: features of observations that the network sees as they are.
        num_features: G - 2, features of a choice besides its score.
        num_tokens: what choices can be.
    """

    inputs = ChoiceInputs
    # A seat takes some 70 decisions, and what one is worth often shows many decisions later.
    training = TrainingDefaults(decisions=32, gae_lambda=0.97, entropy=0.0, epochs=4, chunk=256)
    seen: ClassVar[tuple[str, ...]]
    num_features: ClassVar[int]
    num_tokens: ClassVar[int]

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        features = config.features
        slices = [features[name].slice for name in self.seen]
        self._columns = np.concatenate([np.arange(part.start, part.stop) for part in slices])
        self._scales = (1 / features.scales[self._columns]).astype(np.float32)
        nothing = np.zeros((1, features.size), np.uint8)
        numbers = self.read_observations(nothing, np.ones((1, config.actions.size), np.bool_))
        self.sizes = ChoiceSizes(numbers.numbers.shape[1], 2 + self.num_features, self.num_tokens)

    def numpy_forward(self, weights: Mapping[str, Floats]) -> Forward:
        """Returns the network in numpy (see `Reader.numpy_forward`)."""
        return ChoiceForward(weights, self.sizes)

    def planner_view(self, observations: Observations) -> PlannerView:
        """Returns how the planner judges what M seats to act see, [M, D]."""
        raise NotImplementedError

    def zeros(self) -> ChoiceInputs:
        """Returns one decision whose inputs are all 0, to try a network with."""
        return ChoiceInputs.zeros(self.sizes)

    def read_engine(self, engine: Engine, games: Indices, seats: Indices) -> ChoiceInputs:
        """Returns the inputs of M decisions (see `Reader.read_engine`); seats are those to act."""
        return self.read_observations(engine.observe(rows=games), engine.legal_action_mask(games))

    def read_observations(self, observations: Observations, masks: Masks) -> ChoiceInputs:
        """Returns the inputs of M decisions from observations [M, D] and masks [M, A]."""
        view, shape = self.planner_view(observations), (len(masks), NUM_CHOICES)
        rows, actions = masks.nonzero()
        scores = view.scores[rows, actions] / POINTS
        top, rank = best_of_rows(rows, scores, NUM_CHOICES)
        rows, actions, scores = rows[top], actions[top], scores[top]
        behind = scores - scores[rank == 0][rows]
        features, tokens = view.features(rows, actions)
        choices = np.zeros((*shape, 2 + self.num_features), np.float32)
        choices[rows, rank] = np.column_stack([behind, scores, features])
        what, listed = np.zeros(shape, np.uint8), np.full(shape, -1, np.int16)
        what[rows, rank], listed[rows, rank] = tokens, actions
        numbers = np.hstack([observations[:, self._columns] * self._scales, view.numbers])
        return ChoiceInputs(numbers.astype(np.float32), choices, what, listed)


class RatedChoices:
    """Weights of a network that rates choices (see `networks`), in numpy."""

    def __init__(self, weights: Mapping[str, Floats], shapes: Callable[[int], Shapes]) -> None:
        """Takes the weights by their names in the network, and their shapes by its width.

        Raises:
            ValueError: they are of another network.
        """
        check_weights(weights, shapes)
        self.layers, self.weights = Layers(weights), weights

    def _context(self, numbers: Floats) -> Floats:
        """Returns the units of positions, [M, width]."""
        return relu(self.layers("context.2", relu(self.layers("context.0", numbers))))

    def _rate(
        self, context: Floats, hidden: Floats, padding: NDArray[np.bool_]
    ) -> tuple[Floats, Floats]:
        """Returns the ratings of choices [M, K], and the best of their units [M, width]."""
        layers = self.layers
        hidden = relu(hidden + layers("choice_context", context)[:, None])
        hidden = layers("choice_hidden", hidden)
        best = relu(np.where(padding[..., None], np.float32(0), hidden).max(axis=1))
        rated = relu(hidden + layers("choice_others", best)[:, None])
        return layers("choice_out", rated)[..., 0], best

    def _value(self, *seen: Floats) -> Floats:
        """Returns values, [M]."""
        return self.layers("value.2", relu(self.layers("value.0", np.hstack(seen))))[:, 0]


def rating_shapes(numbers: int, features: int, seen: int, weights: int, width: int) -> Shapes:
    """Returns the shapes of the weights that all networks of choices have.

    Args:
        numbers: of a position.
        features: of a choice.
        seen: units that the value sees.
        weights: of the planner's scores.
        width: of the network.
    """
    return (
        linear("context.0", numbers, 2 * width)
        | linear("context.2", 2 * width, width)
        | linear("choice_in", features, width)
        | linear("choice_context", width, width, bias=False)
        | linear("choice_hidden", width, width)
        | linear("choice_others", width, width, bias=False)
        | linear("choice_out", width, 1)
        | {"planner_weight": (weights,)}
        | linear("value.0", seen, width)
        | linear("value.2", width, 1)
    )


class ChoiceForward(RatedChoices):
    """Calls the network on inputs: what `NetworkAgent` takes (see `networks.ChoiceNetwork`)."""

    def __init__(self, weights: Mapping[str, Floats], sizes: ChoiceSizes) -> None:
        """Takes the weights (see `RatedChoices`)."""
        super().__init__(
            weights,
            lambda width: (
                rating_shapes(sizes.numbers, sizes.features, 2 * width, 1, width)
                | {"token.weight": (sizes.tokens, width)}
            ),
        )

    def __call__(self, inputs: ChoiceInputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        padding, context = inputs.actions < 0, self._context(inputs.numbers)
        tokens = self.weights["token.weight"][inputs.tokens]
        hidden = self.layers("choice_in", inputs.choices) + tokens
        ratings, best = self._rate(context, hidden, padding)
        logits = ratings + inputs.choices[..., BEHIND] * self.weights["planner_weight"] * 10
        return np.where(padding, np.float32(PADDING), logits), self._value(context, best)
