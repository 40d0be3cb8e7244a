"""The network: logits of the choices of a decision, and what the position is worth.

A choice is seen by its features and by the embeddings of the sites that it covers; all choices are
scored by the same weights and see what the best of the others are like. Learning starts from the
planner: an untrained network orders choices by the planner's scores.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import torch
from torch import Tensor, nn

from .choices_torch import Critic as ChoiceCritic
from .gonzaga import Inputs, InputSizes
from .gonzaga_choices import BEHIND, CHOICE_FEATURES, NUM_CHOICES, SITE_FEATURES
from .layers import PADDING, check_width

_LOGITS_PER_POINT = 0.3  # of an untrained network
_PLACING = SITE_FEATURES.index("placing")


class Batch(NamedTuple):
    """Inputs as tensors; `spots` are int64, and `padding` marks choices that do not exist."""

    numbers: Tensor
    sites: Tensor
    choices: Tensor
    spots: Tensor
    padding: Tensor
    secrets: Tensor

    @classmethod
    def of(cls, inputs: Inputs, device: torch.device | str = "cpu") -> Self:
        """Returns the tensors of inputs on a device."""
        arrays = inputs.arrays()
        del arrays["actions"]
        tensors = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
        tensors["spots"] = tensors["spots"].long()
        return cls(**tensors, padding=torch.from_numpy(inputs.actions < 0).to(device))

    def take(self, rows: Tensor) -> Self:
        """Returns some of the decisions."""
        return type(self)(*(tensor[rows] for tensor in self))


class Network(nn.Module):
    """A policy and a value over `Inputs` (see `TrainableNetwork`)."""

    batch, num_choices = Batch, NUM_CHOICES

    def __init__(self, sizes: InputSizes, width: int = 64) -> None:
        """Builds the network.

        Args:
            sizes: sizes of the inputs.
            width: units of the hidden layers, 8 to 1024; sites have half as many.

        Raises:
            OptionError: the width is out of range.
        """
        check_width(width)
        super().__init__()
        half = width // 2
        self.context = nn.Sequential(
            nn.Linear(sizes.numbers, 2 * width), nn.ReLU(), nn.Linear(2 * width, width), nn.ReLU()
        )
        self.site_in = nn.Linear(len(SITE_FEATURES), half)
        self.site_context = nn.Linear(width, half, bias=False)
        self.site_out = nn.Linear(half, half)
        self.choice_in = nn.Linear(len(CHOICE_FEATURES), width)
        self.choice_sites = nn.Linear(half, width, bias=False)
        self.choice_context = nn.Linear(width, width, bias=False)
        self.choice_hidden = nn.Linear(width, width)
        self.choice_others = nn.Linear(width, width, bias=False)
        self.choice_out = nn.Linear(width, 1)
        self.planner_weight = nn.Parameter(torch.full((2,), _LOGITS_PER_POINT * 10))  # by phase
        self.value = nn.Sequential(
            nn.Linear(2 * width + half, width), nn.ReLU(), nn.Linear(width, 1)
        )
        for parameter in self.choice_out.parameters():
            nn.init.zeros_(parameter)

    def forward(
        self, numbers: Tensor, sites: Tensor, choices: Tensor, spots: Tensor, padding: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Returns logits [M, K] and values [M] (see `Inputs` for the shapes)."""
        context = self.context(numbers)
        hidden = torch.relu(self.site_in(sites) + self.site_context(context)[:, None])
        embedding = self.site_out(hidden)
        covered = _sum_spots(embedding, spots)
        hidden = self.choice_in(choices) + self.choice_sites(covered)
        hidden = torch.relu(hidden + self.choice_context(context)[:, None])
        hidden = self.choice_hidden(hidden)
        best = torch.relu(hidden.masked_fill(padding[..., None], 0).amax(dim=1))
        scored = torch.relu(hidden + self.choice_others(best)[:, None])
        placing = sites[:, :1, _PLACING]
        weight = self.planner_weight[0] * (1 - placing) + self.planner_weight[1] * placing
        logits = self.choice_out(scored)[..., 0] + choices[..., BEHIND] * weight
        logits = logits.masked_fill(padding, PADDING)
        value = self.value(torch.cat([context, best, embedding.mean(dim=1)], dim=1))
        return logits, value[:, 0]


def _sum_spots(embedding: Tensor, spots: Tensor) -> Tensor:
    """Returns the sum of the embeddings [M, S, E] of spots [M, K, 4], where S is none: [M, K, E].

    `index_select` sums gradients in a fixed order, unlike brackets.
    """
    padded = nn.functional.pad(embedding, (0, 0, 0, 1))
    first = torch.arange(spots.shape[0], device=spots.device) * padded.shape[1]
    where = (first[:, None, None] + spots).flatten()
    found = padded.flatten(0, 1).index_select(0, where)
    return found.reshape(*spots.shape, -1).sum(dim=2)


class Critic(ChoiceCritic):
    """A value that also sees what the others' objectives are worth to them.

    It makes the advantages of training less noisy; play does not need it.
    """

    @staticmethod
    def num_seen(sizes: InputSizes) -> int:
        """Returns how many numbers it sees."""
        return sizes.numbers + sizes.secrets + 2 * len(CHOICE_FEATURES)
