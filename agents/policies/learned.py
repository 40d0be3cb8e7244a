"""The agent "learned": it plays a shipped policy in numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.bounded import file_errors

from ..gonzaga.value import Value
from ..network.agent import NetworkAgent
from ..network.description import input_reader, misfit, name_there, prior_of
from .shipped import (
    FOLDER,
    WEIGHTS,
    policy_folder,
    policy_path,
    read_network,
    read_policy,
    shipped_players,
)

NAME = "learned"


def load_learned(
    config: Any,
    folder: Path | None = None,
    *,
    any_edition: bool = False,
) -> NetworkAgent:
    """Returns the agent that plays the policy for a game.

    Args:
        config: what is to be played.
        folder: of the policies; None takes those that ship.
        any_edition: whether it also plays an edition that it was not trained on; its name says so.

    Raises:
        AgentError: there is no policy for this number of players, or it is broken, or it was made
            for another game.
    """
    number, label = config.num_players, NAME if folder is None else str(folder)
    folder = policy_folder(config.game) if folder is None else folder
    if number not in (there := shipped_players(folder)):
        only = f", only for {' and '.join(map(str, there))}" if there else ""
        raise AgentError(
            f"{label}: there is no policy for {number} players{only}; train one with train.py and "
            "name its folder, such as runs/first"
        )
    description = read_policy(folder, number)
    if (difference := misfit(description, config, any_edition)) is not None:
        raise AgentError(f"{label}: the policy for {number} players was {difference}")
    weights = read_network(folder, description)
    reader = input_reader(config.game, prior_of(description))(config)
    with file_errors(policy_path(folder, number, WEIGHTS), AgentError):
        forward = reader.plain(weights)
    name = name_there(label, description, config)
    return NetworkAgent(
        reader, forward, name, True, description["reward"], float(description["reward_scale"])
    )


def ships_for(config: Any) -> bool:
    """Returns whether a policy ships that was trained for a game.

    Raises:
        AgentError: its description is broken.
    """
    folder, number = policy_folder(config.game), config.num_players
    return number in shipped_players(folder) and misfit(read_policy(folder, number), config) is None


def learned_value(config: Any, folder: Path = FOLDER) -> Value:
    """Returns the value of positions that the shipped policy reaches, for searching with it.

    Where none ships, it is the value that search has without a policy.
    """
    path = policy_path(folder, config.num_players, "npz")
    return Value.load(config, path) if path.is_file() else Value.shipped(config)
