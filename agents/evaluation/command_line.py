"""Command-line parsing for `train.py` and `evaluate.py`."""

from __future__ import annotations

import io
import re
import sys
from contextlib import redirect_stderr
from difflib import get_close_matches
from typing import Annotated, Any, TypeVar

import tyro
from tyro.constructors import PrimitiveConstructorSpec

from gonzaga_env.tabletop.errors import OptionError

from .match import GUESSABLE_SEEDS

T = TypeVar("T")


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
    except (ValueError, OverflowError):  # infinity is no integer
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


def warn_of_guesses(seed: int | None) -> None:
    """Warns if a seed is given that is small enough for agents to guess."""
    if seed is not None and 0 <= seed < GUESSABLE_SEEDS:
        print(
            "evaluate: agents may guess a small --seed, and with it the deals; without --seed they "
            "are secret",
            file=sys.stderr,
        )


def parse(arguments: type[T], default: T | None = None) -> T:
    """Returns the arguments that the command line holds.

    Args:
        arguments: a dataclass.
        default: values for what the command line leaves out; None takes the dataclass's.

    Raises:
        OptionError: an unknown option or a bad value.
        SystemExit: with code 0 after --help.
    """
    options: dict[str, Any] = {} if default is None else {"default": default}
    complaint = io.StringIO()
    try:
        with redirect_stderr(complaint):
            return tyro.cli(arguments, config=(tyro.conf.FlagCreatePairsOff,), **options)
    except SystemExit as stop:
        if stop.code == 0:
            raise
        names = [f"--{name.replace('_', '-')}" for name in arguments.__annotations__]
        message = f"{_first_sentence(complaint.getvalue())}{_suggestion(complaint, names)}"
        raise OptionError(f"{message} (--help lists the options)") from stop


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
