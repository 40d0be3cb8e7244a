"""Solves small editions: python -m gonzaga_agents.solve EDITION (see --help)."""

from __future__ import annotations

import sys

from ..cli import run_command

if __name__ == "__main__":
    sys.exit(run_command("solve", "gonzaga_agents.solve.command"))
