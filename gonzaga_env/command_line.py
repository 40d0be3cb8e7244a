"""Command-line error handling: whatever ends a command becomes one line and an exit code."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from gonzaga_env.tabletop.agent import AgentCrashedError
from gonzaga_env.tabletop.bounded import printable
from gonzaga_env.tabletop.errors import EditionError, GameError

OK, FAILED, INTERRUPTED, BROKEN_PIPE = 0, 2, 130, 141
"""Exit codes; after a signal they are 128 + its number, as in a shell."""


_EXAMPLES = "Examples:\n"


class _HelpFormatter(argparse.HelpFormatter):
    """Keeps the lines of examples."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(_EXAMPLES) else super()._fill_text(text, width, indent)


def examples(*commands: str) -> str:
    """Returns what a parser of this module shows below its options (`epilog`)."""
    return _EXAMPLES + "\n".join(f"    {command}" for command in commands)


def file_ending(*endings: str) -> Callable[[str], Path]:
    """Returns what reads a file's name for a parser, and refuses one with another ending."""

    def read(text: str) -> Path:
        if (path := Path(text)).suffix.lower() not in endings:
            raise argparse.ArgumentTypeError(f"{text!r} ends in none of {', '.join(endings)}")
        return path

    return read


def add_records(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments `file`, of records, and `--edition`, where theirs is not found by name."""
    add = parser.add_argument
    add("file", metavar="FILE", type=Path, help="a file of records, one JSON object per line")
    add(
        "--edition",
        metavar="PATH",
        help="the edition's folder, if not the one named in the records",
    )


class OneLineParser(argparse.ArgumentParser):
    """A parser that reports an error in one line."""

    def __init__(self, *values: Any, **options: Any) -> None:
        """Takes what `ArgumentParser` takes."""
        super().__init__(*values, **{"formatter_class": _HelpFormatter} | options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuses unknown arguments here, where `prog` has the subcommand."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Ends the command with exit code 2."""
        self.exit(FAILED, f"{self.prog}: {message} (see {self.prog} --help)\n")


def run_command(
    name: str,
    command: Callable[[], int],
    hint: Callable[[ModuleNotFoundError], str | None] = lambda error: None,
) -> int:
    """Runs a command; an error is printed in one line, an edition's faults on one line each.

    Below the line about an agent that failed stands the traceback of its code.

    Characters that the output's encoding lacks are printed as "?".

    Args:
        name: the command's name in its messages.
        command: returns an exit code.
        hint: returns what to install when a module is missing; None lets the error through.

    Returns:
        The command's exit code, 2 after an error or if standard output is closed, 130 after Ctrl-C,
        141 where the reader of the output has gone, as `head` does.
    """
    if not _open_streams():
        return _fail(name, "standard output is closed; > /dev/null drops it")
    try:
        return _run(command)
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except AgentCrashedError as error:
        return _fail(name, f"{error}\n{error.traceback}".rstrip())
    except (GameError, OSError) as error:
        return _fail(name, _message(error))
    except ModuleNotFoundError as error:
        if (message := hint(error)) is None:
            raise
        return _fail(name, message)
    except KeyboardInterrupt:
        return _fail(name, "interrupted", INTERRUPTED)


def _run(command: Callable[[], int]) -> int:
    """Runs a command and flushes its output, so that errors of writing it are raised here."""
    try:
        code = int(command())
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # how rich reports one
            raise stop.__context__ from None
        sys.stdout.flush()
        raise
    sys.stdout.flush()
    return code


def _message(error: Exception) -> str:
    if isinstance(error, EditionError):
        return str(error)  # with its faults
    if not isinstance(error, OSError):
        return str(error).partition("\n")[0]
    reason = error.strerror or str(error) or type(error).__name__
    return reason if error.filename is None else f"{error.filename}: {reason}"


def _fail(name: str, message: str, code: int = FAILED) -> int:
    with suppress(OSError):  # the reader has closed it
        text = "\n".join(map(printable, message.split("\n")))  # messages may quote files
        print(f"{name}: {text}", file=sys.stderr, flush=True)
    with suppress(OSError):
        sys.stdout.flush()
        return code
    _drop_output()
    return code


def _drop_output() -> None:
    """Drops unwritten output, which the interpreter would otherwise try to write at exit."""
    with suppress(OSError):  # a test's output has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_streams() -> bool:
    """Prepares the standard streams; returns whether there is an output.

    Closed ones are opened on /dev/null: Python has None in their place, and the next file to be
    opened would get their descriptor, to which libraries written in C print.
    """
    has_output = sys.stdout is not None
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "w" if number else "r"
            file = os.fdopen(_descriptor(number), mode, encoding="utf-8", closefd=False)
            setattr(sys, name, file)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    return has_output


def _descriptor(number: int) -> int:
    """Returns a descriptor of /dev/null: this one if it is closed, as all lower ones are open."""
    opened = os.open(os.devnull, os.O_RDWR)
    os.set_inheritable(opened, opened == number)
    return opened
