"""The network as a policy of stable-baselines3, and a rollout buffer for its masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor
from torch.optim import Adam

from gonzaga_env.core.config import GameConfig

from ..network.network import Choices, Network, sample

Masks = NDArray[np.bool_] | Tensor | None


def num_actions(space: spaces.Space[Any]) -> int:
    """Returns the size of a discrete space.

    Raises:
        TypeError: it is another kind of space.
    """
    if not isinstance(space, spaces.Discrete):
        raise TypeError(f"actions are {space}; a Discrete space is needed")
    return int(space.n)


class BoolMaskBuffer(MaskableRolloutBuffer):
    """Keeps masks as booleans: a quarter of the memory of sb3-contrib's floats."""

    def reset(self) -> None:
        """Empties the buffer."""
        RolloutBuffer.reset(self)
        self.mask_dims = num_actions(self.action_space)
        self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), dtype=np.bool_)


class GonzagaPolicy(MaskableActorCriticPolicy):
    """Computes logits of legal actions only, instead of masking all 3,200.

    It also replaces the distribution: log-probabilities and entropies over the legal actions are
    exact and cheap.
    """

    def __init__(
        self,
        *args: Any,
        config: GameConfig,
        network: dict[str, Any],
        **kwargs: Any,
    ) -> None:
        """Builds the policy.

        Args:
            *args: spaces and learning rate, as stable-baselines3 passes them.
            config: what is played.
            network: arguments of `Network`.
            **kwargs: as stable-baselines3 passes them.
        """
        self._arguments = config.tables, config.num_players, network
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Schedule) -> None:
        tables, num_players, network = self._arguments
        self.network = Network(tables, num_players, **network)
        self.optimizer = Adam(self.network.parameters(), lr=lr_schedule(1), eps=1e-5)

    def _choices(self, obs: Tensor, masks: Masks) -> tuple[Choices, Tensor]:
        if masks is None:
            masks = np.ones((len(obs), num_actions(self.action_space)), dtype=np.bool_)
        found: tuple[Choices, Tensor] = self.network(
            obs, torch.as_tensor(masks, dtype=torch.bool, device=self.device)
        )
        return found

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Masks = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Returns actions [B], values [B, 1] and log-probabilities [B]."""
        choices, values = self._choices(obs, action_masks)
        chosen = sample(choices.logits, deterministic)
        log_probs = choices.logits.log_softmax(dim=1)
        actions = choices.actions.gather(1, chosen[:, None])[:, 0]
        return actions, values[:, None], log_probs.gather(1, chosen[:, None])[:, 0]

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Masks = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Returns values [B, 1], log-probabilities [B] and entropies [B]."""
        choices, values = self._choices(obs, action_masks)
        log_probs = choices.logits.log_softmax(dim=1)
        chosen = (choices.actions == actions[:, None]).to(torch.uint8).argmax(dim=1)
        # For padding, 0 * log(0) would be nan.
        entropy = -(log_probs.exp() * log_probs.clamp(min=-1e4)).sum(dim=1)
        return values[:, None], log_probs.gather(1, chosen[:, None])[:, 0], entropy

    def predict_values(self, obs: Tensor) -> Tensor:  # type: ignore[override]  # no dict
        """Returns values [B, 1]."""
        return self.network.evaluate(obs)[:, None]

    def _predict(  # type: ignore[override]  # no dict
        self, observation: Tensor, deterministic: bool = False, action_masks: Masks = None
    ) -> Tensor:
        return self.forward(observation, deterministic, action_masks)[0]
