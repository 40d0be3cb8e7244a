"""Measures how well variants of search play, and search by its budget; docs/search.md says more.

    python benchmarks/search.py --out benchmarks/search.json    # both parts: about 25 minutes
    python benchmarks/search.py --only variants [--deals 100] [--simulations 64]
    python benchmarks/search.py --only budgets

Each agent plays one seat against three greedy agents. All play the same deals in all seat
rotations, with the same seed. `--out` replaces the parts that were measured and keeps the other.
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

PARTS = ("variants", "budgets")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, writes the report and returns the exit code."""
    from gonzaga_env.tabletop.errors import GameError

    options = parse(arguments)
    try:
        reports = {part: measure(part, options) for part in options.only}
        if options.out:
            write(options.out, reports)
        show(reports, options.json)
        return OK
    except KeyboardInterrupt:
        print("search: interrupted", file=sys.stderr)
        return INTERRUPTED
    except (GameError, OSError) as error:
        print(f"search: {error}", file=sys.stderr)
        return MISTAKE


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Returns the options; exits with code 2 for a mistake."""
    parser = Parser(prog="search")
    parser.add_argument("--only", metavar="PART,PART", default=",".join(PARTS))
    parser.add_argument("--deals", metavar="N", type=int, default=100, help="four games each")
    parser.add_argument("--simulations", metavar="N", type=int, default=64, help="of the variants")
    parser.add_argument("--opponent", metavar="AGENT", default="greedy")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the JSON to a file too")
    options = parser.parse_args(arguments)
    options.only = options.only.split(",")
    for part in options.only:
        if part not in PARTS:
            parser.error(f"--only: {part!r} is none of {', '.join(PARTS)}")
    for name, lowest in (("deals", 2), ("simulations", 1)):
        if getattr(options, name) < lowest:
            parser.error(f"--{name} is {getattr(options, name)}; it takes {lowest} or more")
    if options.out and (options.out.is_dir() or not options.out.parent.is_dir()):
        parser.error(f"--out: {options.out} is not a file in an existing folder")
    return options


def measure(part: str, options: argparse.Namespace) -> dict[str, Any]:
    """Plays the agents of a part and returns the report as plain data."""
    from benchmarks.searching.games import SearchMatches

    matches = SearchMatches(options.opponent, options.deals)
    simulations = options.simulations if part == "variants" else None
    lines = []
    for name, build in matches.entrants(simulations).items():
        lines.append({"name": name, **matches.play(build())})
        tell(f"{part}: {name} wins {100 * lines[-1]['win_share']['mean']:.1f} %")
    return {
        "part": part,
        "machine": describe_machine(("numpy",)),
        "settings": {
            "simulations": simulations,
            "opponent": options.opponent,
            "deals": options.deals,
            "games": matches.num_games,
        },
        "lines": lines,
    }


def write(path: Path, reports: dict[str, Any]) -> None:
    """Writes the reports of some parts; other parts that the file holds are kept."""
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    text = json.dumps(kept | reports, indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", "utf-8")


def show(reports: dict[str, Any], as_json: bool) -> None:
    """Prints the reports to stdout."""
    from benchmarks.searching import report as search_report

    if as_json:
        print(json.dumps(reports, indent=1, ensure_ascii=False))
        return
    for report in reports.values():
        search_report.show(report)


if __name__ == "__main__":
    use_one_core()  # before anything imports numpy
    sys.exit(main())
