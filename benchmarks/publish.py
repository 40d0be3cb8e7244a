"""Writes a run's figures into benchmarks/README.md, and its picture beside the documents.

python benchmarks/publish.py [RESULTS]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "benchmarks" / "README.md"
START, END = "<!-- figures: written by publish.py -->", "<!-- end of figures -->"


def markdown(report: dict[str, Any]) -> str:
    """Returns the figures of a whole run as the README holds them."""
    from benchmarks.report import machine_line

    blocks = (
        [f"Measured on: {machine_line(report)}."],
        _rows(report),
        ["What the ratios are made of:"],
        _figures(report),
        _profile(report["profile"]),
        *_growth(report["growth"]),
    )
    return "\n\n".join("\n".join(block) for block in blocks)


def _table(headings: Iterable[str], lines: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yields a table's lines: the first column is words, the others are figures."""
    headings = list(headings)
    yield f"| {' | '.join(headings)} |"
    yield f"|{'|'.join(['---', *['--:'] * (len(headings) - 1)])}|"
    for line in lines:
        yield f"| {' | '.join(line)} |"


def _rows(report: dict[str, Any]) -> Iterator[str]:
    from benchmarks.report import amount, limit

    yield from _table(
        ("row", "measured", "lowest to highest", "goal", "at least", "reached"),
        (
            (
                f"`{row['key']}`: {row['what']}",
                f"**{amount(row['value'], row['unit'])}**",
                f"{amount(row['low'], row['unit'])} to {amount(row['high'], row['unit'])}",
                limit(row, "goal"),
                limit(row, "floor"),
                row["reached"],
            )
            for row in report["rows"]
        ),
    )


def _figures(report: dict[str, Any]) -> Iterator[str]:
    from benchmarks.report import amount, figures

    yield from _table(
        ("figure", "median", "lowest to highest", "unit"),
        (
            (
                f"`{name}`",
                amount(figure["value"], "").strip(),
                f"{amount(figure['low'], '')}to {amount(figure['high'], '').strip()}",
                figure["unit"],
            )
            for name, figure in figures(report["rows"]).items()
        ),
    )


def _profile(profile: dict[str, Any]) -> Iterator[str]:
    from benchmarks.report import profile_lines

    over = profile["whole_over_copy"]["value"]
    yield (
        f"A step of one of {profile['num_games']:,} games with mask and observation, part by part; "
        f"the whole is {over:.3g} copies of what it writes:"
    )
    yield ""
    lines = ((name, f"{value:.3f}") for name, value in profile_lines(profile))
    yield from _table(("part", profile["unit"]), lines)


def _growth(growth: dict[str, Any]) -> Iterator[list[str]]:
    """Yields a table for each of the three that grow."""
    for axis in ("games", "players", "hexes"):
        heading = axis if axis == "games" else f"{axis} ({growth['batch']:,} games)"
        lines = [
            [f"{point[axis]:,}", *(f"{point[mode]['value']:,.0f}" for mode in ("observed", "lean"))]
            for point in growth[axis]
        ]
        yield list(
            _table((heading, f"with mask and observation, {growth['unit']}", "without"), lines)
        )


def with_figures(text: str, report: dict[str, Any]) -> str:
    """Returns a document with the figures between its two marks."""
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    return f"{before}{START}\n\n{markdown(report)}\n\n{END}{after}"


def main() -> int:
    """Writes both; returns 2 for a mistake."""
    from benchmarks.door import OK, RESULTS, read_report, run_command
    from benchmarks.plot import PICTURE, draw
    from gonzaga_env.core.files import write_aside

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("results", nargs="?", type=Path, default=RESULTS)
    options = parser.parse_args()

    def work() -> int:
        report = read_report(options.results)
        draw(report, PICTURE)
        write_aside(README, with_figures(README.read_text("utf-8"), report))
        print(f"wrote {README.relative_to(ROOT)} and {PICTURE.relative_to(ROOT)}")
        return OK

    return run_command("publish", work)


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    sys.exit(main())
