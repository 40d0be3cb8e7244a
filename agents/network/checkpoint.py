"""Checkpoints: one zip, as stable-baselines3 saves it, with a description that says what it fits.

| member | content |
|---|---|
| gonzaga.json | format, versions, edition, players, rules, network, turns, the run's arguments |
| policy.pth | the weights |
| policy.optimizer.pth | the optimizer's state, to go on training |
| data, ... | what else stable-baselines3 saves: a pickle, which nothing here ever opens |

Weights are read with `weights_only=True`, so that a file from a stranger can't run code.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from gonzaga_env.core.board.actions import ACTIONS_VERSION
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.errors import GonzagaError
from gonzaga_env.core.observation.features import OBSERVATIONS_VERSION

from .agent import NetworkAgent
from .network import Network

if TYPE_CHECKING:
    from stable_baselines3.common.base_class import BaseAlgorithm

#: Version of the zip's layout and of the network that the weights fill.
CHECKPOINT_FORMAT = 1
WEIGHTS, OPTIMIZER, _DESCRIPTION = "policy.pth", "policy.optimizer.pth", "gonzaga.json"
_PREFIX = "network."  # of the network's weights among the policy's


class CheckpointError(GonzagaError, ValueError):
    """A checkpoint that can't be read, or that was made for something else."""


def save_checkpoint(
    path: Path,
    model: BaseAlgorithm,
    *,
    config: GameConfig,
    network: dict[str, Any],
    arguments: dict[str, Any],
) -> None:
    """Writes a checkpoint; a file that is there is replaced only when the new one is complete.

    Args:
        path: where to.
        model: stable-baselines3's model.
        config: what it was trained on.
        network: arguments of `Network`.
        arguments: of the run, to go on with the same.
    """
    description = {
        "format": CHECKPOINT_FORMAT,
        **_fitting(config),
        "edition": config.edition.name,
        "rules": config.rules.as_dict(),
        "network": network,
        "timesteps": model.num_timesteps,
        "arguments": arguments,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.part")
    with aside.open("wb") as file:
        model.save(file)
    with zipfile.ZipFile(aside, "a") as archive:
        archive.writestr(_DESCRIPTION, json.dumps(description, indent=2))
    aside.replace(path)


def read_description(path: Path) -> dict[str, Any]:
    """Returns what a checkpoint says of itself.

    Raises:
        CheckpointError: it can't be read, or is of another format.
    """
    try:
        description = json.loads(_read(path, _DESCRIPTION))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise CheckpointError(f"{path}: {_DESCRIPTION} is no JSON: {error}") from error
    found = description.get("format") if isinstance(description, dict) else None
    if found != CHECKPOINT_FORMAT:
        raise CheckpointError(f"{path}: has format {found!r}; {CHECKPOINT_FORMAT} is read here")
    return description


def check_fits(path: Path, config: GameConfig) -> dict[str, Any]:
    """Returns the description of a checkpoint made for an edition and a number of players.

    Raises:
        CheckpointError: it can't be read or was made for something else.
    """
    description = read_description(path)
    for key, wanted in _fitting(config).items():
        if description.get(key) != wanted:
            raise CheckpointError(
                f"{path}: made for {key.removeprefix('num_').replace('_', ' ')} "
                f"{description.get(key)!r}, not {wanted!r}"
            )
    return description


def read_weights(path: Path, member: str = WEIGHTS) -> dict[str, Any]:
    """Returns the tensors of a member, without unpickling anything else.

    Raises:
        CheckpointError: they can't be read.
    """
    content = io.BytesIO(_read(path, member))
    try:
        weights: dict[str, Any] = torch.load(content, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds on broken files
        raise CheckpointError(f"{path}: {member} holds no weights that can be read") from error
    return weights


def load_agent(path: str | Path, config: GameConfig, *, deterministic: bool = True) -> NetworkAgent:
    """Returns an agent that plays a checkpoint's policy.

    Args:
        path: a checkpoint, or the folder of a training run.
        config: what is to be played.
        deterministic: play the best action instead of drawing one; that plays better.

    Raises:
        CheckpointError: it can't be read or was made for something else.
    """
    path = Path(path)
    path = path / "checkpoint.zip" if path.is_dir() else path
    description = check_fits(path, config)
    weights = {
        name.removeprefix(_PREFIX): tensor
        for name, tensor in read_weights(path).items()
        if name.startswith(_PREFIX)
    }
    try:
        network = Network(config.tables, config.num_players, **description["network"])
        network.load_state_dict(weights)
    except (KeyError, TypeError, RuntimeError) as error:
        raise CheckpointError(f"{path}: the weights are not those of the network") from error
    stem = path.parent.name if path.stem == "checkpoint" else path.stem
    return NetworkAgent(network.eval(), f"checkpoint:{stem}", deterministic)


def _fitting(config: GameConfig) -> dict[str, Any]:
    """Returns what has to be equal for a policy to be used."""
    return {
        "actions_version": ACTIONS_VERSION,
        "observations_version": OBSERVATIONS_VERSION,
        "num_players": config.num_players,
        "edition_digest": config.edition.digest,
    }


def _read(path: Path, member: str) -> bytes:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read(member)
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: there is no such file") from error
    except KeyError as error:
        raise CheckpointError(
            f"{path}: is no checkpoint of Gonzaga; {member} is missing"
        ) from error
    except (OSError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path}: is no zip that can be read: {error}") from error
