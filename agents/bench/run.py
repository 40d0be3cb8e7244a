"""Runs agents on a task, keeps what is finished, and continues where a run was interrupted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.version import __version__

from ..common.checkout import describe_machine, find_commit
from ..policies.learned import NAME as LEARNED
from ..policies.shipped import policy_folder, policy_path, read_description
from ..registry import checkpoint_description, find_checkpoint, plays_shipped
from ..units.entrants import agent_files
from ..units.play import OnProgress, play_units
from ..units.work import Executor, code_digest
from .field import pins_of
from .pins import Pin, file_digests, has_time_budget, pin_of, plays_digest
from .row import DEVELOPMENT, TEST, TEST_SEED, Row, read_row
from .tasks import (
    VERSION,
    BenchError,
    Task,
    commitment,
    development_secret,
    revealed_secret,
    task_names,
)
from .tracks import budget_text, check_track

_LIBRARIES = "numpy", "scipy", "onnxruntime", "torch", "stable-baselines3", "sb3-contrib"
_SAME = "task", "track", "budget", "deals", "seed"  # of runs that continue each other


@dataclass(frozen=True)
class Request:
    """What is asked for."""

    task: Task  # what is played
    specs: tuple[str, ...]  # the agents: one, or one for each training seed
    track: str  # the track
    name: str  # the row's name
    # turns that a training may take; None if nothing is trained, or without a limit
    budget: int | None = None
    deals: int | None = None  # D; None takes the task's
    development: int | None = None  # which development deals; None takes the test deals
    seed: int = TEST_SEED  # of the agents' choices; test deals take `TEST_SEED`
    trained: str | None = None  # how the agents were trained, where no checkpoint says it
    command: str = ""  # the run's command

    def file_name(self) -> str:
        """Returns the name of the row's file by default, such as "gonzaga-2p-greedy.json"."""
        words = [self.task.name, self.name]
        words += [] if self.budget is None else [budget_text(self.budget)]
        words += [] if self.development is None else [f"development-{self.development}"]
        words += [] if self.deals in (None, self.task.deals) else [f"{self.deals}-deals"]
        return f"{re.sub(r'[^A-Za-z0-9]+', '-', '-'.join(words)).strip('-').lower()}.json"


def begin(request: Request, path: Path) -> Row:
    """Returns the run that is asked for, with the games that a file of it holds.

    Games against opponents that have changed since are dropped, as they do not count any more.

    Raises:
        BenchError: the file is of another run, the field is not the pinned one, or the test deals
            are not revealed yet.
        OptionError: an argument has a value that it does not take, or breaks the track's rules.
        AgentError: an agent cannot be found or built.
        CheckpointError: a checkpoint does not fit the game.
    """
    row = new_row(request)
    if not path.exists():
        return row
    found, _ = read_row(path)
    own = {key: row.about[key] for key in _SAME}
    for key, value in own.items():
        if found.about[key] != value:
            raise BenchError(
                f"{path}: has {key} {_short(found.about[key])}, not {_short(value)}; "
                "take another --out"
            )
    if (difference := found.task.difference_from(row.task, field=False)) is not None:
        raise BenchError(f"{path}: {difference}; take another --out")
    if found.pins != row.pins:
        raise BenchError(f"{path}: has other agents, or they have changed; take another --out")
    row.about["sessions"] = found.about["sessions"]
    same = {
        new.pin.spec
        for old, new in zip(found.task.field, row.task.field, strict=False)
        if old.pin == new.pin
    }
    row.games = {key: games for key, games in found.games.items() if key[1] in same}
    differed = [spec for spec in found.about["field_differs"] if spec in same]
    differs = row.about["field_differs"] if row.missing() else []
    row.about["field_differs"] = list(dict.fromkeys([*differed, *differs]))
    return row


def _short(value: Any) -> str:
    return ", ".join(f"{v}" for v in value.values()) if isinstance(value, dict) else f"{value}"


def new_row(request: Request) -> Row:
    """Returns the run that is asked for, without games.

    Raises: what `begin` raises of the request.
    """
    task = request.task
    deals = task.deals if request.deals is None else request.deals
    if not 1 <= deals <= task.deals:
        raise OptionError(f"deals is {deals}; {task.name} takes 1 to {task.deals}")
    if not request.specs:
        raise OptionError("no agent is named; give one, or one for each training seed")
    if len(set(request.specs)) < len(request.specs):
        raise OptionError("an agent is named twice; name each training seed once")
    if request.seed < 0:
        raise OptionError(f"seed is {request.seed}; it takes 0 or more")
    if request.seed != TEST_SEED and request.development is None:
        raise OptionError(
            "seed is given with test deals, whose choices are drawn from the seed of the task, so "
            "that nobody can pick a lucky one; add --development N"
        )
    if request.development is None and task.name not in task_names():
        raise OptionError(
            f"{task.name} has no test deals, as it is no task of the benchmark; add --development 0"
        )
    which = _which_deals(request.development)
    if not request.name.strip():
        raise OptionError("name is empty; it takes a text")
    if not f"{request.name}{request.command}".isprintable():
        raise OptionError("the command holds a line break or a character that can't be printed")
    kept = [check_track(request.track, s, request.budget, task.game) for s in request.specs]
    check_files(task)
    pins = [pin_of(spec, task.config) for spec in request.specs]
    if len(pins) > 1:
        _check_seeds(pins)
    return Row(
        {
            "bench": VERSION,
            "task": task.name,
            "about": task.as_dict(),
            "name": request.name,
            "track": request.track,
            "budget": request.budget,
            "agents": [
                {
                    **pin.as_dict(),
                    "track": how,
                    **training_of(pin.spec, task, request.trained),
                }
                for pin, how in zip(pins, kept, strict=True)
            ],
            "deals": {**which, "number": deals},
            "seed": request.seed,
            "command": request.command,
            "sessions": [],
            "partial": deals < task.deals,
            "field_differs": differing_plays(pins_of(task), task.config, are_opponents=True),
        }
    )


def _check_seeds(pins: Sequence[Pin]) -> None:
    """Raises OptionError unless all agents of a row were trained from different seeds."""
    for pin in pins:
        if plays_shipped(pin.spec) or not agent_files(pin.spec):
            raise OptionError(f"{pin.spec} is no training seed; give it a row of its own")
    paths = filter(None, [find_checkpoint(pin.spec) for pin in pins])
    weights = [path.read_bytes() for path in paths]
    if len({*weights}) < len(weights):
        raise OptionError("a checkpoint is named twice; name each training seed once")


def _which_deals(development: int | None) -> dict[str, Any]:
    if development is None:
        revealed_secret()  # raises if it is not revealed
        return {"set": TEST, "commitment": commitment()}
    development_secret(development)  # raises if there is no such set
    return {"set": DEVELOPMENT, "development": development}


def check_files(task: Task) -> None:
    """Raises BenchError if a file that the field reads is not the pinned one."""
    for opponent in task.field:
        found = file_digests(opponent.pin.spec, task.config, is_opponent=True)
        for name in sorted({*found, *opponent.pin.files}):
            if found.get(name) != opponent.pin.files.get(name):
                raise BenchError(
                    f"{task.name}: {opponent.pin.spec} is not the opponent of gonzaga-bench "
                    f"{VERSION}: agents/{name} differs from its pin (to pin the files that are "
                    "here: python -m gonzaga_agents.bench pin)"
                )


def differing_plays(pins: Sequence[Pin], config: Any, *, are_opponents: bool = False) -> list[str]:
    """Returns the agents that choose differently here than where they were pinned."""
    return [
        pin.spec
        for pin in pins
        if not has_time_budget(pin.spec)
        and plays_digest(pin.spec, config, is_opponent=are_opponents) != pin.plays
    ]


def training_of(spec: str, task: Task, declared: str | None) -> dict[str, Any]:
    """Returns how an agent was trained: its turns and the command; None where nobody says it.

    Args:
        spec: names the agent.
        task: what it plays.
        declared: the command as its owner states it, which goes before that of a checkpoint.

    Raises:
        CheckpointError: the checkpoint is broken.
    """
    if spec == LEARNED:
        path = policy_path(policy_folder(task.game), task.players, "json")
        about = read_description(path)
        return {"turns": about.get("turns"), "trained": about.get("command")}
    description = checkpoint_description(spec)
    if description is None:
        return {"turns": None, "trained": declared}
    from ..training.export import training_command  # which needs torch, as the checkpoint does

    command = declared or training_command(description["arguments"])
    return {"turns": description["timesteps"], "trained": command}


def play(row: Row, path: Path, executor: Executor, on_progress: OnProgress) -> None:
    """Plays what is missing; the file holds all finished units at all times.

    Raises:
        AgentError: an agent cannot be built, plays an invalid action or fails.
        OSError: the file cannot be written.
    """
    units = row.missing()
    done = sum(unit.num_games for unit in row.units()) - sum(unit.num_games for unit in units)
    if units:
        session = session_here()
        row.about["sessions"] = [*(s for s in row.about["sessions"] if s != session), session]
        row.write(path)
    tasks = [unit.task for unit in units]
    playing = play_units(units, executor, on_progress, done=done, shared=tasks)
    with closing(playing):
        for unit, games in playing:
            row.games[unit.key] = games
            row.write(path)
    row.write(path)


def session_here() -> dict[str, Any]:
    """Returns the date, the code, its libraries and the machine."""
    return {
        "date": date.today().isoformat(),
        "commit": find_commit(),
        "code": code_digest(),
        "versions": {"gonzaga_env": __version__, **_versions(_LIBRARIES)},
        "machine": describe_machine(),
    }


def _versions(names: Sequence[str]) -> dict[str, str]:
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
