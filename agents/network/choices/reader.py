"""The base of readers: a game's own one says how positions and choices look to the network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ...common.arrays import Floats, Indices, Masks, Observations, best_of_rows
from ..agent import Forward, Practice
from .inputs import NUM_CHOICES, Inputs, InputSizes
from .plain import PlainForward

if TYPE_CHECKING:
    from ..parts import NetworkParts

POINTS = np.float32(10)  # the unit in which points are given to the network


class Judged(NamedTuple):
    """M positions as the planner judges them."""

    scores: Floats  # of all actions in points, [M, A]; those of illegal ones say nothing
    numbers: Floats  # the positions, apart from what is read as it is, [M, F]
    # of listed actions: a function of rows and actions, both [L], which returns their features [L,
    # G - 2] and their tokens [L]
    features: Any


class ChoiceReader:
    """Reads inputs for a game. A game's reader sets the attributes of the class and adds `judge`.

    Attributes:
        version: of what the inputs mean; checkpoints and policies of another one are refused.
        seen: features of observations that the network sees as they are.
        num_features: G - 2, features of a choice besides its score.
        num_tokens: what choices can be.
        config: what is played.
        sizes: sizes of the inputs.
    """

    inputs: ClassVar[Any] = Inputs
    version: ClassVar[int] = 1
    # A seat takes some 70 decisions, and what one is worth often shows many decisions later.
    practice: Practice = Practice(decisions=32, gae_lambda=0.97, entropy=0.0, epochs=4, chunk=256)
    reads_ahead: ClassVar[bool] = True
    seen: ClassVar[tuple[str, ...]]
    num_features: ClassVar[int]
    num_tokens: ClassVar[int]

    def __init__(self, config: Any) -> None:
        self.config, features = config, config.features
        slices = [features[name].slice for name in self.seen]
        self._columns = np.concatenate([np.arange(part.start, part.stop) for part in slices])
        self._scales = (1 / features.scales[self._columns]).astype(np.float32)
        nothing = np.zeros((1, features.size), np.uint8)
        numbers = self.read_observations(nothing, np.ones((1, config.actions.size), np.bool_))
        self.sizes = InputSizes(numbers.numbers.shape[1], 2 + self.num_features, self.num_tokens)

    @classmethod
    def parts(cls) -> NetworkParts:
        """Returns what is trained (see `NetworkParts`); this needs torch."""
        from .network import parts_of

        return parts_of(cls)

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
