"""The command `gonzaga-train`; `training` does the work."""

from __future__ import annotations

import sys

from .command import run_command


def main() -> int:
    """Runs the command line and returns the exit code: 0, 2 for a mistake, 130 if interrupted."""
    return run_command("train", "training")


if __name__ == "__main__":
    sys.exit(main())
