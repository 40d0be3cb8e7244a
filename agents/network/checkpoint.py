"""Checkpoints: the zip that stable-baselines3 saves, with a description of the game it fits.

| member | content |
|---|---|
| gonzaga.json | format, versions, edition, players, rules, prior, network, reward, ... |
| policy.pth | the weights, or the mean of them that the run was asked for |
| policy.optimizer.pth | the optimizer's state, for resuming |
| learning.pt | the weights that go on learning, if policy.pth holds their mean |
| data, ... | the rest of what stable-baselines3 saves: a pickle, which this project never opens |

An untrusted file can neither run code nor take long. Members are stored without compression, so
that none can be larger than the file. `torch.load(weights_only=True)` runs no code, checks each
storage's declared size against the bytes that are there, and lets no tensor outgrow its storage. It
follows references and hashes keys without bounds, however, so the pickle is looked through first.
"""

from __future__ import annotations

import io
import pickletools
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from gonzaga_env.kernel.bounded import (
    CHECKPOINT_BYTES,
    JSON_BYTES,
    PICKLE_BYTES,
    PICKLE_OPCODES,
    Archive,
    file_errors,
    read_file,
)
from gonzaga_env.kernel.errors import GameError
from gonzaga_env.kernel.messages import short, short_repr
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.writing import write_aside

from ..arrays import MOST_WEIGHT, Floats
from .agent import NetworkAgent
from .description import (
    CHECKPOINT,
    Description,
    game_of,
    misfit,
    numbered_checkpoints,
    parse_description,
    policy_agent,
    prior_of,
    write_description,
)

_NAMES = {
    "collections OrderedDict",
    "torch._utils _rebuild_tensor_v2",
    *(f"torch {kind}Storage" for kind in ("Half", "BFloat16", "Float", "Double")),
}
_OPCODES = {
    *("PROTO", "STOP", "MARK", "GLOBAL", "REDUCE", "BUILD", "BINPERSID"),
    *("BINPUT", "LONG_BINPUT", "BINGET", "LONG_BINGET", "NONE", "NEWTRUE", "NEWFALSE"),
    *("BININT", "BININT1", "BININT2", "BINFLOAT", "BINUNICODE", "EMPTY_DICT", "EMPTY_LIST"),
    *("EMPTY_TUPLE", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3"),
    *("APPEND", "APPENDS", "SETITEM", "SETITEMS"),
}

_MOST_AXES = 8  # of a tensor; numpy takes 64


def parse_weights(content: bytes) -> object:
    """Returns what torch saved: tensors of floats in dictionaries, lists and tuples.

    Raises:
        ValueError: it holds anything else, is broken, or claims more than it has.
    """
    archive = Archive(content)
    pickles = [name for name in archive.names if name.endswith("/data.pkl")]
    if len(pickles) != 1:
        raise ValueError("is not a file of weights")
    _check_pickle(archive.read(pickles[0], PICKLE_BYTES))
    copy = io.BytesIO()  # as read here, so that torch's reader of zips cannot see another one
    with zipfile.ZipFile(copy, "w") as whole:
        for name in sorted(archive.names):
            whole.writestr(name, archive.read(name))
    copy.seek(0)
    try:
        found = torch.load(copy, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds, some of many lines
        raise ValueError(short(str(error).partition("\n")[0])) from error
    tensors = _tensors(found)
    if any(tensor.dim() > _MOST_AXES for tensor in tensors):
        raise ValueError(f"has a tensor of more than {_MOST_AXES} axes")
    if sum(tensor.numel() * tensor.element_size() for tensor in tensors) > len(content):
        raise ValueError("has tensors that claim more than the file has")
    return found


def _check_pickle(content: bytes) -> None:
    """Raises ValueError for what plain weights do not have.

    Texts and names alone may be used twice: so what is built is a tree, as small as the pickle.
    """
    reusable: dict[object, bool] = {}
    before = ""
    for number, (opcode, argument, _) in enumerate(pickletools.genops(content)):
        name = opcode.name
        if name not in _OPCODES or number >= PICKLE_OPCODES:
            raise ValueError(f"a pickle with too many opcodes, or with {name}")
        if name == "GLOBAL" and argument not in _NAMES:
            raise ValueError(f"a pickle that names {short(str(argument))}")
        if name in ("BINPUT", "LONG_BINPUT"):
            reusable[argument] = before in ("BINUNICODE", "GLOBAL")
        elif name in ("BINGET", "LONG_BINGET") and not reusable.get(argument):
            raise ValueError("a pickle that uses a value twice, or within itself")
        before = name


def _tensors(found: object) -> list[Tensor]:
    """Returns the tensors in dictionaries, lists and tuples."""
    todo, tensors = [found], []
    while todo:
        value = todo.pop()
        if isinstance(value, Tensor):
            tensors.append(value)
        elif isinstance(value, dict):
            todo += value.values()
        elif isinstance(value, list | tuple):
            todo += value
    return tensors


WEIGHTS, OPTIMIZER, _DESCRIPTION = "policy.pth", "policy.optimizer.pth", "gonzaga.json"
LEARNING = "learning.pt"  # stable-baselines3 refuses models with other members that end on .pth
_PREFIX = "network."  # of the network's weights among the policy's


class CheckpointError(GameError, ValueError):
    """A checkpoint that cannot be read, or that was made for another game."""


def save_checkpoint(path: Path, model: bytes, config: Config, about: Mapping[str, object]) -> None:
    """Writes a checkpoint; an existing file is replaced only when the new one is complete.

    Args:
        path: the file to write.
        model: the zip without its description.
        config: what it was trained on.
        about: the fields of `Description` that follow from neither.
    """
    description = {
        **game_of(config, prior_of(about)),
        "edition": config.edition.name,
        "rules": config.rules.as_dict(),
        **about,
    }
    content = io.BytesIO(model)  # so that a full disk is one error, of one write
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr(_DESCRIPTION, write_description(description))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_aside(path, content.getvalue())


def read_description(path: Path) -> Description:
    """Returns a checkpoint's description.

    Raises:
        CheckpointError: it cannot be read, has another format, or a field is missing or wrong.
    """
    content = _read(path, _DESCRIPTION, JSON_BYTES)
    with file_errors(f"{path}: {_DESCRIPTION}", CheckpointError):
        return parse_description(content)


def check_fits(path: Path, config: Config, any_edition: bool = False) -> Description:
    """Returns the description of a checkpoint that was made for this game.

    Raises:
        CheckpointError: it cannot be read, or was made for another game.
    """
    description = read_description(path)
    if (difference := misfit(description, config, any_edition)) is not None:
        raise CheckpointError(f"{path}: {difference}")
    return description


def learning_member(path: Path) -> str:
    """Returns the member with the weights that go on learning; CheckpointError as for reading."""
    return LEARNING if read_description(path)["arguments"].get("average") else WEIGHTS


def read_weights(path: Path, member: str = WEIGHTS) -> dict[str, Tensor]:
    """Returns the weights, without unpickling anything else.

    Raises:
        CheckpointError: they cannot be read, or one is not a finite number.
    """
    weights = read_tensors(path, member)
    for name, tensor in weights.items():
        if not isinstance(name, str) or not isinstance(tensor, Tensor):
            raise CheckpointError(f"{path}: {member} holds {short_repr(name)}, not a weight")
    _check_finite(f"{path}: {member}", weights)
    return weights


def network_weights(path: Path) -> dict[str, Floats]:
    """Returns the weights of a checkpoint's network alone, by their names in it.

    Raises: see `read_weights`.
    """
    weights = {
        name.removeprefix(_PREFIX): tensor.detach().resolve_neg().float()
        for name, tensor in read_weights(path).items()
        if name.startswith(_PREFIX)
    }
    _check_finite(f"{path}: {WEIGHTS}", weights)  # a float64 may overflow
    return {name: tensor.numpy() for name, tensor in weights.items()}


def read_tensors(path: Path, member: str) -> dict[str, Any]:
    """Returns the dictionary of tensors that torch saved as a member.

    Raises:
        CheckpointError: it cannot be read, holds anything else, or a tensor claims more than it
            has.
    """
    content = _read(path, member)
    with file_errors(f"{path}: {member} holds no readable weights", CheckpointError):
        found = parse_weights(content)
    if not isinstance(found, dict):
        kind = type(found).__name__
        raise CheckpointError(f"{path}: {member} holds a {kind}; it takes weights by name")
    return found


def _check_finite(place: str, tensors: dict[str, Tensor]) -> None:
    """Raises CheckpointError, which names the first tensor with a NaN or a huge number."""
    for name, tensor in tensors.items():
        if not (tensor.abs() <= MOST_WEIGHT).all():
            most = f"{MOST_WEIGHT:,.0f}"
            raise CheckpointError(f"{place}: {short(name)} holds NaN or weights beyond {most}")


def check_whole(path: Path) -> None:
    """Raises CheckpointError if any part of a checkpoint cannot be read."""
    for member in {WEIGHTS, learning_member(path)}:
        read_weights(path, member)
    read_tensors(path, OPTIMIZER)


def newest_whole(folder: Path) -> Path | None:
    """Returns the newest numbered checkpoint of a run that can be read; None if there is none."""
    for path in reversed(numbered_checkpoints(folder)):
        with suppress(CheckpointError):
            check_whole(path)
            return path
    return None


def load_agent(
    path: str | Path, config: Config, *, deterministic: bool = True, any_edition: bool = False
) -> NetworkAgent:
    """Returns an agent that plays a checkpoint's policy.

    Args:
        path: a checkpoint, or the folder of a training run.
        config: what is to be played.
        deterministic: whether it plays the most probable action, which wins more, or draws one.
        any_edition: whether it also plays an edition that it was not trained on; its name says so.

    Raises:
        CheckpointError: it cannot be read, or was made for another game.
    """
    path = Path(path)
    path = path / CHECKPOINT if path.is_dir() else path
    if not path.exists():
        raise CheckpointError(
            f"{path}: there is no such file; give a checkpoint (.zip) or the folder of a training "
            "run, and other agents, such as learned, to make_agent"
        )
    try:
        description = check_fits(path, config, any_edition)
        weights = network_weights(path)
        stem = path.parent.name if path.stem == "checkpoint" else path.stem
        with file_errors(f"{path}: {WEIGHTS}", CheckpointError):
            name = f"checkpoint:{stem}"
            return policy_agent(description, config, weights, name, deterministic)
    except CheckpointError as error:
        raise CheckpointError(f"{error}{_hint(path)}") from error


def _hint(path: Path) -> str:
    """Returns what to take instead of a latest checkpoint that is broken."""
    if path.name != CHECKPOINT or not path.exists():
        return ""
    with suppress(CheckpointError):
        check_whole(path)
        return ""  # whole, but of another game
    whole = newest_whole(path.parent)
    return "" if whole is None else f"; {whole} is whole"


def _read(path: Path, member: str, most: int | None = None) -> bytes:
    """Returns a member of the zip; CheckpointError says what is wrong."""
    try:
        archive = Archive(read_file(path, CHECKPOINT_BYTES))
        if "data" in archive.names and _DESCRIPTION not in archive.names:
            raise ValueError(
                "is a model that stable-baselines3 saved, not a checkpoint of train.py; load it "
                "with stable-baselines3 and give the model itself as the agent"
            )
        return archive.read(member, most)
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: there is no such file") from error
    except OSError as error:
        raise CheckpointError(f"{path}: can't be read: {error.strerror}") from error
    except ValueError as error:
        raise CheckpointError(f"{path}: {error}") from error
