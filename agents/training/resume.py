"""Resuming: the newest whole checkpoint of a folder, its run's options, and its optimizer."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeVar, get_args, get_origin, get_type_hints

import torch
from torch import Tensor
from torch.optim import Optimizer

from gonzaga_env.games import named_game
from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr

from ..locks import LOCK
from ..network.checkpoint import (
    OPTIMIZER,
    CheckpointError,
    check_whole,
    newest_whole,
    read_description,
    read_tensors,
)
from ..network.description import CHECKPOINT, NUMBERED, SAMPLES, numbered_checkpoints, prior_of
from ..registry import is_builtin
from .curve import FILE, PICTURE, read_curve
from .setup import LOCAL, PAST, PRESETS, split_names

AGENTS = ("opponents", "exploit")
"""Options that name agents: a checkpoint's count only if they are built in."""
MOST_STORED = {
    name: max(getattr(preset, name) for preset in PRESETS.values())
    for name in ("num_games", "eval_deals")
}
"""The highest values that a checkpoint decides; larger ones, which cost memory, are given again."""
_OF_A_START = re.compile(
    rf"{re.escape(LOCK)}|{re.escape(FILE)}|{re.escape(PICTURE)}|{SAMPLES}/0+\.jsonl|"
    rf"tensorboard/events\.out\.tfevents\.[^/]+|(({SAMPLES}|{NUMBERED})/)?\.[^/]+\.\d+\.tmp"
)
_OF_RUN = "game", "num_players", "edition_digest", "prior", "network"
_MOMENTS = {"step", "exp_avg", "exp_avg_sq"}  # what Adam keeps of a parameter
Options = TypeVar("Options")


def checkpoint_to_resume(out: Path) -> tuple[Path, str | None]:
    """Returns the checkpoint from which a run continues.

    It is the latest one or, if that is broken or missing, the newest numbered one that is whole,
    with a warning.

    Raises:
        CheckpointError: the folder has no checkpoint, none that can be read, or that of another
            run.
    """
    latest = out / CHECKPOINT
    if out.is_dir() and not latest.exists() and not numbered_checkpoints(out):
        start = "; without --resume the training starts" if can_start(out) else ""
        raise CheckpointError(f"{out} holds no checkpoint: there is no {latest}{start}")
    try:
        check_whole(latest)
    except CheckpointError as error:
        whole = newest_whole(out)
        if whole is None:
            raise
        _check_run(whole, out)
        return whole, f"{error}; continuing from {whole}"
    _check_run(latest, out)
    return latest, None


def _check_run(path: Path, out: Path) -> None:
    """Raises CheckpointError if a checkpoint is of another run than the folder's other ones.

    The run's options come with the checkpoint, so the run would turn into the other one.
    """
    own = read_description(path)
    for other in reversed(numbered_checkpoints(out)):
        if other == path:
            continue
        try:
            found = read_description(other)
        except CheckpointError:
            continue
        for name in _OF_RUN:
            one, two = (
                prior_of(about) if name == "prior" else about.get(name) for about in (own, found)
            )
            if one != two:
                what = name.removeprefix("num_").replace("_", " ")
                raise CheckpointError(
                    f"{path}: made for {what} {short_repr(one)}, but {other} for "
                    f"{short_repr(two)}; remove the one that is not of this run"
                )
        return


def can_start(out: Path) -> bool:
    """Returns whether a folder holds nothing but what a run writes before its first checkpoint.

    A run killed so early has nothing to continue from, and loses nothing if it starts again.
    """
    files = [path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir()]
    if not all(map(_OF_A_START.fullmatch, files)) or (PICTURE in files and FILE not in files):
        return False
    try:
        return FILE not in files or not any(point.turns for point in read_curve(out / FILE))
    except OptionError:
        return False


def stored_options(out: Path, defaults: Options) -> tuple[Options, dict[str, Json]]:
    """Returns the options of the run in a folder, and the values that were left out.

    Code of a checkpoint's choice must not run, nor may it take all memory: options that name agents
    are left out unless they are built in, and sizes that are larger than any preset's. `defaults`
    has the options that no file decides (`LOCAL`).

    Raises:
        CheckpointError: the folder has no checkpoint that can be read, or its options are wrong.
    """
    path, _ = checkpoint_to_resume(out)
    stored = read_options(path, type(defaults))
    game = named_game(read_description(path))
    refused: dict[str, Json] = {
        name: value
        for name in AGENTS
        if (value := stored.get(name)) is not None
        and not all(spec == PAST or is_builtin(spec, game) for spec in split_names(value))
    }
    for name, most in MOST_STORED.items():
        if (stored.get(name) or 0) > most:
            refused[name] = stored[name]
    return replace(defaults, **(stored | dict.fromkeys(refused, None))), refused  # type: ignore


def read_options(path: Path, options: type) -> dict[str, Json]:
    """Returns the options that a checkpoint holds, of a dataclass.

    Raises:
        CheckpointError: it cannot be read, or an option is unknown or of the wrong type.
    """
    stored: dict[str, Json] = dict(read_description(path)["arguments"])
    types = get_type_hints(options)
    for name, value in stored.items():
        if name not in types.keys() - {*LOCAL}:
            raise CheckpointError(f"{path}: arguments: {short_repr(name)} is unknown")
        if not _is_of(value, types[name]):
            raise CheckpointError(
                f"{path}: arguments: {name} is {short_repr(value)}: the wrong type"
            )
    return {name: tuple(v) if isinstance(v, list) else v for name, v in stored.items()}


def _is_of(value: Json, kind: object) -> bool:
    """Returns whether a value of a JSON document is of an option's type."""
    if get_origin(kind) is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if get_origin(kind) is tuple:  # a list in JSON
        return isinstance(value, list) and all(_is_of(one, get_args(kind)[0]) for one in value)
    if get_args(kind):  # a union
        return any(_is_of(value, option) for option in get_args(kind))
    if kind is int:
        return is_integer(value)
    if kind is float:
        return isinstance(value, float) or is_integer(value)
    return isinstance(kind, type) and isinstance(value, kind)


def load_optimizer(path: Path, optimizer: Optimizer) -> None:
    """Takes over the moments of a checkpoint's optimizer, Adam with the same parameters.

    Raises:
        CheckpointError: they cannot be read, or are not those of this optimizer.
    """
    found, own = read_tensors(path, OPTIMIZER).get("state"), optimizer.state_dict()
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    place = f"{path}: {OPTIMIZER}: state"
    if not isinstance(found, dict):
        raise CheckpointError(f"{place} is {short_repr(found)}; it takes the moments of parameters")
    for index, moments in found.items():
        if not is_integer(index) or not 0 <= index < len(parameters):
            raise CheckpointError(f"{place} {short_repr(index)} is of no parameter of this network")
        if not isinstance(moments, dict) or moments.keys() != _MOMENTS:
            raise CheckpointError(f"{place} {index} does not hold {', '.join(sorted(_MOMENTS))}")
        for name, tensor in moments.items():
            shape = () if name == "step" else parameters[index].shape
            if not _is_moment(tensor, tuple(shape), can_be_negative=name == "exp_avg"):
                raise CheckpointError(
                    f"{place} {index}: {name} takes finite numbers of shape {tuple(shape)}"
                )
    optimizer.load_state_dict({"state": found, "param_groups": own["param_groups"]})


def _is_moment(tensor: object, shape: tuple[int, ...], *, can_be_negative: bool) -> bool:
    if not isinstance(tensor, Tensor) or tuple(tensor.shape) != shape:
        return False
    if not tensor.is_floating_point() or not torch.isfinite(tensor).all():
        return False
    return can_be_negative or bool((tensor >= 0).all())
