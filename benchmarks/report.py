"""Shows a run in the terminal."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

_COLOURS = {"goal": "green", "floor": "yellow", "missed": "red"}


def show(report: dict[str, Any], console: Console) -> None:
    """Prints the machine and a table for everything that was measured."""
    console.print(machine_line(report), highlight=False)
    if report["rows"]:
        _print(console, _rows(report["rows"]), _figures(report["rows"]))
    if "profile" in report:
        _print(console, _profile(report["profile"]))
    for axis in ("games", "players", "hexes") if "growth" in report else ():
        _print(console, _growth(report["growth"], axis))


def machine_line(report: dict[str, Any]) -> str:
    """Returns in a line what a run was measured on, and how."""
    machine, settings = report["machine"], report["settings"]
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    pinned = "pinned to one core" if machine["pinned"] else "on one thread"
    return (
        f"{machine['cpu']}, {pinned} of {machine['cores']}, {machine['system']}, "
        f"Python {machine['python']}, {versions}; medians of {settings['repetitions']} repetitions"
    )


def amount(value: float, unit: str) -> str:
    """Returns a figure as one reads it: '31.4x', '62.1 %', '412,000'."""
    digits = f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
    return f"{digits}x" if unit == "x" else f"{digits} {unit}"


def limit(row: dict[str, Any], name: str) -> str:
    """Returns a row's goal or floor with its sign."""
    return f"{'≤' if row['lower_is_better'] else '≥'} {amount(row[name], row['unit'])}"


def _print(console: Console, *tables: Table) -> None:
    for table in tables:
        console.print()
        console.print(table, highlight=False)


def _table(title: str, *headings: str) -> Table:
    """Returns a table without rows: a name, then numbers."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left", no_wrap=True)
    return table


def _rows(rows: list[dict[str, Any]]) -> Table:
    table = _table("Rows", "row", "value", "lowest", "highest", "goal", "at least", "reached")
    for row in rows:
        colour, unit = _COLOURS[row["reached"]], row["unit"]
        values = [amount(row[name], unit) for name in ("value", "low", "high")]
        limits = [limit(row, name) for name in ("goal", "floor")]
        table.add_row(row["key"], *values, *limits, f"[{colour}]{row['reached']}[/{colour}]")
    return table


def figures(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Returns the absolute figures of all rows by name, each once."""
    return {name: figure for row in rows for name, figure in row["measured"].items()}


def _figures(rows: list[dict[str, Any]]) -> Table:
    table = _table("Measured", "figure", "value", "lowest", "highest", "unit")
    for name, figure in figures(rows).items():
        values = [amount(figure[key], "").strip() for key in ("value", "low", "high")]
        table.add_row(name, *values, figure["unit"])
    return table


def profile_lines(profile: dict[str, Any]) -> list[tuple[str, float]]:
    """Returns the parts, the whole and the limit by name, in microseconds."""
    lines = [(name, part["value"]) for name, part in profile["parts"].items()]
    copy = f"copy of the {profile['bytes']:,} bytes"
    return [*lines, ("whole", profile["whole"]["value"]), (copy, profile["copy"]["value"])]


def _profile(profile: dict[str, Any]) -> Table:
    over = profile["whole_over_copy"]["value"]
    table = _table(
        f"A step of one of {profile['num_games']:,} games: {over:.3g} copies",
        "part",
        profile["unit"],
    )
    for name, value in profile_lines(profile):
        table.add_row(name, f"{value:.3f}")
    return table


def _growth(growth: dict[str, Any], axis: str) -> Table:
    unit = growth["unit"]
    batch = "" if axis == "games" else f", {growth['batch']:,} games"
    table = _table(f"{unit}{batch}", axis, "mask and observation", "lean")
    for point in growth[axis]:
        speeds = [f"{point[mode]['value']:,.0f}" for mode in ("observed", "lean")]
        table.add_row(f"{point[axis]:,}", *speeds)
    return table
