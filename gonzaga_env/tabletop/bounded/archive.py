"""Zip archives and arrays whose sizes are bounded by that of the file."""

from __future__ import annotations

import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.tabletop.bounded.limits import (
    ARRAY_AXES,
    ARRAY_HEADER,
    ZIP_DIRECTORY,
)
from gonzaga_env.tabletop.bounded.text import byte_size, short

_ScalarT = TypeVar("_ScalarT", bound=np.generic)
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OverflowError),
    *(RuntimeError, NotImplementedError, OSError, UnicodeError, ValueError),
)
_ARRAY_START = b"\x93NUMPY\x01\x00"
_ARRAY_HEADER = re.compile(  # as numpy writes it; its own reader takes any Python literal
    rb"\{'descr': '([<>|][biuf]\d)', 'fortran_order': (False|True), 'shape': \(([\d, ]*)\), \} *\n"
)


def parse_array(content: bytes) -> NDArray[Any]:
    """Returns the numbers of a .npy file.

    Raises:
        ValueError: it is not one, is not numeric, or claims another size than it has.
    """
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
    """Returns an array of numbers that takes all of some bytes, as a view of them.

    Raises:
        ValueError: the shape does not fit the bytes.
    """
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
        """Reads the directory.

        Raises:
            ValueError: the content is not a readable zip, or has two members of one name, or
                members that share bytes.
        """
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
        """Returns a member.

        Args:
            name: of the member.
            most: the most bytes that it may have; None for no bound but the file's own size.

        Raises:
            ValueError: it is missing, too large, encrypted, damaged or compressed.
        """
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
