"""Writes data sets: python -m gonzaga_agents.dataset write AGENT ... (see --help)."""

from __future__ import annotations

import sys

from ..cli import run_command

if __name__ == "__main__":
    sys.exit(run_command("dataset", "gonzaga_agents.dataset.command"))
