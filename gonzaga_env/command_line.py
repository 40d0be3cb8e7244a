"""Parsing of all commands, and one line and an exit code for each error that ends them.

A command is a function `main(arguments) -> int`. Its options are a dataclass whose docstring is the
help, with a docstring of one line below each field; `parse` reads them.
"""

from __future__ import annotations

import inspect
import io
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, suppress
from dataclasses import fields
from difflib import get_close_matches
from typing import Annotated, TypeVar

import tyro
from tyro.constructors import PrimitiveConstructorSpec

from gonzaga_env.extras import install_hint
from gonzaga_env.kernel.agent import AgentCrashedError
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import EditionError, GameError, OptionError
from gonzaga_env.kernel.messages import printable, short_repr

OK, FAILED, INTERRUPTED, BROKEN_PIPE = 0, 2, 130, 141
"""Exit codes; after a signal they are 128 + its number, as in a shell."""

T = TypeVar("T")


def parse(options: type[T], arguments: Sequence[str], prog: str, default: T | None = None) -> T:
    """Returns the options of a command line; OptionError for an unknown option or a wrong value.

    The docstring of the dataclass is what --help shows above its options, after which SystemExit
    is raised with code 0. `default` has the values of what the command line leaves out.
    """
    complaint = io.StringIO()
    given: dict[str, Json] = {} if default is None else {"default": default}
    try:
        with redirect_stderr(complaint):
            return tyro.cli(
                options,
                prog=prog,
                args=list(arguments),
                description=_description(options),
                config=(tyro.conf.FlagCreatePairsOff,),
                **given,
            )
    except SystemExit as stop:
        if stop.code == 0:
            raise
        message = _first_sentence(complaint.getvalue())
        names = [f"--{field.name.replace('_', '-')}" for field in fields(options)]  # type: ignore[arg-type]
        if unknown := re.findall(r"Unrecognized options: (--[\w-]+)", complaint.getvalue()):
            message += _nearest(unknown[0], names)
        raise OptionError(f"{message} ({prog} --help lists the options)") from stop


def choose_verb(
    arguments: Sequence[str], verbs: Mapping[str, str], prog: str, about: str
) -> str | None:
    """Returns the first word of a command line, one of `verbs`; OptionError for any other.

    None after --help, which prints what the program does (`about`) and its verbs.
    """
    verb = next(iter(arguments), None)
    if verb in ("--help", "-h"):
        wide = max(map(len, verbs))
        lines = [f"  {name:<{wide}}  {text}" for name, text in verbs.items()]
        print(f"usage: {prog} VERB ...\n\n{about}\n", *lines, sep="\n")
        print(f"\n{prog} VERB --help shows what a verb takes.")
        return None
    if verb is None:
        raise OptionError(f"a verb has to follow: {', '.join(verbs)}")
    if verb not in verbs:
        near = _nearest(verb, verbs)
        raise OptionError(f"there is no verb {short_repr(verb)}{near} ({prog} --help lists them)")
    return verb


def _description(options: type) -> str:
    """Returns a docstring with each paragraph in one line, but for examples, which stay as is."""
    paragraphs = (inspect.getdoc(options) or "").split("\n\n")
    return "\n\n".join(
        text if text.startswith("Examples:") else " ".join(text.split()) for text in paragraphs
    )


def _first_sentence(box: str) -> str:
    """Returns the text that tyro draws a box around, up to the first rule, as one line.

    Where a terminal lacks the characters of boxes, rules are of "-" and there are no sides.
    """
    box = re.sub(r"\x1b\[[0-9;]*m", "", box).replace("│", " ")
    lines = [line for line in box.splitlines()[1:] if line.strip()]
    if re.fullmatch(r"\W+", lines[0]):
        del lines[0]
    rule = next((i for i, line in enumerate(lines) if re.match(r" *(─|╰|---)", line)), len(lines))
    text = " ".join(" ".join(lines[:rule]).split()) or "the arguments are wrong"
    if text.startswith("Missing from"):
        names = [line.split()[0] for line in lines[:rule] if re.match(r" {6}\S", line)]
        return f"missing: {', '.join(names)}"
    option, reason = re.search(r"parsing (--[\w-]+)", text), text.rpartition("]: ")[2]
    if option and "Got errors" in text:  # of an option that may also be left out
        text = f"{option[1]}: {reason}"
    return text.rstrip(".")


def _nearest(word: str, names: Sequence[str] | Mapping[str, str]) -> str:
    close = get_close_matches(word, names, n=1)
    return f"; did you mean {close[0]}?" if close else ""


def option_help(metavar: str | None = None) -> object:
    """Returns how the help shows an option whose text explains its default."""
    return tyro.conf.arg(metavar=metavar, help_behavior_hint="")


def whole_number(text: str) -> int:
    """Returns 200000 for "200000", "200_000" or "2e5"; ValueError for other texts."""
    with suppress(ValueError):
        return int(text)
    with suppress(ValueError, OverflowError):  # infinity is not an integer
        if (number := float(text)) == int(number):
            return int(number)
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


def run_command(name: str, command: Callable[[], int], extra: str | None = None) -> int:
    """Runs a command, and returns its exit code; an error is printed in one line.

    An edition's faults have a line each. Below the line about an agent that failed stands the
    traceback of its code. Characters that the output's encoding lacks are printed as "?". `extra`
    is what the command takes beyond the plain install, for the line about what is missing.
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
        if (message := install_hint(error, extra)) is None:
            raise
        return _fail(name, message)
    except KeyboardInterrupt as interrupt:  # it may say what is kept
        return _fail(name, "; ".join(["interrupted", *map(str, interrupt.args)]), INTERRUPTED)


def _run(command: Callable[[], int]) -> int:
    """Runs a command and flushes its output, so that errors of writing it are raised here."""
    try:
        code = int(command())
    except SystemExit as stop:  # after --help
        if isinstance(stop.__context__, BrokenPipeError):  # how rich reports one
            raise stop.__context__ from None
        code = int(stop.code or OK)
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
