"""What a game brings so that its policies can be trained and played: a reader and its networks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from gonzaga_env.kernel.spec import Config

from ..arrays import Floats, Inputs
from . import choices_torch, gonzaga_torch, signorie, tuscany
from . import gonzaga as gonzaga_reader
from .agent import Reader
from .description import PLANNER, Prior, input_reader
from .flat import FlatReader
from .flat_torch import FlatCritic, FlatNetwork
from .geometry import GeometryReader
from .geometry_network import GeometryCritic, GeometryNetwork


@dataclass(frozen=True)
class TrainableNetwork:
    """A reader, and the networks that its inputs train.

    Inputs of M decisions become a batch: a NamedTuple of tensors [M, ...], with `of(inputs,
    device)` and `take(rows)`, whose last tensor only the critic may see.
    """

    reader: Callable[[Any], Reader]  # makes the reader of inputs for a configuration
    # the class of the network, which ships, made by `network(sizes, width)`. Called with all
    # tensors of a batch but the last one, it returns logits [M, K] and values [M]. Its attribute
    # `batch` is the class of batches, and `num_choices` is K, or more
    network: Any
    # the class of the critic, which only training needs, made in the same way. Called with a batch,
    # it returns values [M]
    critic: Any


_NETWORKS: dict[type[Reader], tuple[type[nn.Module], type[nn.Module]]] = {
    FlatReader: (FlatNetwork, FlatCritic),
    GeometryReader: (GeometryNetwork, GeometryCritic),
    gonzaga_reader.InputReader: (gonzaga_torch.Network, gonzaga_torch.Critic),
    tuscany.InputReader: (choices_torch.Network, choices_torch.Critic),
    signorie.InputReader: (choices_torch.Network, choices_torch.Critic),
}


def trainable_network(config: Config, prior: Prior = PLANNER) -> TrainableNetwork:
    """Returns what a game brings, or without a prior what all games share.

    Raises:
        OptionError: the game has no network with this prior.
    """
    reader = input_reader(config.game, prior)
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
