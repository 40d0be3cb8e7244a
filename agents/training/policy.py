"""The network and the critic as a policy of stable-baselines3, and a buffer of experience."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor
from torch.optim import Adam

from ..gonzaga.network.choices import NUM_CHOICES
from ..gonzaga.network.inputs import Floats, InputSizes
from ..gonzaga.network.network import Batch, Critic, Network
from .self_play import Experience


class GonzagaPolicy(MaskableActorCriticPolicy):
    """Plays choices of `Inputs` by the network; a critic of its own judges positions.

    Attributes:
        network: policy and value.
        critic: the value that advantages are measured against.
    """

    def __init__(self, *args: Any, sizes: InputSizes, width: int, **kwargs: Any) -> None:
        """Builds the policy.

        Args:
            *args: spaces and learning rate, as stable-baselines3 passes them.
            sizes: sizes of the inputs.
            width: of the network and the critic.
            **kwargs: as stable-baselines3 passes them.
        """
        self._sizes, self._width = sizes, width
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Schedule) -> None:
        self.network = Network(self._sizes, self._width)
        self.critic = Critic(self._sizes, self._width)
        self.optimizer = Adam(self.parameters(), lr=lr_schedule(1), eps=1e-5)

    def evaluate_actions(  # type: ignore[override]  # a batch of inputs
        self, obs: Batch, actions: Tensor, action_masks: None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Returns values [2 M], log-probabilities [M] and entropies [M].

        The values are those of the network and of the critic in turn: both learn the same returns.
        """
        logits, values = self.network(*obs[:-1])
        log_probs = logits.log_softmax(dim=1)
        # For padding, 0 * log(0) would be nan.
        entropy = -(log_probs.exp() * log_probs.clamp(min=-1e4)).sum(dim=1)
        both = torch.stack([values, self.critic(obs)], dim=1).flatten()
        return both, log_probs.gather(1, actions[:, None])[:, 0], entropy


class Samples(NamedTuple):
    """A minibatch, as MaskablePPO takes it; `returns` [2 M] are there for both values."""

    observations: Batch
    actions: Tensor
    old_log_prob: Tensor
    advantages: Tensor
    returns: Tensor
    action_masks: None = None


class ExperienceBuffer:
    """Gives minibatches of experience in random order."""

    values: Floats
    returns: Floats

    def __init__(
        self, _size: int, _observations: Any, _actions: Any, device: torch.device | str, **_: Any
    ) -> None:
        """Takes what stable-baselines3 passes; only the device matters."""
        self._device = device

    def fill(self, experience: Experience) -> None:
        """Replaces the experience."""
        self.values, self.returns = experience.values, experience.returns

        def tensor(array: Any) -> Tensor:
            return torch.from_numpy(array).to(self._device)

        self._all = Samples(
            Batch.of(experience.inputs, self._device),
            tensor(experience.chosen),
            tensor(experience.log_probs),
            tensor(experience.advantages),
            tensor(experience.returns),
        )

    def get(self, batch_size: int) -> Iterator[Samples]:
        """Yields minibatches of one epoch; a smaller last one is left out."""
        size = len(self.values)
        order = torch.randperm(size, device=self._device)
        for start in range(0, max(1, size - batch_size + 1), batch_size):
            rows = order[start : start + batch_size]
            batch, *arrays, _ = self._all
            actions, log_probs, advantages, returns = (array[rows] for array in arrays)
            yield Samples(
                batch.take(rows), actions, log_probs, advantages, returns.repeat_interleave(2)
            )


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO that learns from experience of many seats, handed over by `learn_from`."""

    policy: GonzagaPolicy
    rollout_buffer: ExperienceBuffer  # type: ignore[assignment]  # what `train` uses of a buffer

    def __init__(self, sizes: InputSizes, width: int, **kwargs: Any) -> None:
        """Builds the policy.

        Args:
            sizes: sizes of the inputs.
            width: of the networks.
            **kwargs: arguments of MaskablePPO.
        """
        policy_kwargs = {"sizes": sizes, "width": width}
        super().__init__(
            GonzagaPolicy,
            env=None,  # type: ignore[arg-type]  # games are played by `SelfPlay`
            rollout_buffer_class=ExperienceBuffer,  # type: ignore[arg-type]
            policy_kwargs=policy_kwargs,
            _init_setup_model=False,
            **kwargs,
        )
        self.observation_space = spaces.Box(-np.inf, np.inf, (sizes.numbers,), np.float32)
        self.action_space = spaces.Discrete(NUM_CHOICES)
        self.n_envs = 1
        self._setup_model()

    def learn_from(self, experience: Experience, progress: float) -> None:
        """Updates the policy.

        Args:
            experience: gathered with the current policy.
            progress: the share of the training that is done, for the learning rate.
        """
        self._current_progress_remaining = 1 - min(progress, 1.0)
        self.rollout_buffer.fill(experience)
        self.train()
