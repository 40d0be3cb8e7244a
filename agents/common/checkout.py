"""The commit of the code that runs."""

from __future__ import annotations

import subprocess
from pathlib import Path


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
