"""Inputs of a network that learns on top of a linear policy: its best choices, and their facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gonzaga_env.games import game_spec
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.spec import Config, Engine

from ..arrays import Floats, Indices, Masks, Observations, best_of_rows
from ..heuristics.facts import Choices
from ..heuristics.linear import fact_reader, parse_linear
from .agent import Forward, Reader, TrainingDefaults
from .choices import BEHIND, NUM_CHOICES, POINTS, ChoiceForward, ChoiceInputs, ChoiceSizes

_PLANE = 100  # numbers of a feature that is left to the facts
_SCORE = BEHIND + 1  # place among the features of a choice; facts follow


class LinearReader(Reader):
    """Reads the choices that a linear policy scores highest, in its order."""

    inputs = ChoiceInputs
    training = TrainingDefaults(critic_first=8)

    def __init__(self, config: Config, linear: Mapping[str, Json] | None = None) -> None:
        """Takes what is played, and the content of a file of weights; None takes untrained ones.

        Raises:
            AgentError: the game has no facts.
            ValueError: the content is broken, or of another game.
        """
        super().__init__(config)
        self._facts = fact_reader(config)
        self._policy = self._facts.untrained() if linear is None else parse_linear(linear, config)
        features = config.features
        slices = [feature.slice for feature in features]
        small = [np.arange(s.start, s.stop) for s in slices if s.stop - s.start < _PLANE]
        self._columns = np.concatenate(small)
        self._scales = (1 / features.scales[self._columns]).astype(np.float32)
        engine = game_spec(config.game).engine.from_config(config, 1, seed=0)
        first = np.zeros(1, np.int64)
        self.sizes = ChoiceSizes(
            numbers=len(self._columns) + len(self._facts.BASES),
            features=_SCORE + 1 + len(self._facts.NAMES),
            tokens=len(self._facts.NAMES),  # the first fact of the choice's kind
            secrets=self._facts.situation(engine, first, engine.seats).shape[1],
            sharpness=1 / self._policy.temperature,
        )
        if not game_spec(config.game).sealed:  # a seat takes many small decisions
            self.training = replace(self.training, decisions=32, gae_lambda=0.97, epochs=4)

    def numpy_forward(self, weights: Mapping[str, Floats]) -> Forward:
        """See `Reader.numpy_forward`."""
        return ChoiceForward(weights, self.sizes)

    def zeros(self) -> ChoiceInputs:
        """See `Reader.zeros`."""
        return ChoiceInputs.zeros(self.sizes)

    def read_engine(self, engine: Engine, games: Indices, seats: Indices) -> ChoiceInputs:
        """See `Reader.read_engine`."""
        seen = np.empty((len(games), engine.features.size), dtype=np.uint8)
        for seat in np.unique(seats):  # a game may be listed for several seats
            own = (seats == seat).nonzero()[0]
            seen[own] = engine.observe(int(seat), games[own])
        found = self._facts.read_engine(engine, games, seats, self._policy)
        return self._arrange(seen, found, self._facts.situation(engine, games, seats))

    def read_observations(self, observations: Observations, masks: Masks) -> ChoiceInputs:
        """See `Reader.read_observations`; what only a critic sees is 0."""
        rng = np.random.default_rng(0)
        found = self._facts.read(observations, masks, self._policy, rng)
        secrets = np.zeros((len(masks), self.sizes.secrets), np.float32)
        return self._arrange(observations, found, secrets)

    def _arrange(
        self, observations: Observations, found: list[Choices], secrets: Floats
    ) -> ChoiceInputs:
        """Returns the best choices of M decisions as padded arrays."""
        shape = len(observations), NUM_CHOICES
        choices = np.zeros((*shape, self.sizes.features), np.float32)
        tokens, actions = np.zeros(shape, np.uint8), np.full(shape, -1, np.int16)
        numbers = np.empty((len(observations), self.sizes.numbers), np.float32)
        numbers[:, : len(self._columns)] = observations[:, self._columns] * self._scales
        for part in found:
            scores = part.scores(self._policy) / POINTS
            top, rank = best_of_rows(part.rows, scores, NUM_CHOICES)
            rows, scores = part.rows[top], scores[top]
            at = part.decisions[rows], rank
            choices[*at, BEHIND] = scores - scores[rank == 0][rows]
            choices[*at, _SCORE] = scores
            columns = np.arange(part.columns.start, part.columns.stop) + _SCORE + 1
            facts = part.facts[top]
            # Some count points, others are shares: large ones grow slowly.
            choices[at[0][:, None], rank[:, None], columns] = np.sign(facts) * np.log1p(abs(facts))
            tokens[at], actions[at] = part.columns.start, part.actions[top]
            numbers[part.decisions, len(self._columns) :] = part.bases
        return ChoiceInputs(numbers, choices, tokens, actions, secrets)
