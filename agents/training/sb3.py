"""Checkpoints as models of stable-baselines3, to play; `gonzaga train --start` continues training.

`MaskablePPO.load("runs/first/checkpoint.zip")` returns a model whose `predict` takes observations
and action masks.
"""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.save_util import save_to_zip_file
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from torch import Tensor
from torch.optim import Adam

from gonzaga_env.kernel.spec import Config

from ..agent import InputSize
from ..network.checkpoint import LEARNING
from ..network.description import Prior
from ..network.networks import trainable_network
from .ppo import PPO, Policy

_UNLIKELY = -1e8  # the logit that sb3-contrib gives to illegal actions


class CheckpointPolicy(MaskableActorCriticPolicy):
    """Plays a trained policy from observations [M, D] and action masks [M, A], which it needs."""

    def __init__(self, *given: object, config: Config, prior: Prior, width: int) -> None:
        """Takes the spaces and the learning rate, and what the networks are made of."""
        self._parts, self._width = trainable_network(config, prior), width
        self._reader = self._parts.reader(config)
        super().__init__(*given)  # type: ignore[arg-type]

    def _build(self, lr_schedule: Schedule) -> None:
        policy = Policy(self._parts, self._reader.sizes, self._width)
        self.network, self.critic = policy.network, policy.critic
        self.optimizer = Adam(self.parameters(), lr=lr_schedule(1))

    def get_distribution(
        self, obs: PyTorchObs, action_masks: NDArray[np.bool_] | None = None
    ) -> MaskableDistribution:
        """Returns the distribution over actions."""
        if action_masks is None:
            raise ValueError("action_masks is None; this policy takes the legal actions, [M, A]")
        assert isinstance(obs, Tensor)
        masks = np.reshape(action_masks, (len(obs), -1)).astype(np.bool_)
        inputs = self._reader.read_observations(obs.cpu().numpy(), masks)
        logits, _ = self.network(*self.network.batch.of(inputs, self.device)[:-1])
        rows, places = (inputs.actions >= 0).nonzero()
        found = torch.full(masks.shape, _UNLIKELY, device=self.device)
        found[rows, inputs.actions[rows, places].astype(np.int64)] = logits[rows, places]
        return self.action_dist.proba_distribution(action_logits=found)


def checkpoint_zip(ppo: PPO, config: Config, prior: Prior, width: int) -> bytes:
    """Returns the zip of a policy and its optimizer, as stable-baselines3 saves models."""
    size, content = InputSize.of(config), BytesIO()
    data = {
        "policy_class": CheckpointPolicy,
        "policy_kwargs": {"config": config, "prior": prior, "width": width},
        "observation_space": spaces.Box(0, 255, (size.num_features,), np.uint8),
        "action_space": spaces.Discrete(size.num_actions),
        "n_envs": 1,
        "n_steps": 1,  # of a buffer that stays empty
        "verbose": 0,
    }
    optimizer = ppo.optimizer.state_dict()
    weights = {"policy": ppo.mean.state_dict(), "policy.optimizer": optimizer}
    save_to_zip_file(content, data, weights)
    if ppo.mean is not ppo.policy:
        with ZipFile(content, "a") as archive, archive.open(LEARNING, "w") as member:
            torch.save(ppo.policy.state_dict(), member)
    return content.getvalue()
