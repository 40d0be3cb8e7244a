"""Texts of any size as short lines for messages."""

from __future__ import annotations

from reprlib import Repr

_WIDTH = 80


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
