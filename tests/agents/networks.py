"""Agents with random networks."""

from typing import Any

import torch
from gonzaga_agents.network.agent import NetworkAgent, Reader
from gonzaga_agents.network.description import NO_PRIOR, PLANNER
from gonzaga_agents.network.networks import TorchForward, trainable_network

from gonzaga_env.games import game_names

NETWORKS = [
    *((game, NO_PRIOR) for game in game_names()),
    ("gonzaga", PLANNER),
    ("tuscany", PLANNER),
]
"""Games and priors for which there is a network that trains."""


def network_agent(
    config: Any,
    prior: Any = PLANNER,
    *,
    width: int = 16,
    trained: bool = True,
    reader: Reader | None = None,
    name: str = "network",
    **options: Any,
) -> NetworkAgent:
    """Returns an agent with a random network; an untrained one plays as its prior does."""
    parts = trainable_network(config, prior)
    reader = reader or parts.reader(config)
    torch.manual_seed(0)
    network: Any = parts.network(reader.sizes, width)
    if trained:
        last = network.policy if prior == NO_PRIOR else network.choice_out
        torch.nn.init.normal_(last.weight)
    return NetworkAgent(reader, TorchForward(network), name, **options)
