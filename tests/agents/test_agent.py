"""Every agent refuses the observations and masks of another game."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from gonzaga_agents.gonzaga.greedy import GreedyAgent
from gonzaga_agents.gonzaga.network.network import Network
from gonzaga_agents.gonzaga.network.reader import InputReader
from gonzaga_agents.network.agent import NetworkAgent
from gonzaga_agents.network.parts import TorchForward
from gonzaga_agents.random_agent import RandomAgent

from gonzaga_env.core import Engine, GameConfig
from gonzaga_env.tabletop.agent import Agent, agent_name
from gonzaga_env.tabletop.errors import OptionError


def network_agent(config: GameConfig) -> NetworkAgent:
    torch.manual_seed(0)
    reader = InputReader(config)
    return NetworkAgent(reader, TorchForward(Network(reader.sizes, width=8)), "network", False)


MAKERS = [RandomAgent, GreedyAgent, network_agent]
Make = Callable[[GameConfig], Agent]


def seen(num_players: int) -> tuple[np.ndarray, np.ndarray]:
    engine = Engine(5, num_players, seed=0)
    return engine.observe(), engine.legal_action_mask()


@pytest.mark.parametrize("make", MAKERS)
def test_another_number_of_players_is_refused(make: Make) -> None:
    with pytest.raises(OptionError, match=r"made for 2 players and takes shape \[M, "):
        make(GameConfig(2)).act(*seen(3), np.random.default_rng(0))


@pytest.mark.parametrize("make", MAKERS)
def test_wrong_arrays_are_refused(make: Make) -> None:
    agent, rng = make(GameConfig(2)), np.random.default_rng(0)
    observations, masks = seen(2)
    wrong = [
        (observations.astype(np.float32), masks, "observations have .* dtype float32"),
        (observations, masks.astype(np.int8), "masks have .* dtype int8"),
        (observations[0], masks[0], "observations have shape"),
        (observations, masks[:, :-1], "masks have shape"),
        (observations[:2], masks, "2 observations and 5 masks"),
    ]
    for given, mask, words in wrong:
        with pytest.raises(OptionError, match=words):
            agent.act(given, mask, rng)


def test_a_name_does_not_command_the_terminal() -> None:
    """F9: tables and records take the name as it is here."""
    agent = RandomAgent(GameConfig(2))
    agent.name = "\x1b[2Jmine\n"
    assert agent_name(agent) == "\ufffd[2Jmine\ufffd"
