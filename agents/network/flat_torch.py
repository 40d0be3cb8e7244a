"""The plain network: two layers from an observation to a logit for every action, and a value.

No planner, candidate or rule is in it: an untrained one plays all legal actions alike.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import torch
from torch import Tensor, nn

from .flat import FlatInputs, FlatSizes
from .layers import PADDING, check_width


class FlatBatch(NamedTuple):
    """Inputs as tensors; `actions` are int64, and `padding` marks those that do not exist.

    Nothing is for the critic alone: `secrets` are empty.
    """

    observations: Tensor
    actions: Tensor
    padding: Tensor
    secrets: Tensor

    @classmethod
    def of(cls, inputs: FlatInputs, device: torch.device | str = "cpu") -> Self:
        """Returns the tensors of inputs on a device."""
        observations = torch.from_numpy(inputs.observations)
        actions = torch.from_numpy(inputs.actions).long()
        tensors = observations, actions.clamp(min=0), actions < 0, observations[:, :0]
        return cls(*(tensor.to(device) for tensor in tensors))

    def take(self, rows: Tensor) -> Self:
        """Returns some of the decisions."""
        return type(self)(*(tensor[rows] for tensor in self))


class _Layers(nn.Module):
    """Two layers over normalised observations: uint8 [M, D] to [M, width]."""

    scales: Tensor

    def __init__(self, sizes: FlatSizes, width: int) -> None:
        super().__init__()
        self.register_buffer("scales", 1 / torch.tensor(sizes.scales), persistent=False)
        self.layers = nn.Sequential(
            nn.Linear(len(sizes.scales), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )

    def forward(self, observations: Tensor) -> Tensor:
        return self.layers(observations * self.scales)


class FlatNetwork(nn.Module):
    """A policy over all actions and a value (see `TrainableNetwork`)."""

    batch = FlatBatch
    num_choices = 2**15  # or fewer: `FlatInputs.actions` tells no more apart

    def __init__(self, sizes: FlatSizes, width: int = 128) -> None:
        """Builds the network.

        Args:
            sizes: sizes of the inputs.
            width: units of the hidden layers, 8 to 1024.

        Raises:
            OptionError: the width is out of range.
        """
        check_width(width)
        super().__init__()
        self.body = _Layers(sizes, width)
        self.policy = nn.Linear(width, sizes.actions)
        self.value = nn.Linear(width, 1)
        for parameter in self.policy.parameters():
            nn.init.zeros_(parameter)

    def forward(
        self, observations: Tensor, actions: Tensor, padding: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Returns logits [M, K] and values [M] (see `FlatInputs` for the shapes)."""
        hidden = self.body(observations)
        logits = self.policy(hidden).gather(1, actions)  # faster than to mask all of them
        return logits.masked_fill(padding, PADDING), self.value(hidden)[:, 0]


class FlatCritic(nn.Module):
    """The value that advantages are measured against: it learns apart, in half the width."""

    def __init__(self, sizes: FlatSizes, width: int = 128) -> None:
        super().__init__()
        self.body, self.value = _Layers(sizes, width // 2), nn.Linear(width // 2, 1)

    def forward(self, batch: FlatBatch) -> Tensor:
        """Returns values, [M]."""
        return self.value(self.body(batch.observations))[:, 0]
