"""The command line of both measuring commands: options, report and exit codes."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.common.measure import Settings

OK, MISSED = 0, 1


def run(
    name: str,
    keys: Sequence[str],
    measure: Callable[[Sequence[str], Settings], dict[str, Any]],
    settings: Settings,
    arguments: Sequence[str] | None,
) -> int:
    """Measures, writes the report and returns the exit code; an error becomes one line."""
    from gonzaga_env.command_line import run_command  # numpy, which the caller has yet to limit

    options = parse(name, keys, settings.repetitions, arguments)

    def command() -> int:
        from benchmarks.common.tables import print_tables

        chosen = replace(settings, repetitions=options.repetitions, against=options.against)
        report = measure(options.only, chosen)
        text = json.dumps(report, indent=1, ensure_ascii=False)
        if options.out:
            options.out.write_text(f"{text}\n", "utf-8")
        if options.json:
            print(text)
        else:
            print_tables(report)
        return MISSED if "missed" in [row["reached"] for row in report["rows"]] else OK

    return run_command(
        name, command, lambda error: f'{error}; pip install ".[benchmark]" brings it'
    )


def parse(
    name: str, keys: Sequence[str], repetitions: int, arguments: Sequence[str] | None
) -> argparse.Namespace:
    """Returns the options; exits with code 2 for a mistake."""
    from gonzaga_env.command_line import OneLineParser

    parser, known = OneLineParser(prog=name), ", ".join(keys)
    parser.add_argument("--only", metavar="KEY,KEY", default=",".join(keys), help=known)
    parser.add_argument("--repetitions", metavar="N", type=int, default=repetitions)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the JSON to a file too")
    parser.set_defaults(against="")
    if any(key.startswith("release_") for key in keys):
        text = "tag or commit that rows release_* compare with; by default the last release"
        parser.add_argument("--against", metavar="REVISION", help=text)
    options = parser.parse_args(arguments)
    options.only = options.only.split(",")
    for key in options.only:
        if key not in keys:
            parser.error(f"--only: {key!r} is none of {known}")
    if options.repetitions < 1:
        parser.error(f"--repetitions is {options.repetitions}; it takes 1 or more")
    if options.out and (options.out.is_dir() or not options.out.parent.is_dir()):
        parser.error(f"--out: {options.out} is not a file in an existing folder")
    return options
