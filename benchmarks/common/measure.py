"""How everything is measured: on one core, in interleaved repetitions, with medians."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from importlib.metadata import distributions
from statistics import median
from typing import Any

#: Measures once and returns one figure, or several by name.
Measure = Callable[[], float | dict[str, float]]


@dataclass(frozen=True)
class Settings:
    """How much is measured.

    Attributes:
        repetitions: how often everything is measured.
        seconds: length of one measurement of games.
        shrink: divides all numbers of games, for tests.
        against: tag or commit that rows `release_*` compare with; empty for the last release.
    """

    repetitions: int = 7
    seconds: float = 0.6
    shrink: int = 1
    against: str = ""

    def games(self, number: int) -> int:
        """Returns a number of games, shrunk."""
        return max(1, number // self.shrink)


def use_one_core() -> None:
    """Pins this process and its children to one core, where the system can, and to one thread.

    Call it before numpy, torch or jax is imported: they start their threads on import.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # the first often has interrupts


def rate(play: Callable[[], int], seconds: float) -> float:
    """Calls `play`, which returns its agent steps, for some seconds; returns steps a second."""
    steps, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds or not steps:
        steps += play()
    return steps / elapsed


def timed(seconds: Counter[str], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function that also adds the time it takes to `seconds[name]`."""

    def call(*args: Any, **kwargs: Any) -> Any:
        start = time.perf_counter()
        found = function(*args, **kwargs)
        seconds[name] += time.perf_counter() - start
        return found

    return call


def interleave(
    title: str, measures: Mapping[str, Measure], repetitions: int
) -> dict[str, list[float]]:
    """Returns figures by name, one value a repetition.

    A repetition measures everything once, so a slow moment hits all alike.
    """
    figures: dict[str, list[float]] = defaultdict(list)
    for number in range(repetitions if measures else 0):
        tell(f"{title}, repetition {number + 1} of {repetitions}")
        for name, measure in measures.items():
            found = measure()
            for figure, value in (found if isinstance(found, dict) else {name: found}).items():
                figures[figure].append(value)
    return figures


def summary(values: Sequence[float]) -> dict[str, float]:
    """Returns median, lowest and highest, rounded to four digits."""
    found = {"value": median(values), "low": min(values), "high": max(values)}
    return {name: float(f"{value:.4g}") for name, value in found.items()}


def tell(progress: str) -> None:
    """Prints a line of progress to stderr; stdout is for results."""
    print(progress, file=sys.stderr, flush=True)


def report(
    settings: Settings,
    packages: Iterable[str],
    figures: Mapping[str, Sequence[float]],
    units: Mapping[str, str],
) -> dict[str, Any]:
    """Returns what was measured, how and on which machine, as plain data."""
    return {
        "machine": describe_machine(packages),
        "settings": asdict(settings),
        "rows": [],
        "figures": {n: {"unit": units[n], **summary(values)} for n, values in figures.items()},
    }


def describe_machine(packages: Iterable[str]) -> dict[str, Any]:
    """Returns the date, the machine, the commit, and the versions of this package and of others."""
    from gonzaga_agents.common import checkout

    from gonzaga_env import __version__

    installed = {found.name.lower().replace("_", "-"): found.version for found in distributions()}
    return {
        "date": date.today().isoformat(),
        **checkout.describe_machine(),
        "pinned": hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) == 1,
        "commit": checkout.find_commit(),
        "versions": {"gonzaga-env": __version__}
        | {name: installed[name] for name in packages if name in installed},
    }
