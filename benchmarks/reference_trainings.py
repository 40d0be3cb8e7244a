"""Trains what the reference rows of gonzaga-bench play: tabula rasa, with a prior, and clones.

python benchmarks/reference_trainings.py --tasks gonzaga/4p --budgets 1e5

The same command continues where it was interrupted: finished runs are left alone, and
others continue from their last save. `python benchmarks/reference_rows.py` then plays them.

| folder below `--out` | what | trained by |
|---|---|---|
| gonzaga-4p/places-1e5-0 | masked PPO that sees the board | `train.py --prior geometry` |
| gonzaga-4p/none-1e5-0 | masked PPO with a plain network, no prior | `train.py --prior none` |
| gonzaga-4p/prior-1e5-0 | PPO with the planner's prior | `train.py` |
| gonzaga-4p/sb3-1e5-0 | MaskablePPO's own MlpPolicy | `examples/trainers/sb3_tabula_rasa.py` |
| gonzaga-4p/clone-1e5-0 | a clone of the planner's games | `examples/trainers/clone_games.py` |

Those of `gonzaga/4p` play `gonzaga/easy-4p`, too. Four players of Gonzaga are cloned from the
published data set, others from one with as many decisions.
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
from gonzaga_env.tabletop.errors import OptionError

ROOT = Path(__file__).parent.parent
GAMES = {
    "gonzaga/2p": 1700,
    "gonzaga/3p": 1220,
    "gonzaga/4p": 960,  # the published data set gonzaga-planner-4 (tools/release_data.py)
    "tuscany/2p": 370,
    "tuscany/3p": 250,
    "tuscany/4p": 185,
    "signorie/2p": 265,
    "signorie/3p": 175,
    "signorie/4p": 130,
}
"""That clones learn from: some 67,000 decisions."""
PASSES = {10**5: 1, 10**6: 14}  # over them, by the budget that they keep to
SAVES = 10  # of each training
SPEEDS = {"places": 1000, "none": 4400, "prior": 3000, "sb3": 1000, "clone": 5000}
"""Turns, or decisions read, in a second of one quiet core, roughly."""

Kind = Literal["places", "none", "prior", "sb3", "clone"]


@dataclass(frozen=True)
class Arguments:
    """Trains all kinds with all budgets and seeds, one run after the other."""

    out: Path = Path("runs/rows")
    tasks: tuple[str, ...] = tuple(GAMES)
    """Tasks of the benchmark; SB3's rows are for gonzaga/4p only."""
    kinds: tuple[Kind, ...] = ("places", "none", "prior", "sb3", "clone")
    budgets: tuple[WholeNumber, ...] = (10**5, 10**6)
    """Turns; 1e7 is for the kind "places" only."""
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
    def seconds(self) -> float:
        """How long all of it takes on one quiet core, roughly."""
        return self.budget / SPEEDS[self.kind]

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

    @property
    def games(self) -> Path:
        """The data set that a clone learns from."""
        task = find_task(self.task)
        return self.out.parents[1] / f"{task.game}-planner-{task.players}"

    def writing(self) -> list[str]:
        """Returns the command that writes the data set."""
        task = find_task(self.task)
        words = f"planner --game {task.game} --players {task.players} --games {GAMES[self.task]}"
        words = f"-m gonzaga_agents.dataset write {words} --seed 0 --out"
        return [*words.split(), str(self.games)]

    def command(self) -> list[str]:
        """Returns the command that starts or continues it."""
        seed, out = ["--seed", str(self.seed)], ["--out", str(self.out)]
        if self.kind == "clone":
            words = ["--games", str(self.games), "--passes", str(PASSES[self.budget])]
            return ["examples/trainers/clone_games.py", *words, *seed, *out]
        if self.kind == "sb3":
            turns = ["--turns", str(self.budget)]
            return ["examples/trainers/sb3_tabula_rasa.py", *turns, *seed, *out]
        if (self.out / CHECKPOINT).is_file():
            return ["train.py", "--resume", *out]
        task = find_task(self.task)
        return [
            "train.py",
            *("--prior", {"places": "geometry", "prior": "planner"}.get(self.kind, "none")),
            *(() if self.kind == "prior" else ("--self-play", "1")),
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
                    is_long = budget > 10**6 and kind != "places"
                    if is_long or (kind == "sb3" and task != "gonzaga/4p"):
                        continue
                    name = f"{kind}-{budget_text(budget)}-{seed}"
                    out = arguments.out / task.replace("/", "-") / name
                    yield Training(out, task, kind, budget, seed)


def main(arguments: Arguments) -> int:
    """Trains; returns the exit code of the first command that fails, else 0.

    Raises:
        OptionError: there is no such task or budget, or nothing is trained for the task.
    """
    for task in arguments.tasks:
        if find_task(task).name not in GAMES:
            raise OptionError(f"nothing is trained for {task}; take {', '.join(GAMES)}")
    for budget in arguments.budgets:
        check_budget(budget)
    every = list(trainings(arguments))
    left = [training for training in every if not training.is_finished]
    hours = sum(training.seconds for training in left) / 3600
    told = f"; the others take about {hours:.1f} hours of one quiet core" if left else ""
    print(f"{len(every) - len(left)} of {len(every)} trainings are finished{told}", flush=True)
    written = set[Path]()
    for training in left:
        commands = [training.command()]
        if training.kind == "clone" and training.games not in written:
            written.add(training.games)
            commands.insert(0, training.writing())
        for command in commands:
            print(shlex.join(["python", *command]), flush=True)
            if arguments.show:
                continue
            if command[0] != "-m":  # its program is found from any folder
                command = [str(ROOT / command[0]), *command[1:]]
            code = subprocess.run([sys.executable, *command], check=False).returncode
            if code:
                return code
    return 0


if __name__ == "__main__":
    sys.exit(run_command("reference_trainings", lambda: main(parse(Arguments))))
