"""Cuts puzzles from games: python -m gonzaga_agents.puzzles cut AGENT ... (see --help)."""

from __future__ import annotations

import sys

from ..cli import run_command

if __name__ == "__main__":
    sys.exit(run_command("puzzles", "gonzaga_agents.puzzles.command"))
