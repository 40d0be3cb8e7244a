"""The commit of the code that runs, and the machine."""

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
