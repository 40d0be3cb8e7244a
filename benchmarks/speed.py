"""Measures the speed of engines, environments and training, paired with another version.

    python benchmarks/speed.py --against v1.0.0 --page

Every row plays in fresh processes, on one core, in the order tree, other, other, tree, so that a
machine that slows down affects both alike. docs/speed.md has the figures.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.measure import measured_on, spread, table, use_one_core, write

ROOT = Path(__file__).resolve().parent.parent
REPETITIONS = 5


@dataclass
class SpeedOptions:
    """Measures the speed of engines, environments and training."""

    only: str = ""
    """Measure only the rows whose names contain this, such as "tuscany" or "engine"."""
    against: str = ""
    """A tag or commit to compare with."""
    seconds: float = 0.6
    """Length of one measurement."""
    page: bool = False
    """Write the table into docs/speed.md."""


def main(options: SpeedOptions) -> None:
    from benchmarks.rows import ROWS, TRAINING

    names = [name for name in (*ROWS, TRAINING) if options.only in name]
    with tempfile.TemporaryDirectory() as folder:
        trees = {"tree": ROOT}
        if options.against:
            trees["other"] = check_out(options.against, Path(folder))
        found = measure(names, trees, options)
    headings = ["row", "agent steps/s", *([f"over {options.against}"] if options.against else [])]
    lines = []
    for name in names:
        line = [name, spread(found[name, "tree"])]
        if options.against:
            pairs = zip(found[name, "tree"], found[name, "other"], strict=True)
            line.append(spread([ours / theirs for ours, theirs in pairs]))
        lines.append(line)
    against = f" --against {options.against}" if options.against else ""
    note = measured_on(f"python benchmarks/speed.py{against}")
    text = f"{table(headings, lines)}\n\n{note} Medians of {REPETITIONS}, one core."
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


def measure(
    names: list[str], trees: dict[str, Path], options: SpeedOptions
) -> dict[tuple[str, str], list[float]]:
    """Returns agent steps a second by row and tree, one value a repetition."""
    found: dict[tuple[str, str], list[float]] = {(n, tree): [] for n in names for tree in trees}
    for number in range(REPETITIONS):
        for name in names:
            print(f"repetition {number + 1}: {name}", file=sys.stderr, flush=True)
            order = [*trees, *reversed(trees)]
            rates = [play_in(trees[tree], name, options.seconds / 2) for tree in order]
            for tree in trees:
                own = [rate for other, rate in zip(order, rates, strict=True) if other == tree]
                found[name, tree].append(mean(own))
    return found


def play_in(tree: Path, row: str, seconds: float) -> float:
    """Returns the agent steps a second of a row in a fresh process with the code of a folder."""
    variables = os.environ | {"PYTHONPATH": os.pathsep.join([str(tree), str(ROOT)])}
    command = [sys.executable, "-P", "-m", "benchmarks.rows", row, str(seconds)]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"speed: {row} in {tree}: {done.stderr.strip()[-1000:]}")
    return float(done.stdout.split()[-1])


if __name__ == "__main__":
    import tyro

    given = tyro.cli(SpeedOptions)
    use_one_core()  # before anything imports numpy
    main(given)
