"""The files of a shipped policy: a network, and a description as JSON.

| file | content |
|---|---|
| players_2.onnx | the network: the inputs `Inputs.FED` of the game, outputs "logits" and "value" |
| players_2.weights.npz | instead of it, the weights of a network of places, by their names |
| players_2.json | what the policy was made for, how it was trained, and the network's digest |
| players_2.npz | the value of positions that the policy reaches, for `search:learned` |
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.bounded import read_file, short_repr
from gonzaga_env.tabletop.bounded.limits import DESCRIPTION_BYTES, MODEL_BYTES
from gonzaga_env.tabletop.writing import write_aside

from ..network.description import GEOMETRY, PLANNER, Prior, parse_description, prior_of

FOLDER = Path(__file__).parent
POLICY_FORMAT = 1
"""Version of the description and of a model's inputs and outputs."""
OUTPUTS = ("logits", "value")
_NETWORKS: dict[Prior, str] = {PLANNER: "onnx", GEOMETRY: "weights.npz"}
_Content = TypeVar("_Content")


def policy_folder(game: str, folder: Path = FOLDER) -> Path:
    """Returns where the policies of a game lie, given where Gonzaga's do."""
    return folder if game == DEFAULT_GAME else folder / game


def policy_path(folder: Path, num_players: int, suffix: str) -> Path:
    """Returns where the "onnx", "weights.npz", "json" or "npz" of a number of players lies."""
    return folder / f"players_{num_players}.{suffix}"


def network_path(folder: Path, num_players: int, prior: Prior) -> Path:
    """Returns where the network for a number of players lies, which depends on its prior."""
    return policy_path(folder, num_players, _NETWORKS[prior])


def network_paths(folder: Path, num_players: int) -> list[Path]:
    """Returns where the network for a number of players may lie: one of these is there."""
    return [policy_path(folder, num_players, suffix) for suffix in _NETWORKS.values()]


def shipped_players(folder: Path = FOLDER) -> list[int]:
    """Returns the numbers of players that there is a policy for, ascending."""
    found = (re.fullmatch(r"players_(\d+)\.json", path.name) for path in folder.glob("*.json"))
    return sorted(int(match[1]) for match in found if match)


def shipped_files(folder: Path = FOLDER) -> list[Path]:
    """Returns the networks and values of all policies, by game and by the number of players."""
    folders = [folder, *sorted(path for path in folder.iterdir() if path.is_dir())]
    about = [(place, number) for place in folders for number in shipped_players(place)]
    paths = [
        policy_path(*which, suffix) for which in about for suffix in (*_NETWORKS.values(), "npz")
    ]
    return [path for path in paths if path.is_file()]


def read_description(path: Path) -> dict[str, Any]:
    """Returns a policy's description.

    Raises:
        AgentError: it cannot be read, has another format, says of no reward what it counts, or is
            of a network that is not exported.
    """
    names = ("reward", "reward_scale")
    found = _read(path, DESCRIPTION_BYTES, partial(parse_description, POLICY_FORMAT, names))
    if (prior := prior_of(found)) not in _NETWORKS:
        takes = ", ".join(_NETWORKS)
        raise AgentError(f"{path}: prior is {prior!r}; an exported policy has one of {takes}")
    return found


def read_network(path: Path, digest: object) -> bytes:
    """Returns a network whose digest is the described one.

    Raises:
        AgentError: it cannot be read, or is another one than described.
    """
    content = _read(path, MODEL_BYTES, bytes)
    found = sha256(content).hexdigest()
    if found != digest:
        raise AgentError(
            f"{path}: is not the described network: its sha256 is {found}, not {short_repr(digest)}"
        )
    return content


def _read(path: Path, most: int, parse: Callable[[bytes], _Content]) -> _Content:
    """Returns what a file of at most so many bytes holds; AgentError says what is wrong."""
    try:
        return parse(read_file(path, most))
    except OSError as error:
        raise AgentError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise AgentError(f"{path}: {error}") from error


def write_policy(folder: Path, network: bytes, description: Mapping[str, Any]) -> tuple[Path, Path]:
    """Writes both files and returns their paths; until both are complete, neither is accepted.

    A network with another prior, which they replace, is removed.

    Args:
        folder: where they go.
        network: the ONNX model, or the weights.
        description: all of it except "format" and "sha256".

    Raises:
        OSError: the folder is not writable.
    """
    content = {"format": POLICY_FORMAT, **description, "sha256": sha256(network).hexdigest()}
    number = description["num_players"]
    folder.mkdir(parents=True, exist_ok=True)
    path = network_path(folder, number, prior_of(description))
    about = policy_path(folder, number, "json")
    write_aside(path, network)
    write_aside(about, json.dumps(content, indent=1) + "\n")
    for other in network_paths(folder, number):
        if other != path:
            other.unlink(missing_ok=True)
    return path, about
