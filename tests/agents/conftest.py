"""What all tests of agents share."""

import pytest
import torch
from gonzaga_agents.gonzaga.network.network import Network
from gonzaga_agents.gonzaga.network.reader import InputReader

from gonzaga_env.core import GameConfig


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Keeps torch to one thread; on busy cores two of them mostly wait for each other."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def networks() -> dict[int, Network]:
    """Returns a random network for each number of players; its output layer is random too."""
    torch.manual_seed(0)
    made = {}
    for number in (2, 3, 4):
        network = Network(InputReader(GameConfig(number)).sizes, width=16).eval()
        torch.nn.init.normal_(network.choice_out.weight)
        made[number] = network
    return made
