"""The command `python -m gonzaga_agents.training.search_value` (see `value_learning`).

Needs the extra "train".
"""

from __future__ import annotations

import sys

from ..cli import run_command

if __name__ == "__main__":
    sys.exit(run_command("search_value", f"{__package__}.value_learning", "train"))
