"""Policies of random networks, as files."""

from pathlib import Path

import pytest
from gonzaga_agents.gonzaga.network.network import Network
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.network.description import game_of
from gonzaga_agents.policies.onnx_model import to_onnx
from gonzaga_agents.policies.shipped import write_policy

from gonzaga_env.core import GameConfig

EXPORTED = (2, 4)  # players: the fewest and the most


@pytest.fixture(scope="session")
def exported(networks: dict[int, Network], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with the policies of these networks; tests don't write to it."""
    folder = tmp_path_factory.mktemp("policies")
    for number in EXPORTED:
        network = networks[number]
        config = GameConfig(number)
        about = {"edition": config.edition.name, "reward": "margin", "reward_scale": 0.5}
        model = to_onnx(network, InputReader(config).zeros())
        write_policy(folder, model, game_of(config) | about)
    return folder
