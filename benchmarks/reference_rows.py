"""Plays the reference rows of gonzaga-bench: python benchmarks/reference_rows.py.

Rows that are finished take seconds, and a row that was interrupted continues, so the same command
continues after Ctrl-C. Trained agents are looked for in a folder for each task, such as
runs/rows/gonzaga-4p, and named by kind, turns and seed: none-1e5-0, none-1e5-1, ... A row takes all
seeds whose training is finished; without any it is skipped, and named. The command first says how
long the rows take that are left.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from gonzaga_agents.bench.run import Request
from gonzaga_agents.bench.tasks import EASY_TASKS, Task, find_task, task_names
from gonzaga_agents.bench.tracks import ROLLOUT
from gonzaga_agents.network.files import NUMBERED
from gonzaga_agents.registry import checkpoint_description
from gonzaga_agents.search.budget import parse_search

from gonzaga_env.command_line import FAILED, OK, run_command
from gonzaga_env.tabletop.errors import GameError

OUT = Path("benchmarks/bench")
RUNS = Path("runs/rows")
_BASELINES = {"random": "zero", "greedy": "prior", "planner": "prior", "learned": "prior"}
_SEARCHES = {
    "gonzaga": ("search@64", "search@64:learned"),
    "tuscany": ("search@16",),
    "signorie": ("search@16",),
}
"""None plays the easy tasks, whose field it would only beat."""


@dataclass(frozen=True)
class Trained:
    """A row of agents that were trained.

    Attributes:
        kind: the first word of the names of their folders.
        turns: as the folders and `--budget` have it.
        track: the track.
        name: the row's name.
        agent: what follows the folder in an agent's spec.
        trained: how the agents were trained, where checkpoints don't say it; S is the seed.
    """

    kind: str
    turns: str
    track: str
    name: str
    agent: str = ""
    trained: str | None = None


_SECONDS = {
    "gonzaga": {"search": 0.18, "network": 0.005, "rules": 0.002},
    "tuscany": {"search": 0.35, "network": 0.01, "rules": 0.005},
    "signorie": {"search": 0.28, "network": 0.013, "rules": 0.01},
}
"""That an agent takes for its seat in a whole game on one quiet core, roughly."""
_PLACES = "masked PPO, network of places"


def _kinds(turns: str) -> Iterator[Trained]:
    sb3 = f"python examples/trainers/sb3_tabula_rasa.py --seed S --turns {float(turns):.0f}"
    yield Trained("places", turns, "zero", _PLACES)
    yield Trained("none", turns, "zero", "masked PPO, plain network")
    yield Trained("sb3", turns, "zero", "masked PPO of SB3, MlpPolicy", "/agent.py:agent", sb3)
    yield Trained("prior", turns, "prior", "PPO with the planner's prior")


_CLONES = "python examples/trainers/clone_games.py --seed S --passes"
TRAINED = (
    *_kinds("1e5"),
    *_kinds("1e6"),
    Trained("places", "1e7", "zero", _PLACES),
    Trained("clone", "1e5", "data", "cloning of the planner, 1 pass", trained=f"{_CLONES} 1"),
    Trained("clone", "1e6", "data", "cloning of the planner, 14 passes", trained=f"{_CLONES} 14"),
)
"""In a data set's row, the turns are the decisions that the agent learns from."""


def baselines(task: Task) -> list[tuple[str, str]]:
    """Returns the agents of a task that need no training here, each with its track."""
    searches = () if task.name in EASY_TASKS else _SEARCHES[task.game]
    return [*_BASELINES.items(), *((spec, "search") for spec in searches)]


def commands(task: Task, runs: Path = RUNS, out: Path = OUT) -> Iterator[tuple[str, list[str]]]:
    """Yields each row's name and the words after `bench`; no words where its agents are missing."""
    for spec, track in baselines(task):
        file = out / Request(task, (spec,), track, spec).file_name()
        yield spec, ["run", task.name, spec, "--track", track, "--out", file.as_posix()]
    folder = folder_of(task, runs)
    for row in TRAINED if not task.maps else ():
        found = sorted(folder.glob(f"{row.kind}-{row.turns}-[0-9]*"), key=_seed)
        found = [path for path in found if is_finished(path, row)]
        specs = tuple(f"{within_budget(path, row).as_posix()}{row.agent}" for path in found)
        file = out / Request(task, specs, row.track, row.name, int(float(row.turns))).file_name()
        words = ["run", task.name, *specs, "--track", row.track, "--budget", row.turns]
        words += ["--name", row.name, "--out", file.as_posix()]
        words += [] if row.trained is None else ["--trained", row.trained]
        yield f"{row.name}, {row.turns}", words if specs else []


def folder_of(task: Task, runs: Path) -> Path:
    """Returns where a task's trained agents lie, which play its easy task, too."""
    return runs / f"{task.game}-{task.players}p"


def seconds_of(task: Task, specs: Sequence[str]) -> float:
    """Returns how long some agents' row takes on one quiet core, roughly."""
    costs, others = _SECONDS[task.game], task.players - 1

    def cost(spec: str) -> float:
        if parse_search(spec) is not None:
            return costs["search"]
        return costs["rules" if spec in ("random", "greedy", "planner") else "network"]

    field = [cost(opponent.pin.spec) for opponent in task.field]
    games = task.deals * task.players
    return sum(games * (cost(spec) + others * each) for spec in specs for each in field)


def is_played(file: Path) -> bool:
    """Returns whether a row is complete."""
    return file.is_file() and bool(json.loads(file.read_text("utf-8")).get("complete"))


def _file(words: Sequence[str]) -> Path:
    return Path(words[words.index("--out") + 1])


def _seed(folder: Path) -> int:
    digits = folder.name.rpartition("-")[2]
    return int(digits) if digits.isdecimal() else -1


def is_finished(folder: Path, row: Trained) -> bool:
    """Returns whether an agent of a row is fully trained; its folder may hold an unfinished run."""
    if row.agent:  # stable-baselines3's, with a folder for each number of turns
        return (folder / f"{float(row.turns):010.0f}" / "model.zip").is_file()
    try:
        about = checkpoint_description(folder.as_posix())
    except GameError:  # no checkpoint yet, or a broken one
        return False
    return about is not None and about["timesteps"] >= (about["arguments"].get("timesteps") or 0)


def within_budget(folder: Path, row: Trained) -> Path:
    """Returns an agent's folder or, where its last rollout exceeds the budget, the last checkpoint
    that does not; without one, `bench run` refuses the folder.
    """
    most = float(row.turns) * ROLLOUT
    kept = sorted((folder / NUMBERED).glob("*.zip"))
    if not kept or int(kept[-1].stem) <= most:
        return folder
    return next((path for path in reversed(kept) if int(path.stem) <= most), folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays all rows of the tasks that are named.

    Returns:
        The exit code: 0, or that of the first row that failed.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="by default all tasks")
    parser.add_argument("--workers", default="1", help="units played at the same time (1)")
    parser.add_argument("--list", action="store_true", help="print the commands, and play nothing")
    options = parser.parse_args(arguments)
    tasks = [*map(find_task, options.tasks or task_names())]
    rows = [(task, name, words) for task in tasks for name, words in commands(task)]
    seconds = [
        seconds_of(task, words[2 : words.index("--track")])
        for task, _, words in rows
        if words and not is_played(_file(words))
    ]
    if not options.list:
        print(
            f"{len(seconds)} rows are left: {sum(seconds) / 3600:.1f} hours of one quiet core",
            flush=True,
        )
    for task, name, words in rows:
        command = ["python", "-m", "gonzaga_agents.bench", *words, "--workers", options.workers]
        if not words:
            folder = folder_of(task, RUNS)
            print(f"{task.name}, {name}: no finished agents in {folder}")
        elif options.list:
            print(shlex.join(command))
        elif code := subprocess.run([sys.executable, *command[1:]], check=False).returncode:
            if code == FAILED and is_played(_file(words)):
                print(f"{task.name}, {name}: the finished row stays as it is")
                continue
            print(f"{task.name}, {name}: ended with code {code}", file=sys.stderr)
            return FAILED if code == 1 else code
    return OK


if __name__ == "__main__":
    sys.exit(run_command("reference_rows", main))
