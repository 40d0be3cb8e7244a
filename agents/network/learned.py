"""Policies as weights that numpy plays: their files, and the agent "learned".

| file | content |
|---|---|
| players_2.weights.npz | the weights, by their names in the network |
| players_2.json | the checkpoint's description, and the SHA-256 of the weights |

Training writes the first two beside its checkpoints.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from gonzaga_env.kernel.agent import AgentError
from gonzaga_env.kernel.bounded import JSON_BYTES, POLICY_BYTES, file_errors, read_file
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.writing import write_aside

from ..arrays import Floats, arrays_content, parse_arrays
from ..heuristics.linear import LinearAgent
from .agent import NetworkAgent
from .description import Description, misfit, parse_description, policy_agent, write_description

FOLDER = Path(__file__).parents[1] / "policies"
WEIGHTS = "weights.npz"


def policy_folder(game: str) -> Path:
    """Returns where the shipped policies of a game lie."""
    return FOLDER / game


def policy_path(folder: Path, num_players: int, suffix: str) -> Path:
    """Returns where the "weights.npz", "json" or "npz" of a number of players lies."""
    return folder / f"players_{num_players}.{suffix}"


def shipped_players(folder: Path) -> list[int]:
    """Returns the numbers of players that there is a policy for, ascending."""
    found = (re.fullmatch(r"players_(\d+)\.json", path.name) for path in folder.glob("*.json"))
    return sorted(int(match[1]) for match in found if match)


def shipped_files(folder: Path = FOLDER) -> list[Path]:
    """Returns the networks of all policies in a folder and below."""
    return sorted(folder.rglob("players_*.npz"))


def read_policy(folder: Path, num_players: int) -> Description:
    """Returns a policy's description.

    Raises:
        AgentError: it cannot be read, has another format, or a field is missing or wrong.
    """
    path = policy_path(folder, num_players, "json")
    with file_errors(path, AgentError):
        return parse_description(read_file(path, JSON_BYTES))


def read_network(folder: Path, description: Description) -> dict[str, Floats]:
    """Returns the weights that a policy's description is of.

    Raises:
        AgentError: they cannot be read, or are others than described.
    """
    path = policy_path(folder, description["num_players"], WEIGHTS)
    with file_errors(path, AgentError):
        content = read_file(path, POLICY_BYTES)
        if sha256(content).hexdigest() != description.get("sha256"):
            raise ValueError("is not the described network: its SHA-256 is another one")
        return parse_arrays(content)


def write_policy(
    folder: Path, weights: Mapping[str, Floats], description: Description
) -> tuple[Path, Path]:
    """Writes both files and returns their paths; until both are complete, neither is accepted.

    Raises:
        OSError: the folder is not writable.
    """
    content, number = arrays_content(weights), description["num_players"]
    path, about = policy_path(folder, number, WEIGHTS), policy_path(folder, number, "json")
    folder.mkdir(parents=True, exist_ok=True)
    write_aside(path, content)
    described = {**description, "sha256": sha256(content).hexdigest()}
    write_aside(about, write_description(described) + "\n")
    return path, about


NAME = "learned"


def learned_agent(config: Config, *, any_edition: bool = False) -> NetworkAgent | LinearAgent:
    """Returns what ships as "learned": a network, or where none does, the weights of facts.

    The arguments and errors are those of `load_learned`.
    """
    if config.num_players in shipped_players(policy_folder(config.game)):
        return load_learned(config, any_edition=any_edition)
    agent = LinearAgent(config)
    agent.name = NAME
    return agent


def load_learned(
    config: Config, folder: Path | None = None, *, any_edition: bool = False
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
    with file_errors(policy_path(folder, number, WEIGHTS), AgentError):
        return policy_agent(description, config, weights, label)
