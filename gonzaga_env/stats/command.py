"""The command `python -m gonzaga_env stats`: sums up recorded games."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

from gonzaga_env.command_line import examples, file_ending
from gonzaga_env.stats.report import SEAT_KEYS, Report, sum_up
from gonzaga_env.stats.rows import Skipped, read_games
from gonzaga_env.stats.text import as_json, report_lines
from gonzaga_env.tabletop.errors import MissingPackageError
from gonzaga_env.tabletop.writing import check_writable, write_aside

_FORMATS = (".pdf", ".png", ".svg")
_BIAS = (
    "Only finished games are in records. If a run was stopped early, long games are missing; if it "
    "stopped once it was decided, its shares lean towards the winner (docs/statistics.md)."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser, and the function that runs it."""
    parser.description = (
        "Sum up recorded games: legal actions, lengths, win shares and points by source, with "
        "95 % intervals over deals. Records are not verified; `replay` does that."
    )
    add = parser.add_argument
    add(
        "path",
        metavar="PATH",
        type=Path,
        help="a file of records, a folder with *.jsonl files, or a data set",
    )
    add(
        "--by",
        metavar="KEY,...",
        type=lambda text: [key.strip() for key in text.split(",")],
        help=f"divide by {', '.join(SEAT_KEYS)}, or count choices such as plan",
    )
    add("--json", metavar="FILE", type=Path, help="write the statistics as JSON")
    add(
        "--figure",
        metavar="FILE",
        type=file_ending(*_FORMATS),
        help=f"draw them ({', '.join(_FORMATS)})",
    )
    parser.epilog = examples(
        "python -m gonzaga_env stats games.jsonl",
        "python -m gonzaga_env stats games.jsonl --by agent --json stats.json",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints statistics, writes what was asked for, and returns the exit code.

    Raises:
        GameError: the records can't be read, or have no such key.
        OSError: a file can't be written.
    """
    for path in filter(None, (options.json, options.figure)):
        check_writable(path)  # now rather than after reading all records
    skipped = Skipped()
    reports = sum_up(read_games(options.path, skipped), options.by)
    width = shutil.get_terminal_size().columns
    lines = [line for report in reports for line in (*report_lines(report, width), "")]
    lines += [*_skipped_lines(skipped), f"note: {_BIAS}"]
    if options.json:
        content = {"format": 1, "notes": [*_skipped_lines(skipped), _BIAS]}
        reported = content | {"reports": [as_json(report) for report in reports]}
        write_aside(options.json, json.dumps(reported, indent=1) + "\n")
        lines.append(f"wrote {options.json}")
    if options.figure:
        _draw(reports, options.figure)
        lines.append(f"wrote {options.figure}")
    print(*lines, sep="\n")
    return 0


def _skipped_lines(skipped: Skipped) -> list[str]:
    lines = [
        f"note: {file}: its last line is incomplete and left out" for file in skipped.truncated
    ]
    lines += [f"note: {file} holds no records" for file in skipped.others]
    if skipped.repeated:
        lines.append(f"note: {skipped.repeated:,} records occur more than once and count once")
    return lines


def _draw(reports: list[Report], path: Path) -> None:
    try:
        from gonzaga_env.stats.figure import save_figure
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        hint = 'matplotlib is not installed; run: pip install "gonzaga-env[evaluate]"'
        raise MissingPackageError(f"--figure: {hint}", name=error.name) from error
    save_figure(reports, path)
