"""What a run is measured on: one core of a machine, one thread, and the versions installed."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

#: What numpy's and torch's libraries read when they are imported.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_PACKAGES = (
    "gonzaga-env",
    "numpy",
    "gymnasium",
    "pettingzoo",
    "stable-baselines3",
    "sb3-contrib",
    "torch",
)


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this process and its children to one thread and, where the system can, to one core.

    To be entered before numpy is imported, which takes its threads only then.
    """
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else set()
    if cores:
        os.sched_setaffinity(0, {max(cores)})  # the first one often serves interrupts
    try:
        yield
    finally:
        if cores:
            os.sched_setaffinity(0, cores)
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def describe() -> dict[str, Any]:
    """Returns processor, system and versions."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "pinned": hasattr(os, "sched_setaffinity"),
        "threads": 1,
        "system": platform.system(),
        "python": platform.python_version(),
        "versions": {name: found for name in _PACKAGES if (found := _version(name))},
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
