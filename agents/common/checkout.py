"""The commit of the code that runs, the machine, and paths that say nothing of it."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Any


def find_commit() -> str | None:
    """Returns the checkout's commit, "-dirty" if files differ from it; None without a checkout."""
    here = Path(__file__)
    try:
        for command in (
            ["ls-files", "--error-unmatch", here.name],
            ["describe", "--always", "--dirty", "--exclude=*"],
        ):
            done = subprocess.run(
                ["git", "-C", str(here.parent), *command],
                capture_output=True,
                text=True,
                check=True,
            )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def portable(path: Path) -> Path:
    """Returns a path without folders of the machine: from the current folder on, or its end."""
    if not path.is_absolute():
        return path
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else Path(*path.parts[-2:])


def describe_machine() -> dict[str, Any]:
    """Returns the processor, the number of cores, the system and Python's version."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return {
        "cpu": models[0] if models else platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
    }
