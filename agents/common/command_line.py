"""What commands share: their names, how they are parsed, and progress bars."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from gonzaga_env.command_line import OK, WholeNumber, WholeNumbers, shown
from gonzaga_env.command_line import parse as parse_options
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError

from .interrupts import exit_code, first_signal_raises

__all__ = ["WholeNumber", "WholeNumbers", "called_as", "parse", "progress", "run_verb", "shown"]

T = TypeVar("T")
OnProgress = Callable[[float, float], None]
"""Takes how much is done, and how much there is in all."""


def called_as() -> list[str]:
    """Returns the words that started this command, such as ["python", "evaluate.py"].

    An installed command is called by its name; a script by its path, as it was typed; a module by
    `python -m`, which works from any folder.
    """
    program, module = sys.argv[0], getattr(sys.modules["__main__"], "__spec__", None)
    if module is not None and module.origin == program:
        return ["python", "-m", module.name.removesuffix(".__main__")]
    return ["python", program] if program.endswith(".py") else [Path(program).name]


@contextmanager
def progress(what: str) -> Iterator[OnProgress]:
    """Shows a bar and the time left on stderr if that is a terminal: stdout holds results only.

    Yields:
        A function that moves the bar.
    """
    columns = (TextColumn(what), BarColumn(), TextColumn("{task.fields[count]}left"))
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
        speed_estimate_period=600,
    ) as shown_progress:
        task = shown_progress.add_task(what, total=None, count="")

        def move(done: float, total: float) -> None:
            count = f"{int(done):,} of {total:,} games, " if total > 1 else ""
            shown_progress.update(task, completed=done, total=total, count=count)

        yield move


def run_verb(
    name: str, verbs: Mapping[str, Callable[[], int | None]], usage: str, kept: Mapping[str, str]
) -> int:
    """Runs the subcommand that the first word names, or prints `usage` for --help.

    Args:
        name: of the command, in messages.
        verbs: the subcommands; one returns the exit code, or None for 0.
        usage: what --help prints.
        kept: what is said of an interrupted subcommand besides that.

    Returns:
        The exit code; after an interrupt 130 for Ctrl-C and 143 for SIGTERM.

    Raises:
        OptionError: another word comes first, or none.
    """
    verb, names = sys.argv[1] if len(sys.argv) > 1 else None, [*verbs]
    if verb in ("--help", "-h"):
        print(usage)
        return OK
    if verb is None or verb not in names:
        said = "nothing" if verb is None else short_repr(verb)
        listed = " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        raise OptionError(f"{listed} has to come first, not {said} (see --help)")
    try:
        with first_signal_raises():
            return verbs[verb]() or OK
    except KeyboardInterrupt as interrupt:
        more = f"; {kept[verb]}" if verb in kept else ""
        print(f"{name}: {verb} interrupted{more}", file=sys.stderr)
        return exit_code(interrupt)


def parse(arguments: type[T], default: T | None = None, verb: str | None = None) -> T:
    """Returns the arguments that the command line holds.

    Args:
        arguments: a dataclass; its docstring is what --help shows above the options.
        default: values for what the command line leaves out; None takes the dataclass's.
        verb: the subcommand that comes first (see `run_verb`), with the word before it where it is
            a subcommand's own, such as "bot check"; None if there are none.

    Raises:
        OptionError: an unknown option or a bad value.
        SystemExit: with code 0 after --help.
    """
    verbs = (verb or "").split()
    words = sys.argv[1 + bool(verbs) :]
    return parse_options(arguments, words, " ".join([*called_as(), *verbs]), default)
