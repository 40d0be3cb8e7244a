"""How fast the environment is, beside others, an oracle, and one that does nothing.

    python benchmarks/speed.py [--only KEY,KEY] [--repetitions 7] [--json] [--out FILE]

What is compared with what, and how to read it, stands in benchmarks/README.md. Exit codes: 0 every
row reaches its floor; 1 one does not; 2 a mistake; 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
SECTIONS = ("profile", "growth")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints and returns the exit code; `arguments` are sys.argv's if None."""
    from benchmarks.door import run_command

    options = _parser().parse_args(arguments)
    return run_command("speed", lambda: _run(options))


def _run(options: argparse.Namespace) -> int:
    from benchmarks.machine import one_core

    with one_core():  # before numpy is imported, which takes its threads then
        from rich.console import Console

        from benchmarks.door import MISSED, OK
        from benchmarks.report import show
        from benchmarks.run import missed, run
        from benchmarks.settings import Settings
        from gonzaga_env.core.files import write_aside

        report = run(options.only, Settings(options.repetitions, options.seconds, options.shrink))
    text = json.dumps(report, indent=1, ensure_ascii=False)
    if options.out:
        write_aside(options.out, f"{text}\n")
    if options.json:
        print(text, flush=True)
    else:
        show(report, Console())
    return MISSED if missed(report) else OK


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="speed", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--only",
        metavar="KEY,KEY",
        type=_keys,
        default=_all_keys(),
        help=f"rows and sections to measure: {', '.join(_all_keys())}",
    )
    parser.add_argument(
        "--repetitions", metavar="N", type=_whole, default=7, help="of everything (default: 7)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--out", metavar="FILE", type=_file, help="write the JSON object there too")
    parser.add_argument("--seconds", type=_positive, default=0.6, help=argparse.SUPPRESS)
    parser.add_argument("--shrink", type=_whole, default=1, help=argparse.SUPPRESS)
    return parser


def _all_keys() -> tuple[str, ...]:
    from benchmarks.rows import ROWS

    return (*(row.key for row in ROWS), *SECTIONS)


def _keys(text: str) -> tuple[str, ...]:
    keys = tuple(key.strip() for key in text.split(","))
    for key in keys:
        if key not in _all_keys():
            known = ", ".join(_all_keys())
            raise argparse.ArgumentTypeError(f"{key!r} is none of {known}")
    return keys


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number")
    return number


def _file(text: str) -> Path:
    """Refuses what can't be written before minutes are spent on it."""
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        what = "is a folder" if path.is_dir() else f"lies in no folder: {path.parent} is missing"
        raise argparse.ArgumentTypeError(f"{text!r} {what}")
    return path


if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # `benchmarks` and `tests` are found, and no module here hides another
    sys.exit(main())
