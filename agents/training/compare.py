"""Draws the curves of several runs in one figure.

    python -m gonzaga_agents.training.compare runs/a runs/b --out curves.png

Needs the extra "train".
"""

from __future__ import annotations

import sys

from ..cli import run_command

if __name__ == "__main__":
    sys.exit(run_command("compare", f"{__package__}.reports.comparison", "train"))
