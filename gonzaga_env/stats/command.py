"""`gonzaga stats`: sums up recorded games."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro

from gonzaga_env.command_line import parse
from gonzaga_env.stats.report import sum_up
from gonzaga_env.stats.rows import Skipped, read_games
from gonzaga_env.stats.text import as_json, report_lines
from gonzaga_env.tabletop.writing import check_writable, write_aside

_BIAS = (
    "Only finished games are in records. If a run was stopped early, long games are missing; if it "
    "stopped once it was decided, its shares lean towards the winner (docs/records.md)."
)


@dataclass(frozen=True)
class StatsOptions:
    """Sums up recorded games: legal actions, lengths, win shares and points by source.

    With 95 % intervals over deals. Records are not verified; `gonzaga replay` does that.

    Examples:
        gonzaga stats games.jsonl
        gonzaga stats runs/first --by scenario seat --json stats.json
    """

    path: tyro.conf.Positional[Path]
    """A file of records, or a folder with such files (*.jsonl)."""
    by: tuple[str, ...] = ()
    """Divides by scenario, seat or agent, or counts what moves chose, such as plan."""
    json: Path | None = None
    """Writes the statistics to a file, as JSON."""


def main(arguments: Sequence[str]) -> int:
    """Prints statistics, writes what was asked for, and returns the exit code, 0.

    Raises:
        GameError: the records can't be read, or have no such key.
        OSError: a file can't be written.
    """
    options = parse(StatsOptions, arguments, "gonzaga stats")
    if options.json is not None:
        check_writable(options.json)  # now rather than after reading all records
    skipped = Skipped()
    reports = sum_up(read_games(options.path, skipped), options.by or None)
    width = shutil.get_terminal_size().columns
    notes = [*_skipped_notes(skipped), _BIAS]
    lines = [line for report in reports for line in (*report_lines(report, width), "")]
    lines += [f"note: {note}" for note in notes]
    if options.json is not None:
        content = {"notes": notes, "reports": [as_json(report) for report in reports]}
        write_aside(options.json, json.dumps(content, indent=1) + "\n")
        lines.append(f"wrote {options.json}")
    print(*lines, sep="\n")
    return 0


def _skipped_notes(skipped: Skipped) -> list[str]:
    notes = [f"{file}: its last line is incomplete and left out" for file in skipped.truncated]
    notes += [f"{file} holds no records" for file in skipped.others]
    if skipped.repeated:
        notes.append(f"{skipped.repeated:,} records occur more than once and count once")
    return notes
