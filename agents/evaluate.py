"""The command `gonzaga-evaluate`; `evaluation` does the work."""

from __future__ import annotations

import sys

from .command import run_command


def main() -> int:
    """Runs the command line and returns the exit code: 0, 2 for a mistake, 130 if interrupted."""
    return run_command("evaluate", "evaluation")


if __name__ == "__main__":
    sys.exit(main())
