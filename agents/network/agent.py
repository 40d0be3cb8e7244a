"""An agent that plays the policy of a network."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gonzaga_env.core.rules.rewards import Reward

from ..agent import Considered, Evaluation
from .network import Choices, Network

VALUE_UNITS: dict[Reward, str] = {
    "margin": "points ahead of the mean of the others, from here to the end",
    "score": "points, from here to the end",
    "outcome": "expected outcome, -1 to 1",
}
"""What the values of `NetworkAgent.evaluate` count, by the reward that the network learned from."""


class NetworkAgent:
    """Plays by a network's logits, with one forward pass for all observations.

    Attributes:
        name: its name in tables and records.
        network: the network; acting does not change it.
        deterministic: whether it plays the most probable action instead of drawing one.
        reward: the kind of reward that the network learned from.
        reward_scale: what the rewards were multiplied by.
    """

    def __init__(
        self,
        network: Network,
        name: str,
        deterministic: bool = False,
        reward: Reward = "outcome",
        reward_scale: float = 1.0,
    ) -> None:
        self.network, self.name, self.deterministic = network, name, deterministic
        self.reward, self.reward_scale = reward, reward_scale

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Returns a legal action for each row, [M] (see `Agent.act`).

        Raises:
            OptionError: the observations or masks are of another game.
        """
        choices, _ = self._forward(observations, masks)
        logits = choices.logits.cpu().numpy()
        if not self.deterministic:
            logits = logits + rng.gumbel(size=logits.shape)
        best = logits.argmax(axis=1)
        actions: NDArray[np.int64] = choices.actions.cpu().numpy()[np.arange(len(best)), best]
        return actions

    def evaluate(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Evaluation:
        """Returns the policy and the value of each row.

        Args:
            observations: [M, D] uint8.
            masks: [M, A] bool.

        Raises:
            OptionError: the observations or masks are of another game.
        """
        choices, values = self._forward(observations, masks)
        rows, places = (choices.actions >= 0).nonzero(as_tuple=True)
        probabilities = torch.zeros(np.shape(masks), device=values.device)
        probabilities[rows, choices.actions[rows, places]] = choices.logits.softmax(dim=1)[
            rows, places
        ]
        return Evaluation(
            probabilities.cpu().numpy(),
            (values / self.reward_scale).cpu().numpy(),
            VALUE_UNITS[self.reward],
        )

    def consider(
        self, observation: NDArray[np.uint8], mask: NDArray[np.bool_], rng: np.random.Generator
    ) -> Considered:
        """Returns all legal actions with their probabilities (see `ConsideringAgent`).

        Raises:
            OptionError: the observation or mask is of another game.
        """
        found = self.evaluate(observation[None], mask[None])
        return Considered.ranked(mask, found.probabilities[0], "probability")

    @torch.no_grad()
    def values(self, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Returns the values alone, [M], also of seats that are not to act (see `evaluate`).

        Args:
            observations: [M, D] uint8.
        """
        device = next(self.network.parameters()).device
        found = self.network.evaluate(torch.as_tensor(observations, device=device))
        return (found / self.reward_scale).cpu().numpy()

    @torch.no_grad()
    def _forward(self, observations: Any, masks: Any) -> tuple[Choices, torch.Tensor]:
        self.network.input_size.check(observations, masks)
        device = next(self.network.parameters()).device
        found: tuple[Choices, torch.Tensor] = self.network(
            torch.as_tensor(observations, device=device), torch.as_tensor(masks, device=device)
        )
        return found
