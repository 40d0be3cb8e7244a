"""The border of the commands: exit codes, and one line for whatever went wrong."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
#: The run that the documents show.
RESULTS = ROOT / "benchmarks" / "results.json"
OK, MISSED, MISTAKE, INTERRUPTED = 0, 1, 2, 130
_OURS = ("benchmarks", "gonzaga_agents", "gonzaga_env", "tests")


class CommandError(Exception):
    """What was asked for can't be done; the text says why in a line."""


def run_command(name: str, work: Callable[[], int]) -> int:
    """Does a command's work and returns its exit code.

    Args:
        name: how the command calls itself.
        work: may raise CommandError, lack a package, or be interrupted.
    """
    code, message = MISTAKE, ""
    try:
        return work()
    except CommandError as error:
        message = str(error)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in _OURS:
            raise
        message = f'{package} is not installed; pip install ".[benchmark]" brings it'
    except BrokenPipeError:  # whoever read our output has gone, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        message = f"{error.filename}: {error.strerror}"
    except KeyboardInterrupt:
        code, message = INTERRUPTED, "interrupted"
    print(f"{name}: {message}", file=sys.stderr)
    return code


def read_report(path: Path) -> dict[str, Any]:
    """Returns the report of a run of everything.

    Raises:
        CommandError: it is none.
        OSError: the file can't be read.
    """
    try:
        report = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise CommandError(f"{path}: is no JSON: {error}") from error
    if not isinstance(report, dict) or not {"rows", "profile", "growth"} <= report.keys():
        raise CommandError(f"{path}: is not what a whole run of speed.py writes with --out")
    return report
