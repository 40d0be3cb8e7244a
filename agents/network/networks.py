"""The networks that training learns, in torch; their readers play the same ones in numpy.

Inputs of M decisions become a batch: a NamedTuple of tensors [M, ...], with `of(inputs, device)`
and `take(rows)`, whose last tensor only the critic may see. A network is made from the sizes of its
inputs and a width. Called with all tensors of a batch but the last one, it returns logits [M, K]
and values [M]. A critic, which only training needs, returns values [M] of a batch.

| network | what it sees |
|---|---|
| `FlatNetwork` | observations as they are; an untrained one plays all legal actions alike |
| `ChoiceNetwork` | the planner's choices and their scores, which an untrained one follows |
| `GonzagaNetwork` | the same, and the sites of Gonzaga's map |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import torch
from torch import Tensor, nn

from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.spec import Config

from ..arrays import Floats, Inputs
from .agent import Reader
from .choices import BEHIND, NUM_CHOICES, ChoiceInputs, ChoiceSizes
from .description import PLANNER, Prior, input_reader
from .flat import FlatInputs, FlatReader, FlatSizes
from .gonzaga import PLACING, GonzagaInputs, GonzagaReader, GonzagaSizes
from .gonzaga_choices import BEHIND as GONZAGA_BEHIND
from .gonzaga_choices import CHOICE_FEATURES, SITE_FEATURES
from .layers import PADDING, check_width
from .tuscany import TuscanyReader


class FlatBatch(NamedTuple):
    """`FlatInputs` as tensors; `actions` are int64, and `padding` marks those that do not exist."""

    observations: Tensor
    actions: Tensor
    padding: Tensor
    secrets: Tensor  # empty

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


class _FlatLayers(nn.Module):
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
    """Two layers from an observation to a logit for every action, and a value."""

    batch = FlatBatch
    num_choices = 2**15  # or fewer: `FlatInputs.actions` tells no more apart

    def __init__(self, sizes: FlatSizes, width: int = 128) -> None:
        """Builds the network.

        Raises:
            OptionError: the width is out of range.
        """
        check_width(width)
        super().__init__()
        self.body = _FlatLayers(sizes, width)
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
        self.body, self.value = _FlatLayers(sizes, width // 2), nn.Linear(width // 2, 1)

    def forward(self, batch: FlatBatch) -> Tensor:
        """Returns values, [M]."""
        return self.value(self.body(batch.observations))[:, 0]


class _RatedChoices(nn.Module):
    """All choices are rated by the same weights, and see what the best of the others are like."""

    def _add_context(self, num_numbers: int, width: int) -> None:
        self.context = nn.Sequential(
            nn.Linear(num_numbers, 2 * width), nn.ReLU(), nn.Linear(2 * width, width), nn.ReLU()
        )

    def _add_rating(self, width: int, planner_weights: Tensor, num_seen: int) -> None:
        """Adds the layers that rate choices, and the value of `num_seen` units."""
        self.choice_context = nn.Linear(width, width, bias=False)
        self.choice_hidden = nn.Linear(width, width)
        self.choice_others = nn.Linear(width, width, bias=False)
        self.choice_out = nn.Linear(width, 1)
        self.planner_weight = nn.Parameter(planner_weights)
        self.value = nn.Sequential(nn.Linear(num_seen, width), nn.ReLU(), nn.Linear(width, 1))
        for parameter in self.choice_out.parameters():
            nn.init.zeros_(parameter)

    def _rate(self, context: Tensor, hidden: Tensor, padding: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the ratings of choices [M, K], and the best of their units [M, width]."""
        hidden = torch.relu(hidden + self.choice_context(context)[:, None])
        hidden = self.choice_hidden(hidden)
        best = torch.relu(hidden.masked_fill(padding[..., None], 0).amax(dim=1))
        rated = torch.relu(hidden + self.choice_others(best)[:, None])
        return self.choice_out(rated)[..., 0], best


class ChoiceBatch(NamedTuple):
    """`ChoiceInputs` as tensors; `tokens` are int64."""

    numbers: Tensor
    choices: Tensor
    tokens: Tensor
    padding: Tensor  # marks choices that do not exist
    secrets: Tensor  # empty

    @classmethod
    def of(cls, inputs: ChoiceInputs, device: torch.device | str = "cpu") -> Self:
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


class ChoiceNetwork(_RatedChoices):
    """A policy and a value over `ChoiceInputs`."""

    batch, num_choices = ChoiceBatch, NUM_CHOICES

    def __init__(self, sizes: ChoiceSizes, width: int = 64) -> None:
        """Builds the network.

        Raises:
            OptionError: the width is out of range.
        """
        check_width(width)
        super().__init__()
        self._add_context(sizes.numbers, width)
        self.token = nn.Embedding(sizes.tokens, width)
        self.choice_in = nn.Linear(sizes.features, width)
        self._add_rating(width, torch.full((1,), 4.0), 2 * width)  # logits per point

    def forward(
        self, numbers: Tensor, choices: Tensor, tokens: Tensor, padding: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Returns logits [M, K] and values [M] (see `ChoiceInputs` for the shapes)."""
        context = self.context(numbers)
        hidden = self.choice_in(choices) + self.token(tokens)
        ratings, best = self._rate(context, hidden, padding)
        logits = ratings + choices[..., BEHIND] * self.planner_weight * 10
        value = self.value(torch.cat([context, best], dim=1))
        return logits.masked_fill(padding, PADDING), value[:, 0]


class ChoiceCritic(nn.Module):
    """The value that advantages are measured against: it learns apart from the policy."""

    def __init__(self, sizes: ChoiceSizes | GonzagaSizes, width: int = 64) -> None:
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

    def forward(self, batch: ChoiceBatch | GonzagaBatch) -> Tensor:
        """Returns values, [M]."""
        choices = batch.choices
        seen = [batch.numbers, batch.secrets, choices[:, 0], choices.amax(dim=1)]
        return self.layers(torch.cat(seen, dim=1))[:, 0]


class GonzagaBatch(NamedTuple):
    """`GonzagaInputs` as tensors; `spots` are int64."""

    numbers: Tensor
    sites: Tensor
    choices: Tensor
    spots: Tensor
    padding: Tensor  # marks choices that do not exist
    secrets: Tensor

    @classmethod
    def of(cls, inputs: GonzagaInputs, device: torch.device | str = "cpu") -> Self:
        """Returns the tensors of inputs on a device."""
        arrays = inputs.arrays()
        del arrays["actions"]
        tensors = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
        tensors["spots"] = tensors["spots"].long()
        return cls(**tensors, padding=torch.from_numpy(inputs.actions < 0).to(device))

    def take(self, rows: Tensor) -> Self:
        """Returns some of the decisions."""
        return type(self)(*(tensor[rows] for tensor in self))


class GonzagaNetwork(_RatedChoices):
    """A policy and a value over `GonzagaInputs`; a choice is also seen by the sites it covers."""

    batch, num_choices = GonzagaBatch, NUM_CHOICES

    def __init__(self, sizes: GonzagaSizes, width: int = 64) -> None:
        """Builds the network; sites have half as many units as choices.

        Raises:
            OptionError: the width is out of range.
        """
        check_width(width)
        super().__init__()
        half = width // 2
        self._add_context(sizes.numbers, width)
        self.site_in = nn.Linear(len(SITE_FEATURES), half)
        self.site_context = nn.Linear(width, half, bias=False)
        self.site_out = nn.Linear(half, half)
        self.choice_in = nn.Linear(len(CHOICE_FEATURES), width)
        self.choice_sites = nn.Linear(half, width, bias=False)
        # Logits per ten points, by phase.
        self._add_rating(width, torch.full((2,), 3.0), 2 * width + half)

    def forward(
        self, numbers: Tensor, sites: Tensor, choices: Tensor, spots: Tensor, padding: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Returns logits [M, K] and values [M] (see `GonzagaInputs` for the shapes)."""
        context = self.context(numbers)
        hidden = torch.relu(self.site_in(sites) + self.site_context(context)[:, None])
        embedding = self.site_out(hidden)
        hidden = self.choice_in(choices) + self.choice_sites(sum_spots(embedding, spots))
        ratings, best = self._rate(context, hidden, padding)
        placing = sites[:, :1, PLACING]
        weight = self.planner_weight[0] * (1 - placing) + self.planner_weight[1] * placing
        logits = (ratings + choices[..., GONZAGA_BEHIND] * weight).masked_fill(padding, PADDING)
        value = self.value(torch.cat([context, best, embedding.mean(dim=1)], dim=1))
        return logits, value[:, 0]


def sum_spots(embedding: Tensor, spots: Tensor) -> Tensor:
    """Returns the sum of the embeddings [M, S, E] of spots [M, K, 4], where S is none: [M, K, E].

    `index_select` sums gradients in a fixed order, unlike brackets.
    """
    padded = nn.functional.pad(embedding, (0, 0, 0, 1))
    first = torch.arange(spots.shape[0], device=spots.device) * padded.shape[1]
    where = (first[:, None, None] + spots).flatten()
    found = padded.flatten(0, 1).index_select(0, where)
    return found.reshape(*spots.shape, -1).sum(dim=2)


class GonzagaCritic(ChoiceCritic):
    """A value that also sees what the others' objectives are worth to them.

    It makes the advantages of training less noisy; play does not need it.
    """

    @staticmethod
    def num_seen(sizes: GonzagaSizes) -> int:
        """Returns how many numbers it sees."""
        return sizes.numbers + sizes.secrets + 2 * len(CHOICE_FEATURES)


@dataclass(frozen=True)
class TrainableNetwork:
    """A reader, and the classes of the networks that its inputs train."""

    reader: Callable[[Any], Reader]  # makes the reader of inputs for a configuration
    network: Any  # with `batch`, the class of its batches, and `num_choices`, K or more
    critic: Any


_NETWORKS: dict[type[Reader], tuple[type[nn.Module], type[nn.Module]]] = {
    FlatReader: (FlatNetwork, FlatCritic),
    GonzagaReader: (GonzagaNetwork, GonzagaCritic),
    TuscanyReader: (ChoiceNetwork, ChoiceCritic),
}


def trainable_network(config: Config, prior: Prior = PLANNER) -> TrainableNetwork:
    """Returns the network of a game with a prior.

    Raises:
        OptionError: the game has no network with this prior.
    """
    reader = input_reader(config.game, prior)
    if reader not in _NETWORKS:
        raise OptionError(f"prior is {prior}, whose network is played in numpy alone")
    return TrainableNetwork(reader, *_NETWORKS[reader])


class TorchForward:
    """Calls a network on inputs: what `NetworkAgent` takes."""

    def __init__(self, network: nn.Module) -> None:
        self.network = network

    @torch.inference_mode()
    def __call__(self, inputs: Inputs) -> tuple[Floats, Floats]:
        """Returns logits [M, K] and values [M]."""
        network: Any = self.network
        *seen, _ = network.batch.of(inputs, next(network.parameters()).device)
        logits, values = network(*seen)
        return logits.cpu().numpy(), values.cpu().numpy()
