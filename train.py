"""Runs `gonzaga-train` from a checkout: python train.py --help."""

from __future__ import annotations

import sys


def main() -> int:
    """Trains and returns the exit code."""
    try:
        from gonzaga_agents.cli import train
    except ModuleNotFoundError as error:
        hint = 'pip install ".[train]"'
        print(f"train: {error.name} is not installed; run: {hint}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # packages take a second to import
        print("train: interrupted", file=sys.stderr)
        return 130
    return train()


if __name__ == "__main__":
    sys.exit(main())
