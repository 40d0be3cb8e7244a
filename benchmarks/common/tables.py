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


def measured_on(report: dict[str, Any]) -> str:
    """Returns on what, when and how often was measured."""
    machine = report["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    if commit := machine.get("commit"):  # runs before 0.12.0 do not name it
        versions += f", commit {commit}"
    pinned = "pinned to one core" if machine["pinned"] else "on one thread"
    return (
        f"{machine['date']}, {machine['cpu']}, {pinned} of {machine['cores']}, "
        f"{machine['system']}, Python {machine['python']}, {versions}; "
        f"medians of {report['settings']['repetitions']} repetitions"
    )


def print_tables(report: dict[str, Any]) -> None:
    """Prints the tables to stdout."""
    Console().print(measured_on(report), highlight=False)
    for table in tables(report):
        _print_table(table)


def _print_table(table: Table) -> None:
    """Prints a table to stdout."""
    shown = RichTable(title=table.title, title_justify="left", box=box.SIMPLE_HEAD)
    for number, heading in enumerate(table.headings):
        shown.add_column(heading, justify="right" if number else "left", overflow="fold")
    for name, *cells, last in table.lines:
        key = name.partition(": ")[0] if table.title == _GOALS else name  # README has the rest
        shown.add_row(key, *cells, f"[{_COLORS.get(last, 'default')}]{last}")
    Console().print(shown, highlight=False)


def markdown(report: dict[str, Any]) -> str:
    """Returns the machine and the tables as Markdown."""
    blocks = [f"Measured on {measured_on(report)}.", *report.get("skipped", ())]
    for table in tables(report):
        blocks += [f"**{table.title}**", markdown_table(table)]
    return "\n\n".join(blocks)


def markdown_table(table: Table) -> str:
    """Returns a table without its title as Markdown."""
    rule = ["---", *["--:"] * (len(table.headings) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (table.headings, rule, *table.lines))
