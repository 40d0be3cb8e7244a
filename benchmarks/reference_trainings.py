"""Trains what the reference rows of gonzaga-bench play: tabula rasa, with a prior, and clones.

python benchmarks/reference_trainings.py --tasks gonzaga/4p --budgets 1e5

The same command continues where it was interrupted: finished runs are left alone, and
others continue from their last save. `python benchmarks/reference_rows.py` then plays them.

| folder below `--out` | what | trained by |
|---|---|---|
| gonzaga-4p/none-1e5-0 | masked PPO with a plain network, no prior | `train.py --prior none` |
| gonzaga-4p/prior-1e5-0 | PPO with the planner's prior | `train.py` |
| gonzaga-4p/sb3-1e5-0 | MaskablePPO's own MlpPolicy | `examples/trainers/sb3_tabula_rasa.py` |
| gonzaga-4p/clone-1e5-0 | a clone of the published data set | `examples/trainers/clone_games.py` |
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gonzaga_agents.bench.tasks import find_task
from gonzaga_agents.bench.tracks import budget_text, check_budget
from gonzaga_agents.common.command_line import WholeNumber, parse
from gonzaga_agents.network.checkpoint import CheckpointError, read_description
from gonzaga_agents.network.files import CHECKPOINT

from gonzaga_env.command_line import run_command

ROOT = Path(__file__).parent.parent
GAMES = 960  # of the published data set gonzaga-planner-4 (tools/release_data.py)
PASSES = {10**5: 1, 10**6: 4}  # over its 67,048 decisions, by the budget that they keep to
SAVES = 10  # of each training

Kind = Literal["none", "prior", "sb3", "clone"]


@dataclass(frozen=True)
class Arguments:
    """Trains all kinds with all budgets and seeds, one run after the other."""

    out: Path = Path("runs/rows")
    tasks: tuple[str, ...] = ("gonzaga/4p",)
    """Tasks of the benchmark; clones and SB3's rows are for gonzaga/4p only."""
    kinds: tuple[Kind, ...] = ("none", "prior", "sb3", "clone")
    budgets: tuple[WholeNumber, ...] = (10**5, 10**6)
    """Turns."""
    seeds: int = 5
    """Seeds, from 0."""
    show: bool = False
    """Prints the commands that are left to run, and runs none."""


@dataclass(frozen=True)
class Training:
    """One training, in a folder of its own."""

    out: Path
    task: str
    kind: Kind
    budget: int
    seed: int

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to train."""
        if self.kind == "sb3":
            return (self.out / f"{self.budget:010d}" / "model.zip").is_file()
        wanted = self.budget if self.kind != "clone" else PASSES[self.budget]
        return self._done() >= wanted

    def _done(self) -> int:
        """Returns turns, or passes of a clone, that the checkpoint has seen."""
        try:
            about = read_description(self.out / CHECKPOINT)
        except CheckpointError:  # none yet, or one that was broken: the trainer says which
            return 0
        if self.kind != "clone":
            return int(about["timesteps"])
        every = int(about["arguments"]["timesteps"]) // PASSES[self.budget]
        return int(about["timesteps"]) // every

    def command(self, games: Path) -> list[str]:
        """Returns the command that starts or continues it."""
        seed, out = ["--seed", str(self.seed)], ["--out", str(self.out)]
        if self.kind == "clone":
            passes = ["--passes", str(PASSES[self.budget])]
            return ["examples/trainers/clone_games.py", "--games", str(games), *passes, *seed, *out]
        if self.kind == "sb3":
            turns = ["--turns", str(self.budget)]
            return ["examples/trainers/sb3_tabula_rasa.py", *turns, *seed, *out]
        if (self.out / CHECKPOINT).is_file():
            return ["train.py", "--resume", *out]
        task = find_task(self.task)
        return [
            "train.py",
            *("--prior", "none" if self.kind == "none" else "planner"),
            *("--game", task.game, "--players", str(task.players)),
            *("--timesteps", str(self.budget)),
            *("--checkpoint-every", str(max(1, self.budget // SAVES))),
            *("--eval-deals", "0", "--final-deals", "0", "--sample-games", "0"),
            *("--device", "cpu", "--processes", "1"),
            *seed,
            *out,
        ]


def trainings(arguments: Arguments) -> Iterator[Training]:
    """Yields all trainings, those of small budgets first."""
    for budget in sorted(arguments.budgets):
        for seed in range(arguments.seeds):
            for task in arguments.tasks:
                for kind in arguments.kinds:
                    if kind in ("sb3", "clone") and task != "gonzaga/4p":
                        continue
                    if kind == "clone" and budget not in PASSES:
                        continue
                    name = f"{kind}-{budget_text(budget)}-{seed}"
                    out = arguments.out / task.replace("/", "-") / name
                    yield Training(out, task, kind, budget, seed)


def main(arguments: Arguments) -> int:
    """Trains; returns the exit code of the first command that fails, else 0.

    Raises:
        OptionError: there is no such task or budget.
    """
    for task in arguments.tasks:
        find_task(task)
    for budget in arguments.budgets:
        check_budget(budget)
    games, every = arguments.out / "gonzaga-planner-4", list(trainings(arguments))
    left = [training for training in every if not training.is_finished]
    words = shlex.split(
        f"-m gonzaga_agents.dataset write planner --players 4 --games {GAMES} --seed 0"
    )
    write = [*words, "--out", str(games)]
    needs_games = any(training.kind == "clone" for training in left)
    print(f"{len(every) - len(left)} of {len(every)} trainings are finished", flush=True)
    for training in [None, *left] if needs_games else left:
        command = write if training is None else training.command(games)
        print(shlex.join(["python", *command]), flush=True)
        if arguments.show:
            continue
        code = subprocess.run([sys.executable, *_here(command)], check=False).returncode
        if code:
            return code
    return 0


def _here(command: list[str]) -> list[str]:
    """Returns a command whose program is found from any folder."""
    return command if command[0] == "-m" else [str(ROOT / command[0]), *command[1:]]


if __name__ == "__main__":
    sys.exit(run_command("reference_trainings", lambda: main(parse(Arguments))))
