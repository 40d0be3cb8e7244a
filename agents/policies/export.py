"""Exports the policy of a training run to files that play without torch.

    python -m gonzaga_agents.policies.export runs/first

Needs the extra "export".
"""

from __future__ import annotations

import sys

from ..cli import run_command

if __name__ == "__main__":
    sys.exit(run_command("export", "gonzaga_agents.training.export", "export"))
