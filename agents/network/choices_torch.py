"""The network: logits of the choices of a decision, and what the position is worth.

All choices are scored by the same weights; each one sees the position and what the best of the
others are like. Learning starts from the planner: an untrained network orders choices by the
planner's scores.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import torch
from torch import Tensor, nn

from .choices import BEHIND, NUM_CHOICES, Inputs, InputSizes
from .layers import PADDING, check_width

_LOGITS_PER_POINT = 4.0  # of an untrained network


class Batch(NamedTuple):
    """Inputs as tensors; `tokens` are int64, and `padding` marks choices that do not exist.

    Nothing is for the critic alone: `secrets` are empty.
    """

    numbers: Tensor
    choices: Tensor
    tokens: Tensor
    padding: Tensor
    secrets: Tensor

    @classmethod
    def of(cls, inputs: Inputs, device: torch.device | str = "cpu") -> Self:
        """Returns the tensors of inputs on a device."""
        numbers, choices = torch.from_numpy(inputs.numbers), torch.from_numpy(inputs.choices)
        tokens = torch.from_numpy(inputs.tokens).long()
        padding = torch.from_numpy(inputs.actions < 0)
        tensors = numbers, choices, tokens, padding, numbers[:, :0]
        return cls(*(tensor.to(device) for tensor in tensors))

    def take(self, rows: Tensor) -> Self:
        """Returns some of the decisions, with no more than one choice of padding in the longest.

        That one stays because the critic sees the largest feature of all, padding included.
        """
        padding = self.padding[rows]
        most = int((~padding).sum(dim=1).max()) + 1
        choices, tokens = self.choices[rows, :most], self.tokens[rows, :most]
        return type(self)(
            self.numbers[rows], choices, tokens, padding[:, :most], self.secrets[rows]
        )


class Network(nn.Module):
    """A policy and a value over `Inputs` (see `TrainableNetwork`)."""

    batch, num_choices = Batch, NUM_CHOICES

    def __init__(self, sizes: InputSizes, width: int = 64) -> None:
        """Builds the network.

        Args:
            sizes: sizes of the inputs.
            width: units of the hidden layers, 8 to 1024.

        Raises:
            OptionError: the width is out of range.
        """
        check_width(width)
        super().__init__()
        self.context = nn.Sequential(
            nn.Linear(sizes.numbers, 2 * width), nn.ReLU(), nn.Linear(2 * width, width), nn.ReLU()
        )
        self.token = nn.Embedding(sizes.tokens, width)
        self.choice_in = nn.Linear(sizes.features, width)
        self.choice_context = nn.Linear(width, width, bias=False)
        self.choice_hidden = nn.Linear(width, width)
        self.choice_others = nn.Linear(width, width, bias=False)
        self.choice_out = nn.Linear(width, 1)
        self.planner_weight = nn.Parameter(torch.full((1,), _LOGITS_PER_POINT))
        self.value = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, 1))
        for parameter in self.choice_out.parameters():
            nn.init.zeros_(parameter)

    def forward(
        self, numbers: Tensor, choices: Tensor, tokens: Tensor, padding: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Returns logits [M, K] and values [M] (see `Inputs` for the shapes)."""
        context = self.context(numbers)
        hidden = self.choice_in(choices) + self.token(tokens)
        hidden = torch.relu(hidden + self.choice_context(context)[:, None])
        hidden = self.choice_hidden(hidden)
        best = torch.relu(hidden.masked_fill(padding[..., None], 0).amax(dim=1))
        scored = torch.relu(hidden + self.choice_others(best)[:, None])
        logits = self.choice_out(scored)[..., 0] + choices[..., BEHIND] * self.planner_weight * 10
        value = self.value(torch.cat([context, best], dim=1))
        return logits.masked_fill(padding, PADDING), value[:, 0]


class Critic(nn.Module):
    """The value that advantages are measured against: it learns apart from the policy."""

    def __init__(self, sizes: Any, width: int = 64) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(self.num_seen(sizes), 3 * width),
            nn.ReLU(),
            nn.Linear(3 * width, width),
            nn.ReLU(),
            nn.Linear(width, 1),
        )

    @staticmethod
    def num_seen(sizes: Any) -> int:
        """Returns how many numbers it sees."""
        return sizes.numbers + 2 * sizes.features

    def forward(self, batch: Any) -> Tensor:
        """Returns values, [M]."""
        choices = batch.choices
        seen = [batch.numbers, batch.secrets, choices[:, 0], choices.amax(dim=1)]
        return self.layers(torch.cat(seen, dim=1))[:, 0]
