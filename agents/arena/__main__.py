"""Values agents by their decisions: python -m gonzaga_agents.arena run AGENT ... (see --help)."""

from __future__ import annotations

import sys

from ..cli import run_command

if __name__ == "__main__":
    sys.exit(run_command("arena", "gonzaga_agents.arena.command"))
