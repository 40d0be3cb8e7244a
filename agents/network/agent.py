"""An agent that plays the policy of a network."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gonzaga_env.kernel.agent import Considered, Evaluation
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.spec import Config, Engine

from ..agent import SizedAgent
from ..arrays import Floats, Indices, Inputs, Masks, Observations

Forward = Callable[[Any], tuple[Floats, Floats]]
"""Returns logits of the choices [M, K] of inputs, and values of the deciding seats [M]."""


@dataclass(frozen=True)
class TrainingDefaults:
    """Settings of training that depend on the length of a game and on the strength of its prior."""

    decisions: int = 8  # of each seat in a rollout, if all have equally many
    gae_lambda: float = 0.8  # how far advantages look ahead before they trust the value, 0 to 1
    entropy: float = 0.01  # the weight of the policy's entropy, which keeps it exploring
    epochs: int = 3  # how often each decision is learned from
    # decisions whose gradients are taken together, where those of a minibatch would not fit into a
    # processor's cache; None takes all
    chunk: int | None = None


class Reader(ABC):
    """Reads the inputs of a network, looking only at what the deciding seats know.

    Attributes:
        version: of what the inputs mean; checkpoints and policies of another one are refused.
        inputs: their class.
        reads_ahead: whether sealed decisions (`GameSpec.sealed`) are read for all seats at once, as
            if each were the first to decide; otherwise each one at its turn.
        training: how the network is trained.
        config: what is played.
        sizes: the sizes of the inputs, as the network takes them.
    """

    version: ClassVar[int] = 1
    inputs: ClassVar[type[Inputs]]
    reads_ahead: ClassVar[bool] = True
    training: TrainingDefaults = TrainingDefaults()
    sizes: Any

    def __init__(self, config: Config) -> None:
        self.config = config

    @abstractmethod
    def numpy_forward(self, weights: Mapping[str, Floats]) -> Forward:
        """Returns the network in numpy, by its weights in torch; ValueError for another's."""

    @abstractmethod
    def zeros(self) -> Inputs:
        """Returns one decision whose inputs are all 0, to try a network with."""

    @abstractmethod
    def read_engine(self, engine: Engine, games: Indices, seats: Indices) -> Inputs:
        """Returns the inputs of M decisions, of any kinds (see `EngineAgent.act_in`)."""

    @abstractmethod
    def read_observations(self, observations: Observations, masks: Masks) -> Inputs:
        """Returns the inputs of M decisions from observations [M, D] and masks [M, A]."""


VALUE_UNITS: dict[Reward, str] = {
    "margin": "points ahead of the mean of the others, from here to the end",
    "score": "points, from here to the end",
    "outcome": "expected outcome, -1 to 1",
}
"""Units of the values of `NetworkAgent.evaluate`, by the reward that the network learned from."""


class NetworkAgent(SizedAgent):
    """Plays by a network's logits, with one forward pass for all decisions of a kind.

    Attributes:
        name: its name in tables and records.
        forward: calls the network; acting does not change it.
        deterministic: whether it plays the most probable action instead of drawing one.
        reward: the kind of reward that the network learned from.
        reward_scale: what the rewards were multiplied by.
    """

    def __init__(
        self,
        reader: Reader,
        forward: Forward,
        name: str,
        deterministic: bool = True,
        reward: Reward = "margin",
        reward_scale: float = 1.0,
    ) -> None:
        self.reader, self.forward, self.name = reader, forward, name
        self.deterministic, self.reward, self.reward_scale = deterministic, reward, reward_scale
        super().__init__(reader.config)

    @property
    def config(self) -> Config:
        """The configuration that it plays."""
        return self.reader.config

    def _act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Indices:
        return self.choose(self.reader.read_observations(observations, masks), rng)

    def act_in(
        self, engine: Engine, games: Indices, seats: Indices, rng: np.random.Generator
    ) -> Indices:
        """Returns a legal action for each decision, [M] (see `EngineAgent.act_in`)."""
        return self.choose(self.reader.read_engine(engine, games, seats), rng)

    def choose(self, inputs: Inputs, rng: np.random.Generator) -> Indices:
        """Returns an action for each decision, [M]."""
        logits, _ = self._judge(inputs)
        noise = 0.0 if self.deterministic else rng.gumbel(size=logits.shape)
        best = (logits + noise).argmax(axis=1)
        return inputs.actions[np.arange(len(best)), best].astype(np.int64)

    def _judge(self, inputs: Inputs) -> tuple[Floats, Floats]:
        """Returns logits and values; handles the empty batch, which models do not take."""
        if len(inputs):
            return self.forward(inputs)
        return np.zeros(inputs.actions.shape, np.float32), np.zeros(0, np.float32)

    def evaluate(self, observations: Observations, masks: Masks) -> Evaluation:
        """Returns the policy and the value of each row.

        Raises:
            OptionError: the observations or masks are of another game.
        """
        self._size.check(observations, masks)
        inputs = self.reader.read_observations(observations, masks)
        logits, values = self._judge(inputs)
        probabilities = np.zeros(np.shape(masks), dtype=np.float32)
        row, place = (inputs.actions >= 0).nonzero()
        probabilities[row, inputs.actions[row, place]] = softmax(logits)[row, place]
        bounds = (-1.0, 1.0) if self.reward == "outcome" else None
        unit = VALUE_UNITS[self.reward]
        return Evaluation(probabilities, values / self.reward_scale, unit, bounds)

    def _consider(
        self, observation: Observations, mask: Masks, rng: np.random.Generator
    ) -> Considered:
        found = self.evaluate(observation[None], mask[None])
        return Considered.ranked(mask, found.probabilities[0], "probability")


@np.errstate(under="ignore")  # what is improbable becomes 0
def softmax(logits: Floats) -> Floats:
    """Returns probabilities [M, K] of logits [M, K]."""
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)
