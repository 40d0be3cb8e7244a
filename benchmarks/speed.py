"""Measures speed, memory and start-up; benchmarks/README.md says how.

    python benchmarks/speed.py [--only KEY,KEY] [--repetitions 7] [--json] [--out FILE]

Exit codes: 0 every row reaches its floor, 1 one does not, 2 a mistake, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.common import command
from benchmarks.common.measure import Settings, interleave, report, tell, use_one_core

_PACKAGES = ("numpy", "gymnasium", "pettingzoo", "stable-baselines3", "sb3-contrib", "torch")
_SECTIONS = {  # with their units
    "profile": "µs per agent step",
    "growth": "agent steps/s",
    "search": "µs a game",
    "agents": "decisions/s",
    "playouts": "playouts/s",
    "learning": "µs a turn",
}
_SECTION_REPETITIONS = 3  # absolute figures need no more to show how they grow


def main(arguments: Sequence[str] | None = None, settings: Settings | None = None) -> int:
    """Measures, writes the report and returns the exit code."""
    from benchmarks.speeds.rows import ROWS

    keys = [*(row.key for row in ROWS), *_SECTIONS]
    return command.run("speed", keys, measure, settings or Settings(), arguments)


def measure(keys: Sequence[str], settings: Settings) -> dict[str, Any]:
    """Measures some rows and sections and returns the report as plain data."""
    from benchmarks.speeds import sections
    from benchmarks.speeds.rows import ROWS, measures, unit

    rows = [row for row in ROWS if row.key in keys]
    tell("building games")
    figures = interleave("rows", measures(rows, settings), settings.repetitions)
    units = {name: unit(name) for name in figures}
    for section in _SECTIONS:
        if section in keys:
            few = min(settings.repetitions, _SECTION_REPETITIONS)
            found = interleave(section, getattr(sections, section)(settings), few)
            figures |= found
            units |= dict.fromkeys(found, _SECTIONS[section])
    return report(settings, _PACKAGES, figures, units) | {
        "rows": [row.report(figures) for row in rows]
    }


if __name__ == "__main__":
    use_one_core()  # before anything imports numpy
    sys.exit(main())
