"""JSON, TOML and compressed bytes from files that may be broken or hostile."""

from __future__ import annotations

import json
import math
import os
import re
import tomllib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gonzaga_env.tabletop.bounded.limits import MIB, TOML_BYTES, TOML_DOTS
from gonzaga_env.tabletop.bounded.text import byte_size, short
from gonzaga_env.tabletop.errors import GameError

Json = Any  # what a document holds: who reads it checks it

_HALF = "holds half a character (a surrogate without its other half)"
_LONG_NUMBER = re.compile(r"\b[0-9][0-9a-fA-F_xob]{100}")
_JSON_BYTES = 64 * MIB


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"holds {short(text)}, which is not a finite number")
    return number


_DECODER = json.JSONDecoder(parse_constant=_finite, parse_float=_finite)


def parse_json(content: str | bytes | bytearray) -> Json:
    """Returns what a JSON document in UTF-8 holds.

    Raises:
        ValueError: it is not JSON, is too large or nested too deeply, or holds half a character, a
            non-finite number or one of thousands of digits.
    """
    if len(content) > _JSON_BYTES:
        raise ValueError(f"is larger than {byte_size(_JSON_BYTES)}")
    try:
        text = content if isinstance(content, str) else content.decode()
        value = _DECODER.decode(text)
        if "\\u" in text or not text.isascii():
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    except UnicodeDecodeError as error:
        raise ValueError("is not JSON: it is not UTF-8 text") from error
    except UnicodeEncodeError as error:
        raise ValueError(_HALF) from error
    except json.JSONDecodeError as error:
        line = "" if error.lineno == 1 else f"line {error.lineno}, "
        raise ValueError(f"is not JSON: {error.msg} in {line}column {error.colno}") from error
    except ValueError as error:
        if "digits" in str(error):  # Python's bound on the length of integers
            raise ValueError("holds a number with thousands of digits") from error
        raise
    return value


def parse_toml(content: bytes) -> dict[str, Json]:
    """Returns what a TOML document in UTF-8 holds.

    Raises:
        ValueError: it is not TOML, is too large or nested too deeply, or has a line of too many
            dots (the standard library's parser takes time that grows with the square of a key's
            parts) or a number of too many digits.
    """
    if len(content) > TOML_BYTES:
        raise ValueError(f"is larger than {byte_size(TOML_BYTES)}")
    try:
        text = content.decode()
        for number, line in enumerate(text.split("\n"), start=1):
            if line.count(".") > TOML_DOTS:
                raise ValueError(f"has more than {TOML_DOTS} dots in line {number}")
        if _LONG_NUMBER.search(text):
            raise ValueError("has a number of more than 100 digits")
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, at, place = str(error).rpartition(" (at ")  # it may quote keys of any length
        raise ValueError(f"is not valid TOML: {short(what)}{at}{place}") from error
    except UnicodeDecodeError as error:
        raise ValueError("is not valid TOML: it is not UTF-8 text") from error
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error


def read_file(path: Path, most: int) -> bytes:
    """Returns a file's content.

    Raises:
        OSError: it cannot be read.
        ValueError: it is larger, or a pipe or device, which may never end.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise ValueError("is not a regular file")
    with path.open("rb") as file:
        there = os.fstat(file.fileno()).st_size  # a buffer of the bound itself would be a waste
        if there > most:
            raise ValueError(f"is larger than {byte_size(most)}")
        return file.read(there)


@contextmanager
def file_errors(place: str | Path, kind: type[GameError]) -> Iterator[None]:
    """Turns what is wrong with a file, or a place of it, into errors of one kind that name it."""
    try:
        yield
    except OSError as error:
        raise kind(f"{place}: can't be read: {error.strerror}") from error
    except ValueError as error:
        raise kind(f"{place}: {error}") from error


def inflate(content: bytes, size: int) -> bytes:
    """Returns what zlib compressed.

    Args:
        content: the compressed bytes.
        size: how many bytes they have to hold; no more are decompressed.

    Raises:
        ValueError: they hold more or fewer, more bytes follow, or they are damaged.
    """
    inflating = zlib.decompressobj()
    try:
        raw = inflating.decompress(content, size + 1)
    except zlib.error as error:
        raise ValueError(f"is damaged: {error}") from error
    if len(raw) != size or not inflating.eof or inflating.unused_data:
        raise ValueError("is damaged: it holds more or less than its header says")
    return raw
