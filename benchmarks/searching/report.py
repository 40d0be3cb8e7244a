"""A part of the search benchmark as a table, the same one in the terminal and in Markdown."""

from __future__ import annotations

from typing import Any

from benchmarks.common.tables import Table, amount, machine_line, markdown_table, print_table

_TITLES = {
    "variants": "Variants of search",
    "budgets": "Strength by budget",
}


def table(report: dict[str, Any]) -> Table:
    """Returns the table of a part; variants are compared with the shipped search, the first."""
    compared = report["part"] == "variants"
    headings = ["agent", "win share, %", *["beside the first"] * compared, "playouts", "ms"]
    lines = [
        [
            line["name"],
            _percent(line["win_share"]),
            *[_percent(line["difference"], "+")] * compared,
            *(amount(line[name]) for name in ("playouts", "milliseconds")),
        ]
        for line in report["lines"]
    ]
    return Table(_TITLES[report["part"]], headings, lines)


def method(report: dict[str, Any]) -> str:
    """Returns what was played, on what and when."""
    found = report["settings"]
    each = f", {found['simulations']} simulations a decision" if found["simulations"] else ""
    return (
        f"{found['games']:,} games of one seat against three {found['opponent']} agents each "
        f"({found['deals']:,} deals in all seat rotations, the same for all){each}; "
        f"{machine_line(report)}"
    )


def show(report: dict[str, Any]) -> None:
    """Prints a part to stdout."""
    print(method(report))
    print_table(table(report))


def markdown(report: dict[str, Any]) -> str:
    """Returns a part as Markdown."""
    return f"{method(report)}.\n\n{markdown_table(table(report))}"


def _percent(found: dict[str, float] | None, sign: str = "") -> str:
    """Returns "75.5 (70.5 to 79.5)"; nothing for nothing."""
    if found is None:
        return ""
    mean, low, high = (f"{100 * found[name]:{sign}.1f}" for name in ("mean", "low", "high"))
    return f"{mean} ({low} to {high})"
