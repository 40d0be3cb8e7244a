"""Measures how well search plays by its budget; docs/search.md says more.

    python benchmarks/search.py --out benchmarks/search.json    # about 10 minutes

Each agent plays one seat against three greedy agents. All play the same deals in all seat
rotations, with the same seed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.common.command import INTERRUPTED, MISTAKE, OK, Parser
from benchmarks.common.measure import describe_machine, tell, use_one_core
from benchmarks.common.tables import Table, amount, machine_line, markdown_table, print_table

AGENTS = "greedy,planner,search@1ms,search@4ms,search@16ms,search@64ms"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, writes the report and returns the exit code."""
    from gonzaga_env.tabletop.errors import GonzagaError

    options = parse(arguments)
    try:
        report = measure(options.agents.split(","), options.opponent, options.deals)
        text = json.dumps(report, indent=1, ensure_ascii=False)
        if options.out:
            options.out.write_text(f"{text}\n", "utf-8")
        if options.json:
            print(text)
        else:
            print(method(report))
            print_table(table(report))
        return OK
    except KeyboardInterrupt:
        print("search: interrupted", file=sys.stderr)
        return INTERRUPTED
    except (GonzagaError, OSError) as error:
        print(f"search: {error}", file=sys.stderr)
        return MISTAKE


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Returns the options; exits with code 2 for a mistake."""
    parser = Parser(prog="search")
    parser.add_argument("--agents", metavar="AGENT,AGENT", default=AGENTS)
    parser.add_argument("--deals", metavar="N", type=int, default=100, help="four games each")
    parser.add_argument("--opponent", metavar="AGENT", default="greedy")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the JSON to a file too")
    options = parser.parse_args(arguments)
    if options.deals < 2:
        parser.error(f"--deals is {options.deals}; it takes 2 or more")
    if options.out and (options.out.is_dir() or not options.out.parent.is_dir()):
        parser.error(f"--out: {options.out} is not a file in an existing folder")
    return options


def measure(agents: Sequence[str], opponent: str, num_deals: int) -> dict[str, Any]:
    """Plays the agents and returns the report as plain data."""
    from benchmarks.search_matches import play

    lines = []
    for spec in agents:
        lines.append(play(spec, opponent, num_deals))
        tell(f"{spec} wins {100 * lines[-1]['win_share']['mean']:.1f} %")
    settings = {"opponent": opponent, "deals": num_deals, "games": 4 * num_deals}
    return {"machine": describe_machine(("numpy",)), "settings": settings, "lines": lines}


def table(report: dict[str, Any]) -> Table:
    """Returns the report as a table."""
    lines = [
        [
            line["name"],
            "{mean:.1f} ({low:.1f} to {high:.1f})".format(
                **{name: 100 * line["win_share"][name] for name in ("mean", "low", "high")}
            ),
            *(amount(line[name]) for name in ("playouts", "milliseconds")),
        ]
        for line in report["lines"]
    ]
    return Table("Strength by budget", ["agent", "win share, %", "playouts", "ms"], lines)


def method(report: dict[str, Any]) -> str:
    """Returns what was played, on what and when."""
    found = report["settings"]
    return (
        f"{found['games']:,} games of one seat against three {found['opponent']} agents each "
        f"({found['deals']:,} deals in all seat rotations, the same for all); "
        f"{machine_line(report)}"
    )


def markdown(report: dict[str, Any]) -> str:
    """Returns the report as Markdown."""
    return f"{method(report)}.\n\n{markdown_table(table(report))}"


if __name__ == "__main__":
    use_one_core()  # before anything imports numpy
    sys.exit(main())
