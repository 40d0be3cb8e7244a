"""Texts of any size and content, for messages and terminals."""

from __future__ import annotations

from reprlib import Repr

_WIDTH = 80


def printable(text: str) -> str:
    """Returns a text without what a terminal would obey, such as escape sequences in a name."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def short(text: str) -> str:
    """Returns a text of any size as a short line for messages."""
    line = text if text.isprintable() else repr(text)
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 3]}..."


def short_repr(value: object) -> str:
    """Returns the `repr` of a value of any size as a short line for messages."""
    return _brief.repr(value)


_brief = Repr()
_brief.maxstring = _brief.maxother = _WIDTH
_brief.maxlong = 40
