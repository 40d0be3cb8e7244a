"""Texts and values of any size as short, printable parts of messages."""

from __future__ import annotations

from reprlib import Repr

_WIDTH = 80
MOST_NAME = 200  # characters of a name that is shown


def printable(text: str) -> str:
    """Returns a text without terminal control characters, such as escape sequences in a name."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def shown_name(name: str) -> str:
    """Returns a name of a record as it is shown: its first characters, in printable letters."""
    if len(name) <= MOST_NAME and name.isprintable():
        return name  # a sentence stays one
    return printable(name[:MOST_NAME])


def short(text: str) -> str:
    """Returns a text of any size as a short line for messages."""
    line = text if text.isprintable() else repr(text)
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 3]}..."


def short_repr(value: object) -> str:
    """Returns the `repr` of a value of any size as a short line for messages."""
    return short(_brief.repr(value))


class _Brief(Repr):
    """Shortens within containers too, and takes integers whose digits Python does not write."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = _WIDTH
        self.maxlevel = 3

    def repr_int(self, value: int, level: int) -> str:
        """Returns an integer's digits, or how many bits it has."""
        bits = value.bit_length()
        return str(value) if bits <= 2 * _WIDTH else f"an integer of {bits:,} bits"


_brief = _Brief()
