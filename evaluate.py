"""Runs `gonzaga-evaluate` from a checkout: python evaluate.py AGENT AGENT ... (see --help)."""

from __future__ import annotations

import sys


def main() -> int:
    """Runs the evaluation and returns its exit code."""
    try:
        from gonzaga_agents.cli import evaluate
    except ModuleNotFoundError as error:
        hint = 'pip install ".[evaluate]" (with training: ".[train]")'
        print(f"evaluate: {error.name} is not installed; run: {hint}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # packages take a second to import
        print("evaluate: interrupted", file=sys.stderr)
        return 130
    return evaluate()


if __name__ == "__main__":
    sys.exit(main())
