"""Exports a policy: the command `python -m gonzaga_agents.policies.export`."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import tyro

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.tabletop.agent import AgentError
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.version import __version__

from ..common.array_files import arrays_content
from ..common.checkout import find_commit, portable
from ..common.command_line import parse, shown
from ..network.checkpoint import CheckpointError, load_agent, read_description
from ..network.description import GEOMETRY, NO_PRIOR, PLANNER, game_of, prior_of
from ..network.parts import TorchForward
from ..policies.learned import OnnxForward
from ..policies.onnx_model import OPSET, largest_difference, to_onnx
from ..policies.shipped import policy_folder, write_policy
from ..registry import find_checkpoint
from .collector import weights_of
from .options import Arguments as TrainingArguments
from .reports.curve import Curve

TOLERANCE = 1e-4
"""How far the logits and values of what is exported may be from the network's."""


@dataclass(frozen=True)
class Arguments:
    """Exports the policy of a training run: players_P.onnx, or with prior geometry
    players_P.weights.npz, which play without torch, and players_P.json, which describes it.
    --version prints the version.

    Examples:
        python -m gonzaga_agents.policies.export runs/first --out runs/first/policy
    """

    run: Annotated[str, tyro.conf.Positional, shown("RUN")]
    """The folder of a training run, or a checkpoint (.zip)."""
    out: Annotated[Path | None, shown("FOLDER")] = None
    """Folder of both files; by default that of the policies that ship."""
    command: Annotated[str | None, shown("TEXT")] = None
    """The training's command to note; by default it is put together from the checkpoint."""
    commit: Annotated[str | None, shown("TEXT")] = None
    """The commit to note; by default the checkout's."""


def main() -> int:
    """Parses the command line, exports and says what was written.

    Returns:
        The exit code, 0.

    Raises:
        GameError: the run cannot be exported, or an argument is wrong.
    """
    arguments = parse(Arguments)
    checkpoint = find_checkpoint(arguments.run)
    if checkpoint is None:
        raise OptionError(
            f"there is no run {arguments.run!r}; give the folder of a training run or a "
            "checkpoint (.zip)"
        )
    game = read_description(checkpoint).get("game", DEFAULT_GAME)
    out = policy_folder(game) if arguments.out is None else arguments.out
    if out.exists() and not out.is_dir():
        raise OptionError(f"{out} is a file; --out takes a folder")
    paths = export(checkpoint, out, arguments.command, arguments.commit)
    print(f"wrote {paths[0]} ({paths[0].stat().st_size:,} bytes) and {paths[1].name}")
    return 0


def export(
    checkpoint: Path, folder: Path, command: str | None = None, commit: str | None = None
) -> tuple[Path, Path]:
    """Writes the policy of a checkpoint as a network and its description; returns their paths.

    Args:
        checkpoint: the file.
        folder: where both go.
        command: the training's command; None puts it together from the checkpoint.
        commit: None takes the checkout's, if there is one.

    Raises:
        AgentError: what was exported and the network differ.
        CheckpointError: the checkpoint is broken, or was made by another version.
        OptionError: the policy was trained without a prior.
    """
    description = read_description(checkpoint)
    if (prior := prior_of(description)) == NO_PRIOR:
        raise OptionError(
            f"{checkpoint} was trained with prior {prior}, whose network is not exported; "
            "play the checkpoint itself"
        )
    try:
        config = _config_of(description)
        about = describe(checkpoint, description, config, command, commit)
    except (AttributeError, KeyError, TypeError, OptionError) as error:
        raise CheckpointError(f"{checkpoint}: the description is broken: {error!r}") from error
    agent = load_agent(checkpoint, config)
    forward = agent.forward
    if not isinstance(forward, TorchForward):
        raise TypeError(f"{checkpoint}: the agent of a checkpoint calls no network of torch")
    reader: Any = agent.reader
    if prior == GEOMETRY:
        weights = weights_of(forward.network)
        content, other = arrays_content(weights), reader.plain(weights)
    else:
        content = to_onnx(forward.network, reader.zeros())
        other = OnnxForward(content, game=config.game)
    difference = largest_difference(reader, forward, other)
    if not difference <= TOLERANCE:  # nor NaN
        raise AgentError(
            f"{checkpoint}: what was exported and the network differ by {difference:g} in logits "
            f"or values, more than {TOLERANCE:g}"
        )
    return write_policy(folder, content, about)


def describe(
    checkpoint: Path,
    description: dict[str, Any],
    config: Any,
    command: str | None,
    commit: str | None,
) -> dict[str, Any]:
    """Returns what the JSON file says of a policy (see `write_policy`).

    Turns and hours are those of the run and, where it started from another one that still exists,
    of that one too; the curve is the run's own.

    Args:
        checkpoint: where the policy comes from; its folder may have the curve of the run.
        description: of the checkpoint.
        config: what it plays.
        command: the training's command; None puts it together, a line for each run.
        commit: None takes the checkout's, if there is one.
    """
    arguments, turns = _portable(description["arguments"]), int(description["timesteps"])
    runs = [*_earlier_runs(description), description]
    commands = [training_command(_portable(run["arguments"])) for run in runs]
    prior = prior_of(description)
    return {
        **game_of(config, prior),
        **({} if prior == PLANNER else {"prior": prior}),
        "edition": config.edition.name,
        "rules": description["rules"],
        "network": description["network"],
        "reward": description["reward"],
        "reward_scale": description["reward_scale"],
        "turns": sum(int(run["timesteps"]) for run in runs),
        "hours": round(sum(run["seconds"] for run in runs) / 3600, 3),
        "seed": arguments.get("seed"),
        "arguments": arguments,
        "command": "\n".join(commands) if command is None else command,
        "version": __version__,
        "commit": find_commit() if commit is None else commit,
        **({"opset": OPSET} if prior == PLANNER else {}),
        "curve": _curve(checkpoint, config.num_players, turns),
    }


def training_command(arguments: dict[str, Any]) -> str:
    """Returns the command that trains with these arguments, without those that are defaults."""
    words = ["python", "train.py"]
    for field in fields(TrainingArguments):
        default = DEFAULT_GAME if field.name == "game" else field.default
        value = arguments.get(field.name, default)
        values = value if isinstance(value, list | tuple) else [value]
        if value != default and values:
            words += [f"--{field.name.replace('_', '-')}", *map(str, values)]
    return shlex.join(words)


def _earlier_runs(description: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the descriptions of the checkpoints that a run started from, the first one first.

    Raises:
        CheckpointError: one cannot be read, or a run started from itself.
    """
    runs: list[dict[str, Any]] = []
    seen: set[Path] = set()
    while (start := description["arguments"].get("start")) and (path := find_checkpoint(start)):
        if path.resolve() in seen:
            raise CheckpointError(f"{path}: the runs that it started from lead back to itself")
        seen.add(path.resolve())
        description = read_description(path)
        runs.insert(0, description)
    return runs


def _portable(arguments: dict[str, Any]) -> dict[str, Any]:
    """Returns a run's arguments with short paths, which say nothing of the machine it ran on."""
    return {
        name: ",".join(map(_short, value.split(","))) if isinstance(value, str) else value
        for name, value in arguments.items()
    }


def _short(name: str) -> str:
    path = Path(name)
    return portable(path).as_posix() if path.is_absolute() else name


def _config_of(description: dict[str, Any]) -> Any:
    """Returns what a run was trained on; without its scenario, for a policy plays all of them."""
    given = {"edition": description["arguments"].get("edition")}
    options = {name: value for name, value in given.items() if value is not None}
    spec, players = game_spec(description.get("game", DEFAULT_GAME)), description["num_players"]
    return spec.config(rules=description["rules"], num_players=players, **options)


def _curve(checkpoint: Path, num_players: int, turns: int) -> list[dict[str, Any]]:
    """Returns the points of the run's curve up to a checkpoint; none where it has no curve.

    Raises:
        CheckpointError: the curve cannot be read.
    """
    numbered = checkpoint.parent.name == "checkpoints"
    folder = checkpoint.parent.parent if numbered else checkpoint.parent
    try:
        return [asdict(point) for point in Curve(folder, num_players, turns).points]
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"{folder}: the run's curve cannot be read: {error}") from error
