"""Measures data sets: writing, playing again, Parquet, loading and Minari, side by side.

    python benchmarks/data.py

Games of planner with four players, on one core; the figures are decisions per second of CPU time,
so that other work on the machine matters little. Rows that need a missing package are left out.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from gonzaga_agents.dataset import load, open_dataset, recipe_of, write_games, write_parquet
from gonzaga_agents.dataset.columns import MASK, OBSERVATION, play_again
from gonzaga_agents.units.entrants import identify

from gonzaga_env.core import GameConfig

FLOORS = {"parquet": 25_000, "minari": 2_000}


def main() -> int:
    """Measures and prints; returns 1 if a figure is below its floor."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=960)
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MINARI_DATASETS_PATH"] = f"{folder}/minari"
        runs = [_measure(Path(folder) / str(i), options.games) for i in range(options.repetitions)]
    table = {name: sorted(run[name] for run in runs) for name in runs[0]}
    print("| | decisions/s, median | range |\n|---|---|---|")
    for name, found in table.items():
        middle = found[len(found) // 2]
        print(f"| {name} | {middle:,.0f} | {found[0]:,.0f} to {found[-1]:,.0f} |")
    slow = [n for n, least in FLOORS.items() if n in table and table[n][len(runs) // 2] < least]
    for name in slow:
        print(f"data.py: {name} is below its floor of {FLOORS[name]:,}", file=sys.stderr)
    return 1 if slow else 0


def _measure(folder: Path, num_games: int) -> dict[str, float]:
    """Returns decisions per second by what was done."""
    recipe = recipe_of(GameConfig(num_players=4), [identify("planner")], num_games, None, seed=1)
    seconds = {"write": _time(lambda: write_games(recipe, folder / "games"))}
    dataset = open_dataset(folder / "games")
    parts = [dataset.read(shard) for shard in dataset.shards]
    steps = sum(len(part.actions) for part in parts)
    seconds["play again"] = _time(lambda: [play_again(dataset, part) for part in parts])
    seconds["load games"] = _time(lambda: list(map(len, load(dataset.path))))
    small = [name for name in load(dataset.path).columns if name not in (OBSERVATION, MASK)]
    seconds["load games, no observations"] = _time(
        lambda: list(map(len, load(dataset.path, columns=small)))
    )
    try:
        seconds["parquet"] = _time(lambda: write_parquet(dataset, folder / "parquet"))
        seconds["load parquet"] = _time(lambda: list(map(len, load(folder / "parquet"))))
    except ModuleNotFoundError as error:
        print(f"data.py: {error}", file=sys.stderr)
    try:
        from gonzaga_agents.dataset.minari import write_minari

        name = f"gonzaga/benchmark{folder.name}-v0"
        seconds["minari"] = _time(lambda: write_minari(dataset, name))
    except ModuleNotFoundError as error:
        print(f"data.py: {error}", file=sys.stderr)
    return {name: steps / spent for name, spent in seconds.items()}


def _time(act: Callable[[], object]) -> float:
    """Returns the CPU time that something takes, in seconds."""
    began = time.process_time()
    act()
    return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
