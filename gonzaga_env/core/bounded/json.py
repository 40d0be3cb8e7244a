"""JSON of bounded depth and number of values."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from typing import Any, NoReturn

import numpy as np

from gonzaga_env.core.bounded.limits import JSON_DEPTH, JSON_NODES
from gonzaga_env.core.bounded.text import short

_STRING = re.compile(rb'"[^"]*+(?:"|\Z)')


def parse_json(content: str | bytes | bytearray) -> Any:
    """Returns what a JSON document in UTF-8 holds.

    Raises:
        ValueError: it is not JSON, is nested too deeply, has too many values, or holds half a
            character, a number that is not finite or one that has thousands of digits.
    """
    text, data = _decoded(content)
    _check_shape(data)
    try:
        value = _DECODER.decode(text)
    except RecursionError as error:  # called from deep within
        raise ValueError("is nested too deeply") from error
    except json.JSONDecodeError as error:
        line = "" if error.lineno == 1 else f"line {error.lineno}, "
        raise ValueError(f"is not JSON: {error.msg} in {line}column {error.colno}") from error
    except ValueError as error:
        if "digits" in str(error):  # Python's bound on the length of integers
            raise ValueError("holds a number with thousands of digits") from error
        raise
    if b"\\u" in data:
        _check_characters(value)
    return value


def _decoded(content: str | bytes | bytearray) -> tuple[str, bytes | bytearray]:
    """Returns a document as text and as bytes."""
    try:
        if isinstance(content, str):
            return content, content.encode()
        return content.decode(), content
    except UnicodeDecodeError as error:
        raise ValueError("is not JSON: it is not UTF-8 text") from error
    except UnicodeEncodeError as error:
        raise ValueError(_HALF) from error


def _check_shape(data: bytes | bytearray) -> None:
    """Raises ValueError if the depth or the number of values is over its limit."""
    brackets = np.frombuffer(_outside_strings(data, b"[]{}"), np.uint8)
    steps = (brackets & 2).astype(np.int8) - np.int8(1)  # the bit is set in [ and {
    if len(steps) and steps.cumsum(dtype=np.int32).max() > JSON_DEPTH:
        raise ValueError(f"is nested too deeply: takes {JSON_DEPTH} brackets within each other")
    if len(data) > 2 * JSON_NODES:  # else there is no room for more values
        marks = _outside_strings(data, b"[{,")
        if len(marks) >= JSON_NODES:  # a value is the first of its list, or follows a comma
            raise ValueError(f"has more than {JSON_NODES:,} values")


def _outside_strings(data: bytes | bytearray, kept: bytes) -> bytes | bytearray:
    """Returns all those of some characters that are in no string of a document.

    What follows a document's first mistake may be wrong, but no parser gets there.
    """
    if b"\\" in data:
        data = data.replace(rb"\\", b"").replace(rb"\"", b"")
    marks = data.translate(None, _all_but(kept))
    outside = marks.replace(b'""', b"")
    if b'"' not in outside:  # no string holds one of these characters: faster
        return outside
    return _STRING.sub(b"", marks)


@cache
def _all_but(kept: bytes) -> bytes:
    """Returns all bytes but quotes and some others."""
    return bytes(set(range(256)) - {*kept, ord('"')})


_HALF = "holds half a character (a surrogate without its other half)"


def _check_characters(value: Any) -> None:
    """Raises ValueError if a text cannot be written as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(_HALF) from error


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"holds {name}, which is no finite number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"holds {short(text)}, which is no finite number")
    return number


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)
