"""Zips and arrays that claim more than they have are refused."""

import io
import struct
import zipfile

import numpy as np
import pytest

from gonzaga_env.kernel.bounded import Archive, parse_array
from tests.zips import write_zip


def zipped(*members: tuple[str, bytes]) -> bytes:
    return write_zip(members)


def overlapping(content: bytes) -> bytes:
    """Returns a zip whose directory names the same bytes 100 times."""
    place = content.index(b"PK\x01\x02")
    end = content.index(b"PK\x05\x06")
    entry = content[place:end]
    entries = b"".join(entry.replace(b"member", f"{i:06}".encode()) for i in range(100))
    counts = struct.pack("<HHIIH", 100, 100, len(entries), place, 0)
    return content[:place] + entries + content[end : end + 8] + counts


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (zipped(("a", b"1"), ("a", b"2")), "two members of one name"),
        (zipped(*((f"{i:0100}", b"") for i in range(4000))), "directory is too large"),
        (overlapping(zipped(("member", bytes(10_000)))), "claim more bytes than the zip has"),
        (b"", "is not a readable zip"),
    ],
)
def test_unusual_zips_are_refused(content: bytes, words: str):
    with pytest.raises(ValueError, match=words):
        Archive(content)


def test_compressed_members_are_refused():
    content = write_zip([("member", bytes(100_000))], zipfile.ZIP_DEFLATED)
    with pytest.raises(ValueError, match="is compressed"):
        Archive(content).read("member")


def saved(array: object) -> bytes:
    content = io.BytesIO()
    np.save(content, np.asarray(array))
    return content.getvalue()


@pytest.mark.parametrize("kind", ["f4", "f8", "i2", "u1", "?", ">f4"])
def test_arrays_of_numbers_are_read_as_numpy_reads_them(kind: str):
    for array in (np.arange(6).reshape(2, 3), np.arange(6).reshape(2, 3).T, np.arange(5), 3):
        content = saved(np.asarray(array).astype(kind))
        again = np.load(io.BytesIO(content))
        assert (parse_array(content) == again).all()
        assert parse_array(content).dtype == again.dtype


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"(2, 3)", b"(2, 9)"),
        (b"(2, 3)", b"(((((("),
        (b"(2, 3)", b"(-2,3)"),
        (b"'<f4'", b"'|O8'"),
        (b"\x01\x00", b"\x02\x00"),
        (b"'descr'", b"'other'"),
    ],
)
def test_other_headers_are_refused(old: bytes, new: bytes):
    content = saved(np.zeros((2, 3), np.float32))
    assert old in content
    with pytest.raises(ValueError, match="is not a readable array of numbers"):
        parse_array(content.replace(old, new, 1))
