"""Runs the benchmark: python -m gonzaga_agents.bench run TASK AGENT (see --help)."""

from __future__ import annotations

import sys

from ..cli import run_command

if __name__ == "__main__":
    sys.exit(run_command("bench", "gonzaga_agents.bench.command"))
