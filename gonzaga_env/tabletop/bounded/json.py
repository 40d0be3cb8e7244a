"""JSON of bounded depth and number of values."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from gonzaga_env.tabletop.bounded.limits import JSON_DEPTH, JSON_NODES
from gonzaga_env.tabletop.bounded.text import short

Json = Any  # what a document holds: who reads it checks it

_STRING = re.compile(rb'"[^"]*+(?:"|\Z)')
_SQUARE = bytes.maketrans(b"{}", b"[]")


def _all_but(kept: bytes) -> bytes:
    return bytes(set(range(256)) - set(kept))


_NO_BRACKETS = _all_but(b'[]{}"')
_NO_STARTS = _all_but(b'[{,"')


def parse_json(content: str | bytes | bytearray) -> Json:
    """Returns what a JSON document in UTF-8 holds.

    Raises:
        ValueError: it is not JSON, is nested too deeply, has too many values, or holds half a
            character, a non-finite number or one of thousands of digits.
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
    if b"\\" in data and b"\\u" in data:  # the first is faster, and mostly enough
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
    if len(data) > 2 * JSON_NODES:  # else there is no room for more values
        marks = _outside_strings(data, _NO_STARTS)
        if len(marks) >= JSON_NODES:  # a value is the first of its list, or follows a comma
            raise ValueError(f"has more than {JSON_NODES:,} values")
    brackets = _outside_strings(data, _NO_BRACKETS)
    for _ in range(JSON_DEPTH):  # each turn takes the innermost pairs away
        if not brackets:
            break
        brackets = brackets.replace(b"[]", b"")
    if b"[]" in brackets or brackets.count(b"[") > JSON_DEPTH:
        raise ValueError(f"is nested too deeply: takes {JSON_DEPTH} brackets within each other")


def _outside_strings(data: bytes | bytearray, others: bytes) -> bytes | bytearray:
    """Returns the characters of a document that are in no string, without some others.

    Curly brackets become square ones. After a document's first mistake the result may be wrong, but
    no parser gets there.
    """
    if b"\\" in data:
        data = data.replace(rb"\\", b"").replace(rb"\"", b"")
    marks = data.translate(_SQUARE, others)
    outside = marks.translate(None, b'"')
    if len(outside) + 2 * marks.count(b'""') == len(marks):  # no string holds any of them: faster
        return outside
    return _STRING.sub(b"", marks)


_HALF = "holds half a character (a surrogate without its other half)"


def _check_characters(value: object) -> None:
    """Raises ValueError if a text cannot be written as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(_HALF) from error


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"holds {short(text)}, which is not a finite number")
    return number


_DECODER = json.JSONDecoder(parse_constant=_finite, parse_float=_finite)
