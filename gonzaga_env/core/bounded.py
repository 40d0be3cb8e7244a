"""Reads files that may be broken or hostile: sizes are bounded before anything is read or built.

Whatever is wrong with the content is a ValueError in one line, to which callers add the file's name
and their own type of error.
"""

from __future__ import annotations

import io
import json
import math
import os
import struct
import zipfile
import zlib
from pathlib import Path
from reprlib import Repr
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

MIB = 2**20
_MOST_DIRECTORY = 4 * MIB  # of a zip: some 40,000 members
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OverflowError),
    *(RuntimeError, NotImplementedError, OSError, UnicodeError, ValueError),
)


def read_file(path: Path, most: int) -> bytes:
    """Returns a file's content.

    Args:
        path: the file.
        most: the most bytes that it may have.

    Raises:
        OSError: it cannot be read.
        ValueError: it is larger.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size  # a buffer of the bound itself would be a waste
        if size > most:
            raise ValueError(f"is larger than {most / MIB:,.0f} MiB")
        return file.read(size)


def parse_json(content: str | bytes) -> Any:
    """Returns what a JSON document holds.

    Raises:
        ValueError: it is not JSON, nested too deeply, or holds a number that is not finite or has
            thousands of digits.
    """
    try:
        return json.loads(content, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error}") from error
    except UnicodeDecodeError as error:
        raise ValueError("is not JSON: it is not UTF-8 text") from error
    except ValueError as error:
        if "digits" in str(error):  # Python's bound on the length of integers
            raise ValueError("holds a number with thousands of digits") from error
        raise


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"holds {name}, which is no finite number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"holds {short(text)}, which is no finite number")
    return number


def parse_array(content: bytes) -> NDArray[Any]:
    """Returns the numbers of a .npy file.

    Raises:
        ValueError: it is none, holds other things than numbers, or claims another size than it has.
    """
    file = io.BytesIO(content)
    try:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError("another version")
        shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(file)
        rest = content[file.tell() :]
        if dtype.kind not in "biuf" or math.prod(shape) * dtype.itemsize != len(rest):
            raise ValueError("another size")
        return np.frombuffer(rest, dtype).reshape(shape, order="F" if is_fortran else "C")
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("is no readable array of numbers") from error


class _SmallReads(io.BytesIO):
    """Bytes whose single reads are bounded, such as that of a zip's whole directory."""

    def read(self, size: int | None = -1) -> bytes:
        wanted = len(self.getbuffer()) if size is None or size < 0 else size
        found = super().read(min(wanted, _MOST_DIRECTORY + 1))
        if len(found) > _MOST_DIRECTORY:
            raise zipfile.BadZipFile("its directory is too large")
        return found


class Archive:
    """A zip whose members are stored as they are, so that none can be larger than the file."""

    def __init__(self, content: bytes) -> None:
        """Reads the directory.

        Raises:
            ValueError: the content is not a readable zip.
        """
        self._content = content
        try:
            self._zip = zipfile.ZipFile(_SmallReads(content))
        except _UNREADABLE as error:
            raise ValueError(f"is not a readable zip: {_reason(error)}") from error
        self.names = frozenset(self._zip.namelist())

    def check_stored(self) -> None:
        """Raises ValueError if a member is compressed, encrypted or larger than the file."""
        for info in self._zip.infolist():
            self._check(info)

    def read(self, name: str) -> bytes:
        """Returns a member.

        Raises:
            ValueError: it is missing, compressed, encrypted or damaged.
        """
        if name not in self.names:
            raise ValueError(f"{name} is missing")
        info = self._zip.getinfo(name)
        self._check(info)
        parts = []
        try:
            with self._zip.open(info) as member:
                while part := member.read(MIB):
                    parts.append(part)
        except _UNREADABLE as error:
            raise ValueError(f"{name} is damaged: {_reason(error)}") from error
        return b"".join(parts)

    def _check(self, info: zipfile.ZipInfo) -> None:
        name = short(info.filename)
        if info.flag_bits & 1:
            raise ValueError(f"{name} is encrypted")
        if info.compress_type != zipfile.ZIP_STORED:
            raise ValueError(f"{name} is compressed; it takes members stored as they are")
        if not 0 <= info.file_size == info.compress_size <= len(self._content):
            raise ValueError(f"{name} has a wrong size in the zip's directory")


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


def _reason(error: BaseException) -> str:
    return short(str(error).partition("\n")[0]) or type(error).__name__


_WIDTH = 80
_brief = Repr()
_brief.maxstring = _brief.maxother = _WIDTH
_brief.maxlong = 40
