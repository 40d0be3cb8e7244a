"""Measures the speed of engines, environments and training, paired with another version.

    python benchmarks/speed.py --against v1.0.0 --page

Of each row two processes, one a version, play short bursts in turn on one core, so that a machine
that slows down affects both alike. docs/speed.md has the figures.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.measure import measured_on, spread, table, use_one_core, write

ROOT = Path(__file__).resolve().parent.parent
BURSTS = 60  # of a row, for each version
TRAININGS = 5


@dataclass
class SpeedOptions:
    """Measures the speed of engines, environments and training."""

    only: str = ""
    """Measure only the rows whose names contain this, such as "tuscany" or "engine"."""
    against: str = ""
    """A tag or commit to compare with."""
    seconds: float = 0.15
    """Length of a burst; a training takes 20 times as long."""
    page: bool = False
    """Write the table into docs/speed.md."""


def main(options: SpeedOptions) -> None:
    from benchmarks.rows import ROWS, TRAINING

    names = [name for name in (*ROWS, TRAINING) if options.only in name]
    with tempfile.TemporaryDirectory() as folder:
        trees = {"tree": ROOT}
        if options.against:
            trees["other"] = check_out(options.against, Path(folder))
        found = {name: measure(name, trees, options.seconds) for name in names}
    headings = ["row", "agent steps/s", *([f"over {options.against}"] if options.against else [])]
    lines = []
    for name in names:
        line = [name, spread(found[name]["tree"])]
        if options.against:
            pairs = zip(*found[name].values(), strict=True)
            line.append(spread([ours / theirs for ours, theirs in pairs]))
        lines.append(line)
    against = f" --against {options.against}" if options.against else ""
    note = measured_on(f"python benchmarks/speed.py{against}")
    text = f"{table(headings, lines)}\n\n{note} Medians and quartiles, one core."
    print(text)
    if options.page:
        write("speed", text)


def check_out(revision: str, folder: Path) -> Path:
    """Writes the code of a tag or commit into a folder, which it returns."""
    rooms = ["gonzaga_env", "agents", "train.py"]
    archive = subprocess.run(
        ["git", "archive", revision, *rooms], cwd=ROOT, capture_output=True, check=True
    )
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
    (folder / "gonzaga_agents").symlink_to(folder / "agents")
    return folder


def measure(row: str, trees: dict[str, Path], seconds: float) -> dict[str, list[float]]:
    """Returns agent steps a second of a row by tree, one value a burst."""
    from benchmarks.rows import TRAINING

    print(row, file=sys.stderr, flush=True)
    number, seconds = (TRAININGS, 20 * seconds) if row == TRAINING else (BURSTS, seconds)
    found: dict[str, list[float]] = {tree: [] for tree in trees}
    with ExitStack() as stack:
        players = {tree: stack.enter_context(start(path, row)) for tree, path in trees.items()}
        for burst in range(number):
            for tree in sorted(trees, reverse=bool(burst % 2)):
                found[tree].append(float(answer(players[tree], f"{seconds}\n")))
    return found


def start(tree: Path, row: str) -> subprocess.Popen[str]:
    """Starts a process that plays a row with the code of a folder, and waits until it is ready."""
    variables = os.environ | {"PYTHONPATH": os.pathsep.join([str(tree), str(ROOT)])}
    command = [sys.executable, "-P", "-m", "benchmarks.rows", row]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen(command, env=variables, text=True, **pipes)
    answer(process, "")
    return process


def answer(process: subprocess.Popen[str], asked: str) -> str:
    """Returns the line that a process answers to another."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(asked)
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise SystemExit(f"speed: {' '.join(map(str, process.args))} ended")
    return line


if __name__ == "__main__":
    import tyro

    given = tyro.cli(SpeedOptions)
    use_one_core()  # before anything imports numpy
    main(given)
