"""The files of a policy: the weights of a network, and a description as JSON.

| file | content |
|---|---|
| players_2.weights.npz | the weights, by their names in the network |
| players_2.json | the checkpoint's description, and the SHA-256 of the weights |
| players_2.npz | the value of positions that the policy reaches, for `search:learned` |

Training writes the first two beside its checkpoints.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.bounded import file_errors, read_file
from gonzaga_env.tabletop.bounded.limits import DESCRIPTION_BYTES, POLICY_BYTES
from gonzaga_env.tabletop.writing import write_aside

from ..common.array_files import arrays_content, parse_arrays
from ..common.arrays import Floats
from ..network.description import parse_description, write_description

FOLDER = Path(__file__).parent
WEIGHTS = "weights.npz"


def policy_folder(game: str, folder: Path = FOLDER) -> Path:
    """Returns where the policies of a game lie, given where Gonzaga's do."""
    return folder if game == DEFAULT_GAME else folder / game


def policy_path(folder: Path, num_players: int, suffix: str) -> Path:
    """Returns where the "weights.npz", "json" or "npz" of a number of players lies."""
    return folder / f"players_{num_players}.{suffix}"


def shipped_players(folder: Path = FOLDER) -> list[int]:
    """Returns the numbers of players that there is a policy for, ascending."""
    found = (re.fullmatch(r"players_(\d+)\.json", path.name) for path in folder.glob("*.json"))
    return sorted(int(match[1]) for match in found if match)


def shipped_files(folder: Path = FOLDER) -> list[Path]:
    """Returns the networks and values of all policies in a folder and below."""
    return sorted(folder.rglob("players_*.npz"))


def read_policy(folder: Path, num_players: int) -> dict[str, Any]:
    """Returns a policy's description.

    Raises:
        AgentError: it cannot be read, has another format, or a field is missing or wrong.
    """
    path = policy_path(folder, num_players, "json")
    with file_errors(path, AgentError):
        return parse_description(read_file(path, DESCRIPTION_BYTES))


def read_network(folder: Path, description: Mapping[str, Any]) -> dict[str, Floats]:
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
    folder: Path, weights: Mapping[str, Floats], description: Mapping[str, Any]
) -> tuple[Path, Path]:
    """Writes both files and returns their paths; until both are complete, neither is accepted.

    Args:
        folder: where they go.
        weights: of the network, by name.
        description: of a checkpoint.

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
