"""A run: contestants take turns within a repetition, so that a slow moment hits all alike."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from benchmarks import growth, machine, parts
from benchmarks.contestants import BUILDERS
from benchmarks.rows import ROWS, Row, result
from benchmarks.settings import Settings, tell

FORMAT = 1


def run(keys: Collection[str], settings: Settings) -> dict[str, Any]:
    """Measures some rows and sections and returns the report, as plain data."""
    rows = [row for row in ROWS if row.key in keys]
    report: dict[str, Any] = {
        "format": FORMAT,
        "machine": machine.describe(),
        "settings": asdict(settings),
        "rows": _measure_rows(rows, settings),
    }
    for section, measure in (("profile", parts.measure), ("growth", growth.measure)):
        if section in keys:
            report[section] = measure(settings)
    return report


def missed(report: dict[str, Any]) -> list[str]:
    """Returns the keys of the rows that miss their floor."""
    return [row["key"] for row in report["rows"] if row["reached"] == "missed"]


def _measure_rows(rows: list[Row], settings: Settings) -> list[dict[str, Any]]:
    names = {name for row in rows for name in row.contestants}
    contestants = {}
    for name, build in BUILDERS.items():
        if name in names:
            tell(f"building {name}")
            contestants[name] = build(settings)
    repetitions: list[dict[str, float]] = []
    for number in range(settings.repetitions if rows else 0):
        tell(f"repetition {number + 1} of {settings.repetitions}")
        figures: dict[str, float] = {}
        for name, measure in contestants.items():
            found = measure()
            figures |= found if isinstance(found, dict) else {name: found}
        repetitions.append(figures)
    return [result(row, repetitions) for row in rows]
