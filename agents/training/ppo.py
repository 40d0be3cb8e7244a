"""The learner: stable-baselines3's MaskablePPO with another source of experience and two values.

It differs from MaskablePPO as follows, in the order of this file:

- Games are played elsewhere (see `collector`), from all seats: there is no environment, and
  `learn_from` takes the place of `learn`.
- Observations are `Batch`es of the network's inputs; actions are choices among those.
- Two values learn the same returns: the network's own, which ships with it, and a critic's, which
  sees more and gave the advantages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from stable_baselines3.common.utils import explained_variance
from torch import Tensor, nn
from torch.optim import Adam

from ..network.agent import Reader
from ..network.parts import NetworkParts
from .self_play import Experience

_FIGURES = (
    *("loss", "policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl", "clip_fraction"),
)


class ChoicePolicy(MaskableActorCriticPolicy):
    """Chooses among the inputs' choices by the network; a separate critic values positions."""

    network: Any  # policy and value
    critic: Any  # the value that advantages are measured against

    def __init__(
        self, *args: Any, parts: NetworkParts, sizes: Any, width: int, **kwargs: Any
    ) -> None:
        """Takes what stable-baselines3 passes, and what the networks are made of."""
        self._parts, self._sizes, self._width = parts, sizes, width
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Schedule) -> None:
        self.network = self._parts.network(self._sizes, self._width)
        self.critic = self._parts.critic(self._sizes, self._width)
        self.optimizer = Adam(self.parameters(), lr=lr_schedule(1), eps=1e-5, fused=True)

    def evaluate_choices(self, batch: Any, chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Returns values [M, 2] of the network and of the critic, log-probabilities and entropies.

        Both of the latter are [M].
        """
        logits, values = self.network(*batch[:-1])
        log_probs = logits.log_softmax(dim=1)
        # For padding, 0 * log(0) would be nan.
        entropy = -(log_probs.exp() * log_probs.clamp(min=-1e4)).sum(dim=1)
        both = torch.stack([values, self.critic(batch)], dim=1)
        return both, log_probs.gather(1, chosen[:, None])[:, 0], entropy


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO that learns from experience of many seats, handed over by `learn_from`."""

    policy: ChoicePolicy
    batch_size: int

    def __init__(self, parts: NetworkParts, reader: Reader, width: int, **kwargs: Any) -> None:
        """Builds the policy.

        Args:
            parts: of the game.
            reader: of the inputs.
            width: of the networks.
            **kwargs: arguments of MaskablePPO.
        """
        defaults = reader.training
        super().__init__(
            ChoicePolicy,
            env=None,  # type: ignore[arg-type]  # games are played by `SelfPlay`
            policy_kwargs={"parts": parts, "sizes": reader.sizes, "width": width},
            n_steps=1,  # of a buffer that stays empty
            _init_setup_model=False,
            **{"ent_coef": defaults.entropy, "n_epochs": defaults.epochs, **kwargs},
        )
        self._chunk = defaults.chunk
        # Stable-baselines3 asks for spaces; inputs are several arrays.
        self.observation_space = spaces.Box(-np.inf, np.inf, (1,), np.float32)
        self.action_space = spaces.Discrete(parts.network.num_choices)
        self.n_envs = 1
        self._setup_model()

    def learn_from(self, experience: Experience, progress: float) -> None:
        """Updates the policy: `MaskablePPO.train` on experience, with both values.

        Args:
            experience: gathered with the current policy.
            progress: the share of the training that is done, for the learning rate.
        """
        policy, losses = self.policy, []
        self._current_progress_remaining = 1 - min(progress, 1.0)
        clip = self.clip_range(self._current_progress_remaining)  # type: ignore[operator]
        policy.set_training_mode(True)
        self._update_learning_rate(policy.optimizer)
        batch = policy.network.batch.of(experience.inputs, self.device)
        arrays = experience.chosen, experience.log_probs, experience.advantages, experience.returns
        tensors = [torch.from_numpy(array).to(self.device) for array in arrays]
        num_choices = (~batch.padding).sum(dim=1)
        for _ in range(self.n_epochs):
            for rows in self._minibatches(len(experience)):
                whole = tensors[2][rows]
                if self._chunk:  # decisions with few choices together need little padding
                    rows = rows[num_choices[rows].argsort(stable=True)]
                policy.optimizer.zero_grad()
                found = np.zeros(len(_FIGURES))
                for part in rows.split(self._chunk or len(rows)):  # type: ignore[no-untyped-call]
                    chosen, old_log_probs, advantages, returns = (array[part] for array in tensors)
                    values, log_probs, entropy = policy.evaluate_choices(batch.take(part), chosen)

                    advantages = (advantages - whole.mean()) / (whole.std() + 1e-8)
                    change = log_probs - old_log_probs
                    ratio = change.exp()
                    clipped = torch.clamp(ratio, 1 - clip, 1 + clip)
                    policy_loss = -torch.min(advantages * ratio, advantages * clipped).mean()
                    value_loss = nn.functional.mse_loss(returns[:, None].expand_as(values), values)
                    entropy_loss = -entropy.mean()
                    loss = policy_loss + self.ent_coef * entropy_loss + self.vf_coef * value_loss
                    share = len(part) / len(rows)
                    (share * loss).backward()  # type: ignore[no-untyped-call]

                    divergence = (ratio - 1 - change).mean()  # joschu.net/blog/kl-approx.html
                    is_clipped = ((ratio - 1).abs() > clip).float().mean()
                    figures = loss, policy_loss, value_loss, entropy_loss, divergence, is_clipped
                    found += [share * figure.item() for figure in figures]
                nn.utils.clip_grad_norm_(policy.parameters(), self.max_grad_norm)
                policy.optimizer.step()
                losses.append(found)
            self._n_updates += 1
        for name, figure in zip(_FIGURES, np.mean(losses, axis=0), strict=True):
            self.logger.record(f"train/{name}", figure)
        explained = explained_variance(experience.values, experience.returns)
        self.logger.record("train/explained_variance", explained)

    def _minibatches(self, size: int) -> Iterator[Tensor]:
        """Yields the rows of one epoch in random order; a smaller last minibatch is left out."""
        order = torch.randperm(size, device=self.device)
        for start in range(0, max(1, size - self.batch_size + 1), self.batch_size):
            yield order[start : start + self.batch_size]
