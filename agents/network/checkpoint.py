"""Checkpoints: the zip that stable-baselines3 saves, with a description of the game it fits.

| member | content |
|---|---|
| gonzaga.json | format, versions, edition, players, rules, network, reward, turns, arguments |
| policy.pth | the weights |
| policy.optimizer.pth | the optimizer's state, for resuming |
| data, ... | the rest of what stable-baselines3 saves: a pickle, which this project never opens |

Weights are read with `weights_only=True`, so that a file from a stranger cannot run code.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.errors import GonzagaError
from gonzaga_env.core.rules.rewards import Reward

from .agent import VALUE_UNITS, NetworkAgent
from .fits import game_of, misfit
from .inputs import InputSizes
from .network import Network, TorchForward
from .reader import InputReader

if TYPE_CHECKING:
    from stable_baselines3.common.base_class import BaseAlgorithm

#: Version of the description and of the network that the weights belong to.
CHECKPOINT_FORMAT = 3
WEIGHTS, OPTIMIZER, _DESCRIPTION = "policy.pth", "policy.optimizer.pth", "gonzaga.json"
_PREFIX = "network."  # of the network's weights among the policy's


class CheckpointError(GonzagaError, ValueError):
    """A checkpoint that cannot be read, or that was made for another game."""


def save_checkpoint(
    path: Path,
    model: BaseAlgorithm,
    *,
    config: GameConfig,
    network: dict[str, Any],
    reward: Reward,
    reward_scale: float,
    seconds: float,
    arguments: dict[str, Any],
) -> None:
    """Writes a checkpoint; an existing file is replaced only when the new one is complete.

    Args:
        path: the file to write.
        model: stable-baselines3's model.
        config: what it was trained on.
        network: arguments of `Network`.
        reward: the kind of reward it learned from.
        reward_scale: what the rewards were multiplied by.
        seconds: that training took.
        arguments: the run's arguments, for resuming.
    """
    description = {
        "format": CHECKPOINT_FORMAT,
        **game_of(config),
        "edition": config.edition.name,
        "rules": config.rules.as_dict(),
        "network": network,
        "reward": reward,
        "reward_scale": reward_scale,
        "timesteps": model.num_timesteps,
        "seconds": seconds,
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
    """Returns a checkpoint's description.

    Raises:
        CheckpointError: it cannot be read, or has another format.
    """
    try:
        description = json.loads(_read(path, _DESCRIPTION))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise CheckpointError(f"{path}: {_DESCRIPTION} is not JSON: {error}") from error
    found = description.get("format") if isinstance(description, dict) else None
    if found != CHECKPOINT_FORMAT:
        raise CheckpointError(
            f"{path}: has format {found!r}; this version reads {CHECKPOINT_FORMAT}"
        )
    return description


def check_fits(path: Path, config: GameConfig) -> dict[str, Any]:
    """Returns the description of a checkpoint that was made for this game.

    Raises:
        CheckpointError: it cannot be read, or was made for another game.
    """
    description = read_description(path)
    if (difference := misfit(description, config)) is not None:
        raise CheckpointError(f"{path}: {difference}")
    return description


def read_weights(path: Path, member: str = WEIGHTS) -> dict[str, Any]:
    """Returns the tensors of a member, without unpickling anything else.

    Raises:
        CheckpointError: they cannot be read.
    """
    content = io.BytesIO(_read(path, member))
    try:
        weights: dict[str, Any] = torch.load(content, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds on broken files
        raise CheckpointError(f"{path}: {member} holds no readable weights") from error
    return weights


def load_agent(path: str | Path, config: GameConfig, *, deterministic: bool = True) -> NetworkAgent:
    """Returns an agent that plays a checkpoint's policy.

    Args:
        path: a checkpoint, or the folder of a training run.
        config: what is to be played.
        deterministic: whether it plays the most probable action, which wins more, or draws one.

    Raises:
        CheckpointError: it cannot be read, or was made for another game.
    """
    path = Path(path)
    path = path / "checkpoint.zip" if path.is_dir() else path
    description = check_fits(path, config)
    reader = InputReader(config)
    network = load_network(path, reader.sizes)
    try:
        reward, scale = description["reward"], float(description["reward_scale"])
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path}: the description names no reward and its scale") from error
    if reward not in VALUE_UNITS:
        raise CheckpointError(f"{path}: the reward is {reward!r}, which is unknown")
    stem = path.parent.name if path.stem == "checkpoint" else path.stem
    forward, name = TorchForward(network), f"checkpoint:{stem}"
    return NetworkAgent(reader, forward, name, deterministic, reward, scale)


def load_network(path: Path, sizes: InputSizes) -> Network:
    """Returns the network of a checkpoint that fits the game.

    Raises:
        CheckpointError: it cannot be read, or its weights are not those of its description.
    """
    weights = {
        name.removeprefix(_PREFIX): tensor
        for name, tensor in read_weights(path).items()
        if name.startswith(_PREFIX)
    }
    try:
        network = Network(sizes, **read_description(path)["network"])
        network.load_state_dict(weights)
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path}: the weights do not fit the description") from error
    return network.eval()


def _read(path: Path, member: str) -> bytes:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read(member)
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: there is no such file") from error
    except KeyError as error:
        raise CheckpointError(
            f"{path}: is not a checkpoint of Gonzaga; {member} is missing"
        ) from error
    except (OSError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path}: is not a readable zip: {error}") from error
