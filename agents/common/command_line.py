"""What commands share: their names, how they are parsed, and progress bars."""

from __future__ import annotations

import inspect
import io
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, TypeVar

import tyro
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from tyro.constructors import PrimitiveConstructorSpec

from gonzaga_env.command_line import OK
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.errors import OptionError

from .interrupts import exit_code, first_signal_raises

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


def shown(metavar: str | None = None) -> Any:
    """Returns how the help shows an argument whose text explains its default."""
    return tyro.conf.arg(metavar=metavar, help_behavior_hint="")


def whole_number(text: str) -> int:
    """Returns 200000 for "200000", "200_000" or "2e5".

    Raises:
        ValueError: the text is not a whole number.
    """
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
        if number == int(number):
            return int(number)
    except (ValueError, OverflowError):  # infinity is not an integer
        pass
    raise ValueError(f"{text!r} is not a whole number; write 200000, 200_000 or 2e5")


WholeNumber = Annotated[
    int,
    PrimitiveConstructorSpec(
        nargs=1,
        metavar="INT",
        instance_from_str=lambda texts: whole_number(texts[0]),
        is_instance=lambda value: isinstance(value, int),
        str_from_instance=lambda value: [str(value)],
    ),
]
"""An integer that may be written as 2e5."""

WholeNumbers = Annotated[
    tuple[int, ...],
    PrimitiveConstructorSpec(
        nargs=1,
        metavar="INT[,INT...]",
        instance_from_str=lambda texts: tuple(map(whole_number, texts[0].split(","))),
        is_instance=lambda value: isinstance(value, tuple),
        str_from_instance=lambda value: [",".join(map(str, value))],
    ),
]
"""One integer or several, separated by commas."""


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
    options: dict[str, Any] = {} if default is None else {"default": default}
    options |= {"prog": shlex.join([*called_as(), *verbs]), "args": sys.argv[1 + bool(verbs) :]}
    complaint = io.StringIO()
    try:
        with redirect_stderr(complaint):
            flags = (tyro.conf.FlagCreatePairsOff,)
            return tyro.cli(arguments, description=_description(arguments), config=flags, **options)
    except SystemExit as stop:
        if stop.code == 0:
            raise
        names = [f"--{field.name.replace('_', '-')}" for field in fields(arguments)]  # type: ignore[arg-type]
        message = f"{_first_sentence(complaint.getvalue())}{_suggestion(complaint, names)}"
        raise OptionError(f"{message} (--help lists the options)") from stop


def _description(arguments: type) -> str:
    """Returns a docstring with each paragraph in one line, but for examples, which stay as is."""
    paragraphs = (inspect.getdoc(arguments) or "").split("\n\n")
    return "\n\n".join(
        text if text.startswith("Examples:") else " ".join(text.split()) for text in paragraphs
    )


def _first_sentence(box: str) -> str:
    """Returns the text that tyro draws a box around, up to the first rule, as one line."""
    lines = [line.strip("│ \t") for line in re.sub(r"\x1b\[[0-9;]*m", "", box).splitlines()[1:]]
    rule = next((i for i, line in enumerate(lines) if line.startswith(("─", "╰"))), len(lines))
    text = " ".join(filter(None, lines[:rule])) or "the arguments are wrong"
    option, reason = re.search(r"parsing (--[\w-]+)", text), text.rpartition("]: ")[2]
    if option and "Got errors" in text:  # of an option that may also be left out
        text = f"{option[1]}: {reason}"
    return text.rstrip(".")


def _suggestion(complaint: io.StringIO, names: list[str]) -> str:
    unknown = re.findall(r"Unrecognized options: (--[\w-]+)", complaint.getvalue())
    close = get_close_matches(unknown[0], names, n=1) if unknown else []
    return f"; did you mean {close[0]}?" if close else ""
