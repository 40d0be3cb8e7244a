"""Reads content that may be broken or hostile: work and memory are bounded before any parser.

Whatever is wrong with the content is a ValueError in one line, to which callers add the file's name
and their own type of error. All limits stand first.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import struct
import tomllib
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.kernel.errors import GameError
from gonzaga_env.kernel.messages import short

MIB = 2**20

# TOML: an edition's files.
TOML_BYTES = 2**17
TOML_DOTS = 100  # in a line

# JSON: records, states' headers, results, descriptions, curves and requests.
RECORD_LINE = 2**17  # bytes of a record
RESULTS_LINE = 2**16  # bytes of a line of a tournament's results
RESULTS_BYTES = 512 * MIB  # of a tournament's results
JSON_BYTES = 4 * MIB  # of any other document; parsed, it takes up to 30 times as much

# Results of games: of tournaments and of the benchmark.
GAME_POINTS = 2**31  # of a seat, above or below 0
GAME_ROUNDS = 2**31

# Zip: checkpoints, the weights within them, and .npz files. Members are stored as they are.
ZIP_DIRECTORY = 512 * 1024  # bytes of all members' names and places

# Arrays: .npy within .npz, and states.
ARRAY_HEADER = 256  # bytes
ARRAY_AXES = 8
STATE_HEADER = 10_000  # bytes
SOLUTION_BYTES = 256 * MIB  # of a solution of a small edition

# Weights: what torch saves.
CHECKPOINT_BYTES = 256 * MIB
PICKLE_BYTES = MIB  # of the pickle that names the tensors
PICKLE_OPCODES = 20_000
POLICY_BYTES = 64 * MIB  # of a policy's weights in numpy

Json = Any  # what a document holds: who reads it checks it


def byte_size(num_bytes: int) -> str:
    return f"{num_bytes:,} bytes" if num_bytes < MIB else f"{num_bytes / MIB:,.0f} MiB"


_HALF = "holds half a character (a surrogate without its other half)"
_LONG_NUMBER = re.compile(r"\b[0-9][0-9a-fA-F_xob]{100}")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"holds {short(text)}, which is not a finite number")
    return number


_DECODER = json.JSONDecoder(parse_constant=_finite, parse_float=_finite)


def parse_json(content: str | bytes | bytearray) -> Json:
    """Returns what a JSON document in UTF-8 holds; its numbers are finite, its characters whole."""
    if len(content) > JSON_BYTES:
        raise ValueError(f"is larger than {byte_size(JSON_BYTES)}")
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

    Its lines have few dots: the standard library's parser takes time that grows with the square of
    a key's parts.
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
    """Returns a file's content; ValueError for a pipe or device, which may never end."""
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


_ScalarT = TypeVar("_ScalarT", bound=np.generic)
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OverflowError),
    *(RuntimeError, NotImplementedError, OSError, UnicodeError, ValueError),
)
_ARRAY_START = b"\x93NUMPY\x01\x00"
_ARRAY_HEADER = re.compile(  # as numpy writes it; its own reader takes any Python literal
    rb"\{'descr': '([<>|][biuf]\d)', 'fortran_order': (False|True), 'shape': \(([\d, ]*)\), \} *\n"
)


def parse_array(content: bytes) -> NDArray[np.generic]:
    """Returns the numbers of a .npy file."""
    size = int.from_bytes(content[8:10], "little")
    header = _ARRAY_HEADER.fullmatch(content[10 : 10 + min(size, ARRAY_HEADER)])
    if not content.startswith(_ARRAY_START) or header is None:
        raise ValueError(_NO_ARRAY)
    try:
        dtype, shape = np.dtype(header[1].decode()), [int(n) for n in header[3].split(b",") if n]
        fortran = header[2] == b"True"
        return array_of(content[10 + size :], dtype, shape, "F" if fortran else "C")
    except (TypeError, ValueError) as error:
        raise ValueError(_NO_ARRAY) from error


_NO_ARRAY = "is not a readable array of numbers"


def array_of(
    content: bytes, dtype: np.dtype[_ScalarT], shape: Sequence[int], order: Literal["C", "F"] = "C"
) -> NDArray[_ScalarT]:
    """Returns an array of numbers that takes all of some bytes, as a view of them."""
    if len(shape) > ARRAY_AXES or not all(0 <= size < 2**31 for size in shape):
        raise ValueError("another shape")
    if math.prod(shape) * dtype.itemsize != len(content):
        raise ValueError("another size")
    return np.frombuffer(content, dtype).reshape(shape, order=order)


class _SmallReads(io.BytesIO):
    """Bytes whose single reads are bounded, such as that of a zip's whole directory."""

    def read(self, size: int | None = -1) -> bytes:
        most = ZIP_DIRECTORY + 1
        found = super().read(most if size is None or size < 0 else min(size, most))
        if len(found) > ZIP_DIRECTORY:
            raise zipfile.BadZipFile("its directory is too large")
        return found


class Archive:
    """A zip whose members are stored as they are, so that together they fit into the file."""

    def __init__(self, content: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(_SmallReads(content))
        except _UNREADABLE as error:
            raise ValueError(f"is not a readable zip: {_reason(error)}") from error
        members = self._zip.infolist()
        self.names = frozenset(info.filename for info in members)
        if len(self.names) < len(members):
            raise ValueError("has two members of one name")
        if sum(info.compress_size for info in members) > len(content):
            raise ValueError("has members that claim more bytes than the zip has")

    def read(self, name: str, most: int | None = None) -> bytes:
        """Returns a member, of so many bytes at most; None takes those of the file as the bound."""
        if name not in self.names:
            raise ValueError(f"{short(name)} is missing")
        info, shown = self._zip.getinfo(name), short(name)
        if info.flag_bits & 1:
            raise ValueError(f"{shown} is encrypted")
        if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
            raise ValueError(f"{shown} is compressed; it takes members stored as they are")
        if most is not None and info.file_size > most:
            raise ValueError(f"{shown} is larger than {byte_size(most)}")
        try:
            with self._zip.open(info) as member:
                return b"".join(iter(lambda: member.read(ZIP_DIRECTORY), b""))
        except _UNREADABLE as error:
            raise ValueError(f"{shown} is damaged: {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    return short(str(error).partition("\n")[0]) or type(error).__name__
