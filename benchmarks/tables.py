"""A report as tables, the same ones in the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

_GOALS = "Goals"
_COLORS = {"goal": "green", "floor": "yellow", "missed": "red"}


class Table(NamedTuple):
    """A title, headings, and lines of which the first cell is a name."""

    title: str
    headings: list[str]
    lines: list[list[str]]


def tables(report: dict[str, Any]) -> Iterable[Table]:
    """Yields a table for everything that was measured."""
    figures = report["figures"]
    if report.get("rows"):
        yield _rows(report["rows"])
    if plain := {name: figure for name, figure in figures.items() if "/" not in name}:
        headings = ["figure", "median", "lowest to highest", "unit"]
        lines = [[name, *_values(figure), figure["unit"]] for name, figure in plain.items()]
        yield Table("Figures", headings, lines)
    for section in dict.fromkeys(name.split("/")[0] for name in figures if "/" in name):
        yield _pivot(section, figures)


def _rows(rows: list[dict[str, Any]]) -> Table:
    headings = ["row", "measured", "lowest to highest", "goal", "at least", "reached"]
    lines = []
    for row in rows:
        sign = "≤" if row["lower_is_better"] else "≥"
        limits = [f"{sign} {amount(row[name], row['unit'])}" for name in ("goal", "floor")]
        name = f"{row['key']}: {row['what']}"
        lines.append([name, *_values(row, row["unit"]), *limits, row["reached"]])
    return Table(_GOALS, headings, lines)


def _pivot(section: str, figures: dict[str, dict[str, Any]]) -> Table:
    """Returns a section's figures, named "section/line/column", as lines and columns."""
    found = {
        tuple(name.split("/")[1:]): figure
        for name, figure in figures.items()
        if name.startswith(f"{section}/")
    }
    columns = list(dict.fromkeys(column for _, column in found))
    unit = next(iter(found.values()))["unit"]
    lines = [
        [line, *(amount(found[line, c]["value"]) if (line, c) in found else "" for c in columns)]
        for line in dict.fromkeys(line for line, _ in found)
    ]
    return Table(f"{section.capitalize()} ({unit})", [section.split()[-1], *columns], lines)


def _values(figure: dict[str, Any], unit: str = "") -> tuple[str, str]:
    value, low, high = (amount(figure[name], unit) for name in ("value", "low", "high"))
    return value, f"{low} to {high}"


def amount(value: float, unit: str = "") -> str:
    """Returns a figure with three digits at least and its unit: '31.4x', '62.1 %', '412,000'."""
    digits = f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
    return f"{digits}{unit}" if unit in ("x", "") else f"{digits} {unit}"


def machine_line(report: dict[str, Any]) -> str:
    """Returns on what, when and how often was measured."""
    machine = report["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    pinned = "pinned to one core" if machine["pinned"] else "on one thread"
    return (
        f"{machine['date']}, {machine['cpu']}, {pinned} of {machine['cores']}, "
        f"{machine['system']}, Python {machine['python']}, {versions}; "
        f"medians of {report['settings']['repetitions']} repetitions"
    )


def print_tables(report: dict[str, Any]) -> None:
    """Prints the tables to stdout."""
    console = Console()
    console.print(machine_line(report), highlight=False)
    for title, headings, lines in tables(report):
        table = RichTable(title=title, title_justify="left", box=box.SIMPLE_HEAD)
        for number, heading in enumerate(headings):
            table.add_column(heading, justify="right" if number else "left", overflow="fold")
        for line in lines:
            name, *cells, last = line
            key = name.partition(": ")[0] if title == _GOALS else name  # README describes the rows
            table.add_row(key, *cells, f"[{_COLORS.get(last, 'default')}]{last}")
        console.print(table, highlight=False)


def markdown(report: dict[str, Any]) -> str:
    """Returns the machine and the tables as Markdown."""
    blocks = [f"Measured on {machine_line(report)}.", *report.get("skipped", ())]
    for title, headings, lines in tables(report):
        rule = ["---", *["--:"] * (len(headings) - 1)]
        table = "\n".join(f"| {' | '.join(line)} |" for line in (headings, rule, *lines))
        blocks += [f"**{title}**", table]
    return "\n\n".join(blocks)
